import { useSession } from './session-store.ts'
import { forgetNotes } from './upload-notes.ts'

/*
 * Uploads under way, so that a page that was loaded again goes on with them: the browser's own handles of the chosen
 * folders and files, in IndexedDB. Of patients and exams nothing is stored (docs/decisions/0020).
 */

/** Days after which an upload that nobody took up again is forgotten. */
const storedDays = 7
const dayMs = 86_400_000
const databaseName = 'hilum-uploads'
const storeName = 'uploads'

export interface StoredUpload {
  /** Random, and the name of the lock that the page holds in which the upload runs. */
  key: string
  /** The uuid of a person who was signed in, or the digest of a link's secret. */
  owner: string
  /** None where the browser gave none: then the folder is chosen again. */
  handles: readonly FileSystemHandle[]
  /** The place of the upload; undefined for an upload by a link. */
  destination: { groupId: string; namespaceId: string; name: string } | undefined
  /** Digests of the UIDs of the chosen studies. */
  studies: readonly string[]
  /** Digests of the keys of series that were left out of them. */
  leftOut?: readonly string[]
  /** `weakDigestOf` the UIDs of the studies whose MRN was typed. */
  typed?: readonly string[]
  /** Nothing was typed or answered about the patients, so that nothing needs to be asked again. */
  isPlain: boolean
  startedMs: number
}

/** Whether this browser remembers uploads at all: on https or this very computer. */
export const storesUploads = () => 'indexedDB' in globalThis && 'locks' in navigator

/** Stores an upload, and holds its lock until it is forgotten or the page is left. */
export async function storeUpload(upload: StoredUpload): Promise<void> {
  if (!storesUploads()) return
  holdLock(upload.key)
  await change((store) => store.put(upload))
}

/** Forgets an upload: it has ended, or nobody wants it any more. */
export async function forgetUpload(key: string): Promise<void> {
  if (!storesUploads()) return
  await change((store) => store.delete(key))
  letGo.get(key)?.()
}

/** Interrupted uploads of somebody, the last one first. Those in a running page of this browser are left out. */
export async function listInterrupted(owner: string): Promise<StoredUpload[]> {
  if (!storesUploads()) return []
  const { held = [] } = await navigator.locks.query()
  const running = new Set(held.map(({ name }) => name))
  const all = await readAll()
  return all
    .filter((one) => one.owner === owner && !isOld(one) && !running.has(lockOf(one.key)))
    .sort((a, b) => b.startedMs - a.startedMs)
}

/** Forgets all uploads but those that `isWanted` names. */
export async function forgetUploads(
  isWanted: (one: { owner: string; destination: object | undefined; startedMs: number }) => boolean = () => false,
): Promise<void> {
  forgetNotes(isWanted)
  if (!storesUploads()) return
  for (const one of await readAll()) if (!isWanted(one)) await forgetUpload(one.key)
}

/** Forgets what is too old, what is another person's once somebody signs in, and everything when somebody signs out. */
export function watchStoredUploads(): void {
  void forgetUploads((one) => !isOld(one))
  let known: string | undefined
  useSession.subscribe(({ state }) => {
    if (state.status === 'signedOut' && state.reason === 'signedOut') void forgetUploads()
    const user = state.status === 'established' ? state.session.user.uuid : undefined
    if (user && user !== known) void forgetUploads((one) => one.destination === undefined || one.owner === user)
    known = user ?? known
  })
}

/** SHA-256 in hex, for what must not be stored as it is. */
export async function hexDigestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const isOld = ({ startedMs }: Pick<StoredUpload, 'startedMs'>) => Date.now() - startedMs > storedDays * dayMs
const lockOf = (key: string) => `hilum-upload-${key}`
const letGo = new Map<string, () => void>()

function holdLock(key: string): void {
  if (letGo.has(key)) return
  void navigator.locks.request(lockOf(key), { ifAvailable: true }, (lock) =>
    lock ? new Promise<void>((resolve) => letGo.set(key, () => void (letGo.delete(key), resolve()))) : undefined,
  )
}

async function readAll(): Promise<StoredUpload[]> {
  try {
    return await inStore<StoredUpload[]>('readonly', (store) => store.getAll())
  } catch {
    return [] // a private window, or a browser that keeps nothing: then nothing can be taken up again
  }
}

async function change(act: (store: IDBObjectStore) => IDBRequest): Promise<void> {
  try {
    await inStore('readwrite', act)
  } catch {
    // as above: the upload itself goes on
  }
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(databaseName, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName, { keyPath: 'key' })
  const database = await settled(opening)
  try {
    const moves = database.transaction(storeName, mode)
    const done = new Promise<void>((resolve, reject) => {
      moves.oncomplete = () => resolve()
      moves.onabort = () => reject(moves.error ?? new Error('The browser stored nothing'))
    })
    const result = await settled(act(moves.objectStore(storeName)))
    await done
    return result
  } finally {
    database.close()
  }
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser stored nothing'))
  })
}
