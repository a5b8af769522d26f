import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { readChunks } from './read-chunks.ts'
import type { UploadPart, UploadStore, WrittenBytes } from './upload-store.ts'

const OWNER_FILE = 'owner'
const partForm = /^\d{5}$/
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * The upload store in a folder of this machine, or one that several share: a folder for each upload, a file for each part.
 * @param assertRoom asked before anything is written; throws where nothing more may be
 */
export function createFileUploadStore(
  root: string,
  assertRoom: () => Promise<void> = async () => undefined,
): UploadStore {
  /** @throws RangeError for a name that could lead out of the folder */
  const folderOf = (upload: string) => {
    if (!uuidForm.test(upload)) throw new RangeError('No name of an upload')
    return join(root, upload)
  }
  const partOf = (upload: string, name: string) => {
    if (!partForm.test(name)) throw new RangeError('No name of a part')
    return join(folderOf(upload), name)
  }

  async function write(path: string, body: AsyncIterable<Uint8Array>): Promise<WrittenBytes> {
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    let length = 0
    let crc = 0
    try {
      for await (const chunk of body) {
        length += chunk.length
        crc = crc32(chunk, crc)
        await assertRoom()
        await file.writeFile(chunk)
      }
      await file.datasync()
    } finally {
      await file.close()
    }
    return { length, crc32: crc }
  }

  async function begin(owner: string): Promise<string> {
    const upload = randomUUID()
    await mkdir(folderOf(upload), { recursive: true, mode: 0o700 })
    await writeFile(join(folderOf(upload), OWNER_FILE), owner, { mode: 0o600 })
    return upload
  }

  async function writePart(
    upload: string,
    name: string,
    body: AsyncIterable<Uint8Array>,
    accept: (written: WrittenBytes) => void,
  ): Promise<void> {
    const path = partOf(upload, name)
    const draft = `${path}.${randomUUID()}`
    try {
      accept(await write(draft, body))
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  async function listParts(upload: string): Promise<UploadPart[]> {
    const names = (await readdir(folderOf(upload))).filter((name) => partForm.test(name)).sort()
    return Promise.all(names.map(async (name) => ({ name, length: (await stat(partOf(upload, name))).size })))
  }

  async function stage(body: AsyncIterable<Uint8Array>) {
    const path = join(root, `staged-${randomUUID()}`)
    await mkdir(root, { recursive: true, mode: 0o700 })
    const discard = () => rm(path, { force: true })
    try {
      const { length } = await write(path, body)
      return { path, length, discard }
    } catch (error) {
      await discard()
      throw error
    }
  }

  async function sweep(before: Date): Promise<number> {
    let swept = 0
    for (const name of (await ifThere(readdir(root))) ?? []) {
      const path = join(root, name)
      const found = await ifThere(stat(path))
      if (!found || found.mtime >= before) continue
      await rm(path, { recursive: true, force: true })
      swept += 1
    }
    return swept
  }

  return {
    begin,
    findOwner: async (upload) => ifThere(readFile(join(folderOf(upload), OWNER_FILE), 'utf8')),
    writePart,
    listParts,
    readPart: (upload, name) => readChunks(partOf(upload, name)),
    remove: (upload) => rm(folderOf(upload), { recursive: true, force: true }),
    stage,
    sweep,
  }
}

async function ifThere<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
