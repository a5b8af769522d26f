import { randomKey } from '../api/random-key.ts'

/*
 * Notes of uploads that this browser cannot take up again, to be told after a reload: of files that are no DICOM, and of
 * everything on plain http, where browsers remember no files. No patient, exam or file is named in them.
 */

export interface UploadNote {
  key: string
  /** The uuid of a person who was signed in, or `weakDigestOf` a link's secret. */
  owner: string
  kind: 'dicom' | 'other'
  /** The place of the upload; undefined for an upload by a link. */
  destination: { namespaceId: string; name: string } | undefined
  studyCount: number
  fileCount: number
  sizeBytes: number
  /** `weakDigestOf` the UIDs of the studies whose MRN was typed. */
  typed?: readonly string[]
  startedMs: number
  /** When its page last said that it runs; 0 once the page was left. */
  seenMs: number
}

const storageKey = 'hilum.upload-notes'
/** Days after which nothing is told of an upload any more. */
const notedDays = 7
const dayMs = 86_400_000
const seenEveryMs = 10_000
/**
 * Silence of a page that ended without a word, by a crash, after which its upload counts as interrupted. Browsers let
 * timers of a page that nobody looks at run once a minute.
 */
const silentMs = 150_000

/** Uploads that run in this page, by their keys, with the end of what they say. */
const running = new Map<string, () => void>()

/** Notes an upload that begins, in place of one of the same files to the same place. @returns the way to forget it */
export function noteUpload(upload: Omit<UploadNote, 'key' | 'startedMs' | 'seenMs'>): () => void {
  const note: UploadNote = { ...upload, key: randomKey(), startedMs: Date.now(), seenMs: Date.now() }
  forgetNotes((one) => !isSame(one, note))
  change((all) => [...all, note])
  const say = (seenMs: number) => change((all) => all.map((one) => (one.key === note.key ? { ...one, seenMs } : one)))
  const sayHere = () => say(Date.now())
  const sayLeft = () => say(0)
  const timer = setInterval(sayHere, seenEveryMs)
  window.addEventListener('pagehide', sayLeft)
  window.addEventListener('pageshow', sayHere)
  running.set(note.key, () => {
    clearInterval(timer)
    window.removeEventListener('pagehide', sayLeft)
    window.removeEventListener('pageshow', sayHere)
  })
  return () => forgetNote(note.key)
}

/** Forgets a note: its upload has ended, or nobody wants to hear of it any more. */
export function forgetNote(key: string): void {
  running.get(key)?.()
  running.delete(key)
  change((all) => all.filter((one) => one.key !== key))
}

/** Forgets all notes but those that `isWanted` names. */
export function forgetNotes(isWanted: (one: UploadNote) => boolean): void {
  for (const one of readNotes()) if (!isWanted(one)) forgetNote(one.key)
}

/** Interrupted uploads of somebody of which nothing but a note is there, the last one first. */
export function listNotes(owner: string): UploadNote[] {
  const now = Date.now()
  return readNotes()
    .filter((one) => one.owner === owner && now - one.startedMs < notedDays * dayMs && now - one.seenMs > silentMs)
    .toSorted((a, b) => b.startedMs - a.startedMs)
}

/** Thirteen digits that tell one text from another and not which it is, where browsers digest nothing (plain http). */
export function weakDigestOf(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(16)
}

const isSame = (one: UploadNote, other: UploadNote) =>
  one.owner === other.owner &&
  one.kind === other.kind &&
  one.destination?.namespaceId === other.destination?.namespaceId &&
  one.fileCount === other.fileCount &&
  one.sizeBytes === other.sizeBytes

function readNotes(): UploadNote[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(found) ? (found as UploadNote[]) : [] // written below alone
  } catch {
    return []
  }
}

function change(act: (all: UploadNote[]) => UploadNote[]): void {
  try {
    const notes = act(readNotes())
    if (notes.length === 0) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, JSON.stringify(notes))
  } catch {
    // a browser that keeps nothing: the upload itself goes on
  }
}
