import { join } from 'node:path'
import { isDraft, removeCached } from '../../outbound/files/cached-file.ts'
import { walkFiles } from '../../outbound/storage/walk-files.ts'
import type { Services } from '../../services.ts'

/** Swept down to this share of what is allowed, so that the next picture does not call for the next sweep. */
const FILL = 0.9
/** Files used this lately may be on their way to somebody. */
const IN_USE_MS = 10 * 60_000
/** Files are ordered by steps of their last use, so that a million of them need no list in memory. */
const STEP_MS = 10 * 60_000
/** A draft this old was left by a process that ended. */
const DRAFT_MS = 86_400_000

type Swept = { files: number; bytes: number }

/**
 * Keeps thumbnails and metadata made ahead within what the settings allow: those that were not used for longest go
 * first, and are made again when somebody asks. A reader that has a file open keeps it.
 */
export async function sweepCaches(
  { config, log, metrics }: Pick<Services, 'config' | 'log' | 'metrics'>,
  now: Date,
): Promise<Swept> {
  const folder = join(config.dataFolder, 'cache')
  const swept: Swept = { files: 0, bytes: 0 }
  const remove = async (path: string, size: number) => {
    await removeCached(path)
    swept.files += 1
    swept.bytes += size
  }
  const usedIn = new Map<number, number>()
  let total = 0
  for await (const { path, size, mtimeMs } of walkFiles(folder)) {
    if (isDraft(path)) {
      if (mtimeMs + DRAFT_MS < now.getTime()) await remove(path, size)
      continue
    }
    const step = Math.floor(mtimeMs / STEP_MS)
    usedIn.set(step, (usedIn.get(step) ?? 0) + size)
    total += size
  }
  let held = total
  if (total > config.cacheBytes) {
    const last = findLastStep(usedIn, total - config.cacheBytes * FILL)
    for await (const { path, size, mtimeMs } of walkFiles(folder)) {
      const step = Math.floor(mtimeMs / STEP_MS)
      if (isDraft(path) || step > last.step || mtimeMs + IN_USE_MS > now.getTime()) continue
      if (step === last.step && last.bytes <= 0) continue
      if (step === last.step) last.bytes -= size
      await remove(path, size)
      held -= size
    }
  }
  metrics.cacheBytes.set({ state: 'held' }, held)
  metrics.cacheBytes.set({ state: 'removed' }, swept.bytes)
  if (swept.files > 0) log.info({ event: 'caches swept', ...swept })
  return swept
}

/** The step up to which files must go, and how many bytes of that step itself. */
function findLastStep(usedIn: ReadonlyMap<number, number>, excess: number): { step: number; bytes: number } {
  let rest = excess
  for (const [step, bytes] of [...usedIn].toSorted(([one], [other]) => one - other)) {
    if (bytes >= rest) return { step, bytes: rest }
    rest -= bytes
  }
  return { step: Number.POSITIVE_INFINITY, bytes: 0 }
}
