import { parseHeader } from './dicom-header.ts'
import type { InstanceHeader } from './instance-header.ts'
import type { SkipReason } from './picked-files.ts'

export type ReadOutcome = { kind: 'instance'; header: InstanceHeader } | { kind: 'skipped'; reason: SkipReason }

/** The part of a File that reading needs. */
export interface ByteSource {
  size: number
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** Enough for nearly every header; a file with large private elements before the UIDs needs more, and gets it. */
const FIRST_READ_BYTES = 64 * 1024
const GROWTH = 8
/** No header is longer than this; what still has no end by here is damaged. */
const LARGEST_READ_BYTES = 256 * 1024 * 1024

/** Reads only as much of a file as its header needs and says what it is. Never throws: a bad file gets a reason. */
export async function readInstance(source: ByteSource): Promise<ReadOutcome> {
  if (source.size === 0) return skipped({ kind: 'empty' })
  for (let wanted = FIRST_READ_BYTES; ; wanted *= GROWTH) {
    const bytes = await readHead(source, wanted)
    if (!bytes) return skipped({ kind: 'unreadable' })
    const isWhole = bytes.length >= source.size
    const parsed = parseHeader(bytes, isWhole)
    if (parsed.kind !== 'needs-more') return judge(parsed)
    if (isWhole || wanted >= LARGEST_READ_BYTES) return skipped({ kind: 'damaged' })
  }
}

function judge(parsed: Exclude<ReturnType<typeof parseHeader>, { kind: 'needs-more' }>): ReadOutcome {
  if (parsed.kind !== 'header') return skipped({ kind: parsed.kind })
  const { header } = parsed
  const names = [
    header.studyUid === '' && 'StudyInstanceUID',
    header.seriesUid === '' && 'SeriesInstanceUID',
    header.sopUid === '' && 'SOPInstanceUID',
  ].filter((name) => name !== false)
  return names.length > 0 ? skipped({ kind: 'missing-uid', names }) : { kind: 'instance', header }
}

const skipped = (reason: SkipReason): ReadOutcome => ({ kind: 'skipped', reason })

/** Undefined when the disc or the file's owner refuses, or the file was taken away since it was chosen. */
async function readHead(source: ByteSource, wanted: number): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await source.slice(0, Math.min(wanted, source.size)).arrayBuffer())
  } catch {
    return undefined
  }
}
