import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createBallast } from './ballast.ts'

const megabyte = 1024 ** 2
let free = 0
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  statfsSync: () => ({ bavail: free, blocks: 400 * megabyte, bsize: 1 }),
}))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hilum-ballast-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const file = () => path.join(folder, 'ballast')
const size = () => statSync(file()).size / megabyte

it('is made only where enough stays free, given up in parts when it is needed, and made again', async () => {
  const ballast = createBallast(folder)
  free = 60 * megabyte
  await ballast.reserve(40 * megabyte)
  expect(existsSync(file())).toBe(false)
  free = 100 * megabyte
  await ballast.reserve(40 * megabyte)
  expect(size()).toBe(20)
  expect(ballast.release('to start')).toBe(false)
  free = 10 * megabyte
  expect(ballast.release('to run')).toBe(false)
  free = 1
  const left: number[] = []
  while (ballast.release('to run')) left.push(existsSync(file()) ? size() : 0)
  expect(left).toEqual([15, 10, 5, 0])
  free = 100 * megabyte
  await ballast.reserve(40 * megabyte)
  expect(size()).toBe(20)
})
