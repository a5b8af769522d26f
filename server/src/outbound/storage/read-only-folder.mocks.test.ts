import type * as fs from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { createFileStore } from './file-store.ts'

/** The system's errors below a folder that is mounted read-only, where root may write anywhere else. */
const says = vi.hoisted(() => ({ ofFolders: 'ENOENT', ofFiles: 'EROFS' }))

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof fs>()
  const fail = (code: string, path: unknown) => Object.assign(new Error(`${code}: ${String(path)}`), { code })
  return {
    ...actual,
    mkdir: vi.fn(async (path: string) => {
      if (path === '/objects') return undefined
      throw fail(says.ofFolders, path)
    }),
    open: vi.fn(async (path: string) => {
      if (says.ofFiles === '') return { close: async () => undefined }
      throw fail(says.ofFiles, path)
    }),
  }
})

it.each([
  ['the folder is read-only', { ofFolders: 'ENOENT', ofFiles: 'EROFS' }, 'EROFS'],
  ['the folder is somebody else’s', { ofFolders: 'ENOENT', ofFiles: 'EACCES' }, 'EACCES'],
  ['the folder can be written, and something else is wrong', { ofFolders: 'ENOTDIR', ofFiles: '' }, 'ENOTDIR'],
])('an object that cannot be begun says why: %s', async (_, said, code) => {
  Object.assign(says, said)
  await expect(createFileStore('/objects').begin('account/namespace/study')).rejects.toMatchObject({ code })
})
