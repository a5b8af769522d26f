import { expect, it } from 'vitest'
import { createDiskSpace, DiskReserveError, type Measure, reserveOf } from './disk-space.ts'

const megabyte = 1024 ** 2
const gigabyte = 1024 ** 3

/** Disks by folder: total and free bytes, files left. */
function measureOf(disks: Record<string, readonly [total: number, free: number, files?: number]>): Measure {
  return async (folder) => {
    const disk = disks[folder]
    if (!disk) throw Object.assign(new Error('none'), { code: 'ENOENT' })
    const [total, free, ffree = 1_000_000] = disk
    return { bsize: 1, blocks: total, bavail: free, files: 2_000_000, ffree }
  }
}
const levelOf = async (...disk: [number, number, number?]) =>
  (await createDiskSpace(['a'], measureOf({ a: disk })).look()).level

it('calls a disk low below a fifth, very low below a tenth, and full where the reserve begins', async () => {
  for (const total of [600 * megabyte, 20 * gigabyte, 300 * gigabyte, 40_000 * gigabyte]) {
    const reserve = reserveOf(total)
    expect(await levelOf(total, total * 0.21)).toBe('ample')
    expect(await levelOf(total, total * 0.19)).toBe('low')
    expect(await levelOf(total, reserve - 1)).toBe('full')
    expect(await levelOf(total, 0)).toBe('full')
    expect(await levelOf(total, reserve + 1)).toBe(reserve < total / 10 ? 'very-low' : 'low')
    expect(await levelOf(total, total, 10)).toBe('full')
  }
})

it('keeps between half a gigabyte and five, of a small disk a tenth', () => {
  expect([0.1, 1, 10, 100, 1000, 100_000].map((total) => reserveOf(total * gigabyte) / gigabyte)).toEqual([
    0.01, 0.1, 0.5, 2, 5, 5,
  ])
})

it('goes by the fullest of its disks, and lets nothing in where one is full', async () => {
  const ample = [gigabyte, gigabyte / 2] as const
  const full = [gigabyte, 1] as const
  await createDiskSpace(['a', 'none'], measureOf({ a: ample })).assertRoom()
  for (const disks of [
    { a: ample, b: full },
    { a: full, b: ample },
  ]) {
    const space = createDiskSpace(['a', 'b'], measureOf(disks))
    expect(await space.look()).toMatchObject({ level: 'full', freeBytes: 1 })
    await expect(space.assertRoom()).rejects.toThrow(DiskReserveError)
  }
})

it('asks the system once for many who ask at a time', async () => {
  let asked = 0
  const measure: Measure = async () => {
    asked += 1
    return { bsize: 1, blocks: 100, bavail: 90, files: 0, ffree: 0 }
  }
  const space = createDiskSpace(['a'], measure)
  await Promise.all(Array.from({ length: 100 }, () => space.assertRoom()))
  expect(asked).toBe(1)
})
