import { describe, expect, test } from 'vitest'
import { listAhead, walkEntries, walkFileList, type WalkBatch } from './walk.ts'

type Tree = { [name: string]: Tree | string | null }

/** Entries as Chromium gives them: at most 100 a call. null is a file that refuses to open, '!' a folder that does. */
function entry(name: string, node: Tree | string | null, parent = ''): FileSystemEntry {
  const fullPath = `${parent}/${name}`
  if (typeof node === 'string' && node !== '!') {
    const file = (ok: (file: File) => void) => ok(new File([node], name))
    return { isFile: true, isDirectory: false, name, fullPath, file } as unknown as FileSystemEntry
  }
  if (node === null) {
    const file = (_ok: unknown, fail: (error: Error) => void) => fail(new Error('NotReadableError'))
    return { isFile: true, isDirectory: false, name, fullPath, file } as unknown as FileSystemEntry
  }
  const createReader = () => {
    const rest = node === '!' ? [] : Object.entries(node).map(([child, sub]) => entry(child, sub, fullPath))
    return {
      readEntries: (ok: (page: FileSystemEntry[]) => void, fail: (error: Error) => void) =>
        node === '!' ? fail(new Error('NotReadableError')) : ok(rest.splice(0, 100)),
    }
  }
  return { isFile: false, isDirectory: true, name, fullPath, createReader } as unknown as FileSystemEntry
}

async function collect(walk: AsyncIterable<WalkBatch>) {
  const batches: WalkBatch[] = []
  for await (const batch of walk) batches.push(batch)
  return {
    sizes: batches.map((batch) => batch.files.length),
    paths: batches.flatMap((batch) => batch.files.map((one) => one.path)),
    unreadable: batches.flatMap((batch) => batch.unreadable),
  }
}

describe('walking what was dropped', () => {
  test('[UPLOAD-03] finds every file of folders within folders, however many, in batches of at most 64', async () => {
    const many = Object.fromEntries(Array.from({ length: 1234 }, (_, k) => [`IM${k}`, 'x']))
    const { paths, sizes } = await collect(
      walkEntries([entry('cd', { DICOM: { A: many, B: { C: many } } }), entry('one.dcm', 'x')]),
    )
    expect(new Set(paths).size).toBe(2469)
    expect(Math.max(...sizes)).toBe(64)
    expect(paths).toContain('cd/DICOM/B/C/IM1233')
    expect(paths).toContain('one.dcm')
  })

  test('several folders and files dropped together are all walked', async () => {
    const { paths } = await collect(walkEntries([entry('a', { x: '1' }), entry('b', { y: '2' }), entry('z', '3')]))
    expect(paths.sort()).toEqual(['a/x', 'b/y', 'z'])
  })

  test('a file or folder that cannot be opened is named and stops nothing', async () => {
    const { paths, unreadable } = await collect(
      walkEntries([entry('cd', { bad: null, good: 'x', locked: '!', more: { ok: 'x' } })]),
    )
    expect(paths.sort()).toEqual(['cd/good', 'cd/more/ok'])
    expect(unreadable.sort()).toEqual(['cd/bad', 'cd/locked'])
  })

  test('an empty folder gives nothing', async () => {
    expect(await collect(walkEntries([entry('empty', {})]))).toEqual({ sizes: [], paths: [], unreadable: [] })
  })

  test('stopping ends the walk', async () => {
    const stop = new AbortController()
    stop.abort(new Error('stopped'))
    await expect(collect(walkEntries([entry('cd', { x: '1' })], stop.signal))).rejects.toThrow('stopped')
  })
})

test('[UPLOAD-03] a folder chosen by browsing keeps the paths of its files', async () => {
  const files = Array.from({ length: 130 }, (_, k) => {
    const file = new File(['x'], `IM${k}`)
    Object.defineProperty(file, 'webkitRelativePath', { value: `cd/IM${k}` })
    return file
  })
  const { paths, sizes } = await collect(walkFileList(files))
  expect(sizes).toEqual([64, 64, 2])
  expect(paths[129]).toBe('cd/IM129')
})

describe('listing ahead', () => {
  /** A walk of so many batches, which notes how far it is; it may break behind the last. */
  function walkOf(count: number, fault?: Error) {
    const walked = { batches: 0, isOver: false }
    async function* walk(): AsyncGenerator<WalkBatch> {
      try {
        for (let number = 1; number <= count; number++) {
          walked.batches = number
          yield { files: [], unreadable: [`batch ${number}`] }
        }
        if (fault) throw fault
      } finally {
        walked.isOver = true
      }
    }
    return { walked, walk }
  }

  test('a walk goes on while its batches are read, a few ahead and no more, and gives all in their order', async () => {
    const { walked, walk } = walkOf(10)
    const read = listAhead(walk())
    expect(await read.next()).toMatchObject({ value: { unreadable: ['batch 1'] } })
    await expect.poll(() => walked.batches).toBe(4)
    expect(await read.next()).toMatchObject({ value: { unreadable: ['batch 2'] } })
    await expect.poll(() => walked.batches).toBe(5)
    const { unreadable } = await collect(read)
    expect(unreadable).toEqual([3, 4, 5, 6, 7, 8, 9, 10].map((number) => `batch ${number}`))
  })

  test('a walk that breaks is told of behind the batches before', async () => {
    const read = listAhead(walkOf(2, new Error('The disc is gone')).walk())
    expect(await read.next()).toMatchObject({ value: { unreadable: ['batch 1'] } })
    expect(await read.next()).toMatchObject({ value: { unreadable: ['batch 2'] } })
    await expect(read.next()).rejects.toThrow('The disc is gone')
  })

  test('a walk ends with whoever reads it', async () => {
    const { walked, walk } = walkOf(10)
    for await (const _batch of listAhead(walk())) break
    await expect.poll(() => walked.isOver).toBe(true)
  })
})
