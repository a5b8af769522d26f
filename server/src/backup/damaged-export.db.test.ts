import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  dump,
  emptyDatabase,
  exists,
  exportedSource,
  exportFrom,
  importInto,
  listener,
  objectsOf,
} from '../../test/export-fixture.ts'
import { type Manifest, partsOf } from './manifest.ts'

const { source, place } = await exportedSource()
const untouched = await emptyDatabase()
const later = await emptyDatabase()

async function copyOfExport(name: string): Promise<string> {
  await cp(place('whole'), place(name), { recursive: true })
  return place(name)
}

async function changeManifest(folder: string, change: (manifest: Manifest) => void): Promise<void> {
  const { manifest: path } = partsOf(folder)
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest
  change(manifest)
  await writeFile(path, JSON.stringify(manifest))
}

describe('an export that is not whole is refused, and nothing is imported', () => {
  const target = { url: untouched, folder: place('never') }
  /** The lines that the person reads, last the reason of the refusal; and whether something was made after all. */
  async function tryToImport(folder: string): Promise<{ read: string; isMade: boolean }> {
    const { lines, tell } = listener()
    const reason = await importInto(target, folder, { tell }).then(
      () => 'imported',
      (error: Error) => error.message,
    )
    const isMade = (await exists(target.folder)) || Object.keys(await dump(untouched)).length > 0
    return { read: [...lines, reason].join('\n'), isMade }
  }
  const refused = (...words: string[]) => ({
    read: expect.toSatisfy((read: string) => words.every((word) => read.includes(word))),
    isMade: false,
  })

  test('a missing object', async () => {
    const folder = await copyOfExport('missing')
    const [key = ''] = await objectsOf(folder)
    await rm(partsOf(folder).object(key))
    expect(await tryToImport(folder)).toEqual(
      refused('damaged in 1 places', `object missing: ${partsOf(folder).object(key)}`),
    )
  })

  test('an object cut short', async () => {
    const folder = await copyOfExport('cut')
    const [key = ''] = await objectsOf(folder)
    await truncate(partsOf(folder).object(key), 10)
    expect(await tryToImport(folder)).toEqual(refused('damaged in 1 places', 'object cut short or grown: '))
  })

  test('a truncated table, a changed one, one that is not there', async () => {
    const folder = await copyOfExport('tables')
    const parts = partsOf(folder)
    await truncate(parts.table('instance'), 100)
    await writeFile(parts.table('study'), (await readFile(parts.table('study'), 'utf8')).replace('Tab', 'Tub'))
    await rm(parts.table('setting'))
    expect(await tryToImport(folder)).toEqual(
      refused(
        'damaged in 3 places',
        `table cut short: ${parts.table('instance')}`,
        `table with other bytes: ${parts.table('study')}`,
        `table missing: ${parts.table('setting')}`,
      ),
    )
  })

  test('a list of objects that lost its end', async () => {
    const folder = await copyOfExport('list')
    await truncate(partsOf(folder).objectList, 200)
    expect(await tryToImport(folder)).toEqual(refused('damaged in 1 places', 'list cut short: '))
  })

  test('a manifest that is damaged, or not there', async () => {
    const folder = await copyOfExport('manifest')
    await truncate(partsOf(folder).manifest, 300)
    expect(await tryToImport(folder)).toEqual(refused('damaged or is not of an export'))
    await rm(partsOf(folder).manifest)
    expect(await tryToImport(folder)).toEqual(refused('holds no whole export'))
  })

  test('a manifest that leads out of the export', async () => {
    const folder = await copyOfExport('astray')
    await changeManifest(folder, (manifest) => {
      manifest.files = [{ path: '../outside', bytes: 0, sha256: '0'.repeat(64) }]
    })
    expect(await tryToImport(folder)).toEqual(refused('damaged or is not of an export'))
  })

  test('one of a newer Hilum, of a newer layout, of another line', async () => {
    const folder = await copyOfExport('newer')
    await changeManifest(folder, (manifest) => manifest.migrations.push('9999-to-come'))
    expect(await tryToImport(folder)).toEqual(refused('newer Hilum than this one (it knows 9999-to-come)'))
    await changeManifest(folder, (manifest) => void (manifest.migrations = ['0002-mail-tries']))
    expect(await tryToImport(folder)).toEqual(refused('another line of Hilum'))
    await changeManifest(folder, (manifest) => void ((manifest as { format: number }).format = 3))
    expect(await tryToImport(folder)).toEqual(refused('made by a newer Hilum'))
  })
})

test('a folder in which an import was refused takes a good export, and nothing of the first stays', async () => {
  const folder = await copyOfExport('changed')
  const [key = '', ...others] = await objectsOf(folder)
  const damaged = partsOf(folder).object(key)
  const bytes = await readFile(damaged)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  await writeFile(damaged, bytes)
  const target = { url: later, folder: place('again') }
  await expect(importInto(target, folder)).rejects.toThrow('1 objects in')
  expect(await Promise.all(others.map((one) => exists(join(target.folder, 'objects', one))))).toContain(true)
  await writeFile(join(target.folder, 'objects', 'of-the-first'), '')

  await exportFrom(source, place('good'))
  const { lines, tell } = listener()
  await importInto(target, place('good'), { tell })
  expect(lines.join('\n')).toContain('what an unfinished import of another export left')
  expect(await exists(join(target.folder, 'objects', 'of-the-first'))).toBe(false)
  expect(await dump(later)).toEqual(await dump(source.url))
})
