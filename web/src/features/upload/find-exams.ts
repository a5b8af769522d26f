import { findMissingOnDisc } from './disc-directory.ts'
import { giveTurn } from './give-turn.ts'
import { type ParsedFile, type ParseWorker, parseFiles } from './parse-pool.ts'
import { MOST_UNPACKED_BYTES } from './open-zip.ts'
import type { PickedFile, SkippedFile, SkipReason } from './picked-files.ts'
import { haveSameBytes } from './same-bytes.ts'
import { buildPlan, type FoundInstance, findSameUids, type UploadPlan } from './upload-plan.ts'
import { listAhead, type WalkBatch } from './walk.ts'
import { walkZip, type ZipWorker } from './walk-zip.ts'

/** How far the search is: files seen so far, how many of them were read, how many of those are DICOM. */
export interface FindProgress {
  seen: number
  read: number
  instances: number
}

export interface ScannedExams {
  plan: UploadPlan
  skipped: SkippedFile[]
  /** Files among the skipped ones that are no DICOM at all, but may be pictures or documents. */
  others: PickedFile[]
  /** Paths of the ZIP files whose content was read. */
  zips?: readonly string[]
  /** The DICOM files behind the plan, with copies among them, for joining what is chosen later. */
  instances?: readonly FoundInstance[]
}

interface FindOptions {
  onProgress: (progress: FindProgress) => void
  /** Found before: what is read now joins it, but for files that were read then. */
  before?: ScannedExams | undefined
  signal?: AbortSignal
  makeWorker?: () => ParseWorker
  makeZipWorker?: () => ZipWorker
  workers?: number
  /** Of all ZIPs together. */
  mostUnpackedBytes?: number
}

/** More workers than this only wait for the disc. */
const MOST_WORKERS = 4

/**
 * Reads everything that was chosen. Each file ends either in the plan or, with its reason, in `skipped`.
 * @throws the signal's reason when the person stops the search
 */
export async function findExams(walk: AsyncIterable<WalkBatch>, options: FindOptions): Promise<ScannedExams> {
  const { before } = options
  const instances: FoundInstance[] = [...(before?.instances ?? [])]
  // which files are copies is found anew among all of them
  const skipped = (before?.skipped ?? []).filter(({ reason }) => reason.kind !== 'duplicate')
  const others: PickedFile[] = [...(before?.others ?? [])]
  const progress = { seen: 0, read: 0, instances: instances.length }
  const isNew = newTo(before)
  const zips: PickedFile[] = []
  const directories: PickedFile[] = []
  const seen = new Set<string>()
  const opened = new Set<string>(before?.zips)
  const zipTerms = { makeWorker: options.makeZipWorker, signal: options.signal }

  async function* listBatches(): AsyncGenerator<PickedFile[]> {
    for await (const { files: listed, unreadable } of listAhead(walk)) {
      const files = listed.filter(isNew)
      progress.seen += files.length + unreadable.length
      progress.read += unreadable.length
      for (const path of unreadable) seen.add(path)
      skipped.push(...unreadable.map((path) => ({ path, sizeBytes: 0, reason: { kind: 'unreadable' } as const })))
      options.onProgress({ ...progress })
      yield files
    }
  }
  /** The files of all ZIPs that were among the files; a ZIP among those stays closed. */
  async function* listZipped(): AsyncGenerator<PickedFile[]> {
    let leftBytes = options.mostUnpackedBytes ?? MOST_UNPACKED_BYTES
    for (const zip of zips) {
      for await (const { files, refused, unpackedBytes, isDocument } of walkZip(zip, { ...zipTerms, leftBytes })) {
        leftBytes -= unpackedBytes
        progress.seen += files.length
        if (files.length > 0) opened.add(zip.path)
        skipped.push(...refused)
        if (isDocument) skipFile(zip, { kind: 'not-dicom' })
        yield files
      }
    }
  }
  function skipFile({ path, file }: PickedFile, reason: SkipReason) {
    skipped.push({ path, sizeBytes: file.size, reason })
    if (reason.kind === 'not-dicom') others.push({ path, file })
    if (reason.kind === 'directory') directories.push({ path, file })
  }
  function takeIn(files: ParsedFile[], isInZip: boolean) {
    for (const { path, file, outcome } of files) {
      seen.add(path)
      if (outcome.kind === 'instance') instances.push({ path, file, header: outcome.header })
      else if (outcome.reason.kind === 'zip' && !isInZip) zips.push({ path, file })
      else skipFile({ path, file }, outcome.reason)
    }
    progress.read += files.length
    progress.instances = instances.length
    options.onProgress({ ...progress })
  }

  const parsing = {
    makeWorker: options.makeWorker ?? startParseWorker,
    workers: options.workers ?? Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 2),
    signal: options.signal,
  }
  await parseFiles(listBatches(), { ...parsing, onParsed: (files) => takeIn(files, false) })
  if (zips.length > 0) await parseFiles(listZipped(), { ...parsing, onParsed: (files) => takeIn(files, true) })
  skipped.push(...(await findMissingOnDisc(directories, seen)))
  await giveTurn()
  instances.sort((a, b) => comparePaths(a.path, b.path))
  await giveTurn()
  const copies = await findCopies(instances)
  skipped.push(...copies.values())
  skipped.sort((a, b) => comparePaths(a.path, b.path))
  others.sort((a, b) => comparePaths(a.path, b.path))
  await giveTurn()
  const plan = buildPlan(instances.filter((one) => !copies.has(one)))
  return { plan, skipped, others, instances, ...(opened.size > 0 ? { zips: [...opened].sort(comparePaths) } : {}) }
}

/** Tells files from those that were read before: by path, size and, where it is known, time of the last change. */
function newTo(before: ScannedExams | undefined): (one: PickedFile) => boolean {
  const read = new Map([...(before?.instances ?? []), ...(before?.others ?? [])].map(({ path, file }) => [path, file]))
  const skipped = new Map((before?.skipped ?? []).map(({ path, sizeBytes }) => [path, sizeBytes]))
  const opened = new Set(before?.zips)
  return ({ path, file }) => {
    const same = read.get(path)
    if (same) return same.size !== file.size || same.lastModified !== file.lastModified
    return skipped.get(path) !== file.size && !opened.has(path)
  }
}

/** Second files with the bytes of a first. Files that share a UID and differ stay: the server keeps both. */
async function findCopies(instances: FoundInstance[]): Promise<Map<FoundInstance, SkippedFile>> {
  const copies = new Map<FoundInstance, SkippedFile>()
  for (const sameUid of findSameUids(instances)) {
    const originals: FoundInstance[] = []
    for (const one of sameUid) {
      const original = await findOriginal(one, originals)
      if (!original) originals.push(one)
      else {
        const { path, file } = one
        copies.set(one, { path, sizeBytes: file.size, reason: { kind: 'duplicate', of: original.path } })
      }
    }
  }
  return copies
}

async function findOriginal(one: FoundInstance, originals: FoundInstance[]) {
  for (const candidate of originals) if (await haveSameBytes(candidate.file, one.file)) return candidate
  return undefined
}

function startParseWorker(): ParseWorker {
  return new Worker(new URL('./parse.worker.ts', import.meta.url), { type: 'module' })
}

/** Plain code-unit order: thousands of paths, and nobody reads them by the rules of a language. */
const comparePaths = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
