import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFileUploadStore } from './file-upload-store.ts'
import type { UploadStore } from './upload-store.ts'

let root: string
let store: UploadStore
beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), 'hilum-uploads-')), 'uploads')
  store = createFileUploadStore(root)
})
afterEach(() => rm(join(root, '..'), { recursive: true }))

async function* bodyOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}
const accept = () => undefined
const refuse = () => {
  throw new Error('not these bytes')
}
const readText = async (upload: string, name: string) => String(await buffer(store.readPart(upload, name)))

test('parts that one process took are owned, listed and read by another over the same store', async () => {
  const upload = await store.begin('an owner')
  await store.writePart(upload, '00001', bodyOf('second'), accept)
  const other = createFileUploadStore(root)
  await other.writePart(upload, '00000', bodyOf('fi', 'rst'), accept)
  expect(await other.findOwner(upload)).toBe('an owner')
  expect(await store.listParts(upload)).toEqual([
    { name: '00000', length: 5 },
    { name: '00001', length: 6 },
  ])
  expect(await readText(upload, '00000')).toBe('first')
  await other.remove(upload)
  expect(await store.findOwner(upload)).toBeUndefined()
})

test('a part that is not accepted, or breaks off, leaves the one before it and nothing else', async () => {
  const upload = await store.begin('an owner')
  await store.writePart(upload, '00000', bodyOf('good'), accept)
  await expect(store.writePart(upload, '00000', bodyOf('bad'), refuse)).rejects.toThrow('not these bytes')
  const broken = async function* () {
    yield Buffer.from('half')
    throw new Error('gone')
  }
  await expect(store.writePart(upload, '00000', broken(), accept)).rejects.toThrow('gone')
  expect(await readText(upload, '00000')).toBe('good')
  expect((await readdir(join(root, upload))).toSorted()).toEqual(['00000', 'owner'])
  await expect(store.stage(broken())).rejects.toThrow('gone')
  expect(await readdir(root)).toEqual([upload])
})

test('names that could lead out of the folder are no names', async () => {
  const upload = await store.begin('an owner')
  for (const name of ['../00000', 'owner', '0000', '000000'])
    await expect(store.writePart(upload, name, bodyOf('x'), accept)).rejects.toThrow(RangeError)
  for (const name of ['..', '../..', '', `${upload}/..`])
    await expect(store.findOwner(name)).rejects.toThrow(RangeError)
})

test('a full disk is told before anything is written', async () => {
  const full = createFileUploadStore(root, async () => {
    throw new Error('full')
  })
  const upload = await full.begin('an owner')
  await expect(full.writePart(upload, '00000', bodyOf('x'), accept)).rejects.toThrow('full')
  expect(await full.listParts(upload)).toEqual([])
})
