import type { FileSource } from '@hilum/dicom/render/file-source'
import type { ObjectStore, ObjectWriter } from './object-store.ts'
import { StoreError } from './store-error.ts'

/** How long a store may take before it counts as one that does not answer. */
type StoreLimits = {
  /** To give the next piece, or to lend a file. */
  readMs: number
  /** To take a piece, or to begin or remove an object. */
  writeMs: number
  /** To bring objects to disk: gigabytes may wait in memory. */
  finishMs: number
}

const usualLimits: StoreLimits = { readMs: 20_000, writeMs: 60_000, finishMs: 300_000 }

/**
 * A store that answers in time or fails as one that does not: nobody waits for ever. A result that comes too late is
 * let go of.
 */
export function limitStore(store: ObjectStore, limits: Partial<StoreLimits> = {}): ObjectStore {
  const { readMs, writeMs, finishMs } = { ...usualLimits, ...limits }
  const limitWriter = (writer: ObjectWriter): ObjectWriter => ({
    key: writer.key,
    write: (chunks) => inTime(writer.write(chunks), writeMs),
    end: () => inTime(writer.end(), finishMs),
    discard: () => inTime(writer.discard(), writeMs),
  })
  return {
    assertWritable: () => inTime(store.assertWritable(), writeMs),
    begin: async (folder) => limitWriter(await inTime(store.begin(folder), writeMs, (late) => late.discard())),
    restore: async (key) => limitWriter(await inTime(store.restore(key), writeMs, (late) => late.discard())),
    finish: (writers) => inTime(store.finish(writers), finishMs),
    stream: (key, offset, length) => eachInTime(store.stream(key, offset, length), readMs),
    read: (key, offset, length) => inTime(store.read(key, offset, length), readMs),
    open: async (place) => {
      const source = await inTime(store.open(place), readMs, (late) => late[Symbol.asyncDispose]())
      return limitSource(source, readMs)
    },
    useFile: (place, use) => lendInTime(store, place, use, readMs),
    size: (key) => inTime(store.size(key), readMs),
    remove: (key) => inTime(store.remove(key), writeMs),
    // a job, with a limit of its own
    sweep: (before, findReferenced, part) => store.sweep(before, findReferenced, part),
  }
}

function limitSource(source: FileSource, readMs: number): FileSource {
  return { ...source, read: (offset, length) => inTime(source.read(offset, length), readMs) }
}

/** @param letGo of what comes after all */
async function inTime<T>(answer: Promise<T>, ms: number, letGo?: (late: T) => PromiseLike<void>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    reject(new StoreError('slow'))
  }, ms)
  answer.then((late) => (isLate ? letGo?.(late) : undefined)).catch(() => undefined)
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

async function* eachInTime(chunks: AsyncGenerator<Buffer>, ms: number): AsyncGenerator<Buffer> {
  let isSlow = false
  try {
    for (;;) {
      const next = await inTime(chunks.next(), ms).catch((error: unknown) => {
        isSlow = error instanceof StoreError && error.fault === 'slow'
        throw error
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    const ended = chunks.return(undefined)
    // a generator that waits for its store ends only when that answers
    if (isSlow) ended.catch(() => undefined)
    else await ended
  }
}

/** The limit is for the lending; the use takes as long as it takes. */
async function lendInTime<T>(
  store: ObjectStore,
  place: Parameters<ObjectStore['useFile']>[0],
  use: Parameters<typeof store.useFile<T>>[1],
  ms: number,
): Promise<T> {
  const lent = Promise.withResolvers<void>()
  let isLate = false
  const used = store.useFile(place, (file) => {
    if (isLate) throw new StoreError('slow')
    lent.resolve()
    return use(file)
  })
  used.catch(lent.reject)
  await inTime(lent.promise, ms).catch((error: unknown) => {
    isLate = true
    throw error
  })
  return used
}
