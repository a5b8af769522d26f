import { expect, it, vi } from 'vitest'
import type { Services } from '../../services.ts'
import type { DiskLevel } from '../../outbound/storage/disk-space.ts'
import { tendDisk } from './tend-disk.command.ts'

/** A disk whose level the test sets, and what tending it logs and does with the room kept aside. */
function makeSite(hasBallast = true) {
  let level: DiskLevel = 'ample'
  const look = async () => ({ level, freeBytes: 5, totalBytes: 100, reserveBytes: 7 })
  const [warn, error, reserve] = [vi.fn<(line: object) => void>(), vi.fn<(line: object) => void>(), vi.fn()]
  let isThere = true
  const release = vi.fn<() => boolean>(() => {
    const wasThere = isThere
    isThere = false
    return wasThere
  })
  const services = { disk: { look }, log: { warn, error }, ...(hasBallast ? { ballast: { reserve, release } } : {}) }
  const tend = async (now: DiskLevel) => {
    level = now
    await tendDisk(services as unknown as Services)
  }
  const levelsOf = (log: typeof warn) => log.mock.calls.map(([line]) => (line as { room?: string }).room)
  return { tend, warned: () => levelsOf(warn), failed: () => levelsOf(error), reserve, release }
}

it('logs each change of the level once, a full disk as an error, and nothing while there is room', async () => {
  const { tend, warned, failed } = makeSite(false)
  for (const level of ['ample', 'ample', 'low', 'low', 'very-low', 'full', 'full', 'very-low', 'ample'] as const)
    await tend(level)
  expect(warned()).toEqual(['low', 'very-low', 'very-low', 'ample'])
  expect(failed()).toEqual(['full'])
})

it('a disk that is full at the first look is told at once', async () => {
  const { tend, failed } = makeSite(false)
  await tend('full')
  expect(failed()).toEqual(['full'])
})

it('keeps room aside while there is some, and gives it up once the disk is full, on record once', async () => {
  const { tend, failed, reserve, release } = makeSite()
  await tend('ample')
  await tend('very-low')
  expect(reserve.mock.calls).toEqual([[7], [7]])
  expect(release).not.toHaveBeenCalled()
  await tend('full')
  await tend('full')
  expect(reserve).toHaveBeenCalledTimes(2)
  expect(failed()).toEqual(['full', undefined])
})
