import { expect, test } from 'vitest'
import { walkDropped } from './file-handles.ts'
import type { WalkBatch } from './walk.ts'

interface Made {
  kind: 'file' | 'directory'
  name: string
}

function fileHandle(name: string, getFile = async () => new File([name], name)): FileSystemHandle {
  return { kind: 'file', name, getFile } as Made as FileSystemHandle // the part that is walked
}

function folderHandle(name: string, content: readonly FileSystemHandle[]): FileSystemHandle {
  async function* values() {
    yield* content
  }
  return { kind: 'directory', name, values } as Made as FileSystemHandle // the part that is walked
}

const entry = (name: string) =>
  ({
    isFile: true,
    isDirectory: false,
    name,
    fullPath: `/${name}`,
    file: (done: (file: File) => void) => done(new File([name], name)),
  }) as unknown as FileSystemEntry // the part that is walked

async function collect(walk: AsyncIterable<WalkBatch>) {
  const found = { paths: [] as string[], unreadable: [] as string[] }
  for await (const { files, unreadable } of walk) {
    found.paths.push(...files.map(({ path }) => path))
    found.unreadable.push(...unreadable)
  }
  return found
}

test('a drop is walked by its handles, with the paths that its entries have; what cannot be opened is named', async () => {
  const gone = fileHandle('GONE', () => Promise.reject(new Error('gone')))
  const disc = folderHandle('disc', [fileHandle('IM1'), folderHandle('deep', [fileHandle('IM2'), gone])])
  const found = await collect(walkDropped(Promise.resolve([disc, fileHandle('IM3')]), [entry('other')]))
  expect(found).toEqual({ paths: ['disc/IM1', 'disc/deep/IM2', 'IM3'], unreadable: ['disc/deep/GONE'] })
})

test('a drop without handles is walked by its entries', async () => {
  expect(await collect(walkDropped(Promise.resolve([]), [entry('IM1')]))).toEqual({ paths: ['IM1'], unreadable: [] })
})
