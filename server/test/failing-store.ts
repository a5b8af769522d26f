import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectStore } from '../src/outbound/storage/object-store.ts'
import { explainReading } from '../src/outbound/storage/store-error.ts'

export type StoreTrouble =
  /** Never answers. */
  | 'silent'
  /** Answers late, and rightly. */
  | 'slow'
  /** Says that it has no such object. */
  | 'empty'
  /** The system says no. */
  | 'broken'
  /** Gives the bytes of another object. */
  | 'mixed up'

export type FailingStore = ObjectStore & {
  trouble: StoreTrouble | undefined
  /** The object whose bytes are given for those of every other. */
  other: string
}

/** Later than any store on a disk. */
const LATE_MS = 250

/** A store with what a store may have: set `trouble`. */
export function failingStore(store: ObjectStore): FailingStore {
  const never = new Promise<never>(() => undefined)
  const refused = (code: string) => explainReading(Object.assign(new Error(code), { code, syscall: 'read' }))
  /** The key to ask for, once the trouble has had its say. */
  const through = async (key: string): Promise<string> => {
    if (failing.trouble === 'silent') await never
    if (failing.trouble === 'slow') await sleep(LATE_MS)
    if (failing.trouble === 'empty') throw refused('ENOENT')
    if (failing.trouble === 'broken') throw refused('EIO')
    return failing.trouble === 'mixed up' ? failing.other : key
  }
  const failing: FailingStore = {
    ...store,
    trouble: undefined,
    other: '',
    begin: async (folder) => {
      await through(folder)
      return store.begin(folder)
    },
    restore: async (key) => store.restore(await through(key)),
    read: async (key, offset, length) => store.read(await through(key), offset, length),
    stream: async function* (key, offset, length) {
      yield* store.stream(await through(key), offset, length)
    },
    open: async (place) => store.open({ ...place, object_key: await through(place.object_key) }),
    useFile: async (place, use) => store.useFile({ ...place, object_key: await through(place.object_key) }, use),
    size: async (key) => store.size(await through(key)),
  }
  return failing
}
