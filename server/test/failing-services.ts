import type { Services } from '../src/services.ts'
import { DatabaseAwayError } from '../src/db/database-away.ts'

/** A database that reads and begins no transaction, as if it had gone away. */
export function withoutCommits(db: Services['db']): Services['db'] {
  const away = { execute: async () => Promise.reject(new DatabaseAwayError('away')) }
  return new Proxy(db, {
    get: (_, name) => {
      if (name === 'transaction') return () => away
      const own: unknown = Reflect.get(db, name)
      return typeof own === 'function' ? own.bind(db) : own
    },
  })
}

/** A store that begins no object, with the code of the fault: ENOSPC of a full disk. */
export function withoutRoom(store: Services['store'], code = 'ENOSPC'): Services['store'] {
  const failing = async () => {
    throw Object.assign(new Error(code), { code })
  }
  return { ...store, begin: failing }
}
