import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  dump,
  emptyDatabase,
  exportedSource,
  exportFrom,
  importInto,
  listener,
  workFolder,
} from '../../test/export-fixture.ts'
import { madeImage, uploadImage } from '../../test/made-image.ts'
import { objectPath } from '../../test/object-path.ts'
import { type Manifest, partsOf } from './manifest.ts'
import { readObjectList } from './object-list.ts'
import { rehearseImport } from './rehearse-import.ts'

const { source, place } = await exportedSource()
/** Beside the exports, where no export looks for others. */
const aside = await workFolder()
const [forChain, forGap, forHealed] = [await emptyDatabase(), await emptyDatabase(), await emptyDatabase()]
const scratch = await mkdtemp(join(tmpdir(), 'hilum-scratch-'))
// as root, PostgreSQL runs as another user
await chmod(scratch, 0o755)
afterAll(() => rm(scratch, { recursive: true, force: true }))

const signal = new AbortController().signal
const exportSince = (name: string, since: string, told = listener()) =>
  exportFrom(source, place(name), told, signal, since)
async function addImages(count: number): Promise<void> {
  const member = await source.addMember(['study_upload'])
  const studyUid = newUid()
  for (let number = 1; number <= count; number++) await uploadImage(source, member, madeImage({ studyUid, number }))
}
/** Keys that lie in an export's own folder. */
async function keysIn(folder: string): Promise<string[]> {
  const below = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true }).catch(() => [])
  return below.filter((one) => one.isFile()).map((one) => one.name)
}
const holdersOf = ({ holders = [] }: Manifest) => holders.map(({ uuid, objects }) => [uuid, objects])

let full: Manifest
let second: Manifest
let third: Manifest
beforeAll(async () => {
  full = JSON.parse(await readFile(partsOf(place('whole')).manifest, 'utf8')) as Manifest
  await addImages(2)
  second = await exportSince('second', place('whole'))
  await addImages(3)
  // a folder of exports: the newest whole one in it
  third = await exportSince('third', place('.'))
})

describe('an export since another', () => {
  it('holds the objects that came since, all tables, and names the exports that hold the rest', async () => {
    expect((await keysIn(place('second'))).length).toBe(2)
    expect((await keysIn(place('third'))).length).toBe(3)
    expect([full.format, second.format]).toEqual([1, 2])
    expect(holdersOf(second)).toEqual([[full.uuid, full.objects.count]])
    expect(holdersOf(third)).toEqual([
      [second.uuid, 2],
      [full.uuid, full.objects.count],
    ])
    expect(third.objects.count).toBe(full.objects.count + 5)
    expect(third.tables.length).toBe(full.tables.length)
  })

  it('is imported with the exports it builds on, every row and every byte', async () => {
    const target = { url: forChain, folder: aside('chain-data') }
    expect(await importInto(target, place('third'))).toMatchObject({ faults: 0 })
    expect(await dump(target.url)).toEqual(await dump(source.url))
    for await (const { key } of readObjectList(partsOf(place('third')).objectList)) {
      const [there, here] = await Promise.all(
        [source.folder, target.folder].map((one) => readFile(join(one, 'objects', key))),
      )
      expect(here?.equals(there ?? Buffer.alloc(0))).toBe(true)
    }
    await rm(target.folder, { recursive: true })
  })

  it('is rehearsed as a whole', async () => {
    const options = {
      folder: place('third'),
      scratchParent: scratch,
      postgresBinFolder: undefined,
      tell: () => undefined,
    }
    expect(await rehearseImport({ ...options, signal })).toMatchObject({ faults: 0, objects: third.objects.count })
    expect(await readdir(scratch)).toEqual([])
  })

  it('copies again what the export before has lost, or holds damaged', async () => {
    const [lost = {}, damaged = {}] = await firstObjects(place('whole'), 2)
    const { key } = lost as { key: string }
    await rename(partsOf(place('whole')).object(key), `${place('whole')}/aside`)
    const cut = partsOf(place('whole')).object((damaged as { key: string }).key)
    const bytes = await readFile(cut)
    await writeFile(cut, bytes.subarray(1))
    try {
      const healed = await exportSince('healed', place('whole'))
      expect((await keysIn(place('healed'))).length).toBe(5 + 2)
      expect(await importInto({ url: forHealed, folder: aside('healed-data') }, place('healed'))).toMatchObject({
        faults: 0,
      })
      expect(healed.faults).toEqual([])
    } finally {
      await rename(`${place('whole')}/aside`, partsOf(place('whole')).object(key))
      await writeFile(cut, bytes)
      await rm(aside('healed-data'), { recursive: true, force: true })
      await rm(place('healed'), { recursive: true, force: true })
    }
  })
})

async function firstObjects(folder: string, count: number) {
  const objects = []
  for await (const object of readObjectList(partsOf(folder).objectList)) objects.push(object)
  return objects.slice(0, count)
}

describe('a chain with a gap', () => {
  it('is refused, and the missing exports are named with their moment; nothing is imported', async () => {
    const target = { url: forGap, folder: aside('gap-data') }
    await rename(place('whole'), aside('elsewhere'))
    try {
      const refused = importInto(target, place('third'))
      await expect(refused).rejects.toThrow(
        `Missing: the export of ${full.taken} (${full.uuid}), which holds ${full.objects.count} objects.`,
      )
      expect(await readdir(aside('.'))).not.toContain('gap-data')
      await expect(exportSince('after-gap', place('third'))).rejects.toThrow('Missing: the export of')
      expect(await readdir(place('.'))).not.toContain('after-gap')
    } finally {
      await rename(aside('elsewhere'), place('whole'))
    }
  })

  it('in which an earlier object is gone or cut is refused, with its place', async () => {
    const [object] = await firstObjects(place('whole'), 1)
    const path = partsOf(place('whole')).object(object?.key ?? '')
    await rename(path, `${path}.aside`)
    const { lines, tell } = listener()
    const target = { url: forGap, folder: aside('gap-data') }
    const refused = importInto(target, place('third'), { tell })
    await expect(refused.finally(() => rename(`${path}.aside`, path))).rejects.toThrow('Nothing was imported')
    expect(lines.join('\n')).toContain(`object missing: ${path}`)
  })
})

it('without an export before it holds everything, and says so; and it lies beside the one before', async () => {
  await mkdir(aside('other'), { recursive: true })
  const told = listener()
  const first = await exportFrom(source, aside('other/first'), told, signal, aside('other'))
  expect([first.format, first.holders, told.lines[0]]).toEqual([1, undefined, expect.stringContaining('no export in')])
  const apart = exportFrom(source, aside('other/second'), listener(), signal, place('whole'))
  await expect(apart).rejects.toThrow('lies beside it')
})

it('tells what this installation itself has lost, though an earlier export may hold it', async () => {
  const [object] = await firstObjects(place('whole'), 1)
  const path = objectPath(source.services.config, object?.key ?? '')
  await rename(path, `${path}.aside`)
  try {
    const manifest = await exportSince('lossy', place('third'))
    expect(holdersOf(manifest)).toContainEqual([full.uuid, full.objects.count])
  } finally {
    await rename(`${path}.aside`, path)
  }
})
