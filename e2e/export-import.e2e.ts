import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listStudies, openSession } from './support/call.ts'
import { hilum } from './support/hilum-command.ts'
import { type RunningServer, startServer } from './support/start-server.ts'

let server: RunningServer
let folder: string
beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'hilum-moved-'))
  await chmod(folder, 0o755)
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The hash of every study's ZIP, as anybody downloads it, without what the ZIP says of the moment. */
async function hashDownloads(origin: string): Promise<Record<string, string>> {
  const sid = await openSession(origin, 'administrator')
  const hashes: Record<string, string> = {}
  for (const { study_uid, storage_namespace, phi_namespace } of await listStudies(origin, sid)) {
    const address = `${origin}/api/v3/storage/study/${storage_namespace}/${study_uid}/download`
    const reply = await fetch(`${address}?sid=${sid}&bundle=dicom&phi_namespace=${phi_namespace}`)
    expect(reply.status).toBe(200)
    hashes[study_uid] = createHash('sha256')
      .update(Buffer.from(await reply.arrayBuffer()))
      .digest('hex')
  }
  return hashes
}

it('moves a running installation elsewhere, where it goes on with the same studies, people and record', async () => {
  const [exported, moved] = [join(folder, 'export'), join(folder, 'data')]
  const before = await hashDownloads(server.address)
  expect(Object.keys(before).length).toBeGreaterThan(0)
  expect(await hilum(server.dataFolder, 'verify')).toMatchObject({ code: 0 })

  expect(await hilum(server.dataFolder, 'export', exported)).toMatchObject({
    code: 0,
    said: expect.stringContaining(`The export in ${exported} is whole.`),
  })
  expect(await hilum(server.dataFolder, 'import', exported)).toMatchObject({
    code: 2,
    said: expect.stringContaining(`${server.dataFolder} is not empty`),
  })
  expect(await hilum(moved, 'import', exported)).toMatchObject({
    code: 0,
    said: expect.stringContaining(`is in ${moved}.`),
  })
  for (const args of [['verify'], ['verify', '--audit']]) {
    expect(await hilum(moved, ...args)).toMatchObject({ code: 0, said: expect.stringContaining('All is well') })
  }
  const users = (place: string) => readFile(join(place, 'demo-users.json'), 'utf8')
  expect(await users(moved)).toBe(await users(server.dataFolder))

  const other = await startServer({ HILUM_DATA: moved })
  try {
    expect(await hashDownloads(other.address)).toEqual(before)
    expect(await hilum(moved, 'verify', '--audit')).toMatchObject({ code: 0 })
  } finally {
    await other.close()
  }
})

it('says in words what it cannot do', async () => {
  const nowhere = join(folder, 'nowhere')
  expect(await hilum(nowhere, 'export', join(folder, 'x'))).toEqual({
    code: 2,
    said: `hilum export: There is no Hilum in ${nowhere}.\n`,
  })
  expect(await hilum(nowhere, 'import', join(folder, 'x'))).toMatchObject({
    code: 2,
    said: expect.stringContaining('holds no whole export'),
  })
  expect(await hilum(nowhere, 'import', 'x')).toMatchObject({ code: 2, said: expect.stringContaining('absolute path') })
  expect(await hilum(nowhere, 'exprot')).toMatchObject({ code: 2, said: expect.stringContaining('Usage:') })
})
