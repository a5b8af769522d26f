import { describe, expect, it } from 'vitest'
import { indexInstance } from './instance-index.ts'
import { FIRST_READ_BYTES, READ_GROWTH_FACTOR } from './limits.ts'
import { type CorpusFile, isCorpusMissing, listCorpus, readCorpusFile } from './node/corpus.ts'
import { inflate } from './node/inflate.ts'
import { type DicomHeader, readHeader } from './read.ts'
import { EndCheck } from './end-check.ts'
import { DicomReadError } from './read-error.ts'

/** The outcome for files that the standard leaves open; acceptance.md says why. */
const openCases: Record<string, string> = {
  'malformed/ExplVR_BigEndNoMeta.dcm': 'accept',
  'malformed/missing-sop-class.dcm': 'missing-uid',
  'malformed/uid-too-long.dcm': 'accept',
  'malformed/uid-with-letters.dcm': 'accept',
  'malformed/uid-path-traversal.dcm': 'unusable-uid',
  'malformed/uid-surrounding-blanks.dcm': 'accept',
  'malformed/meta-declares-implicit.dcm': 'accept',
  'malformed/missing-transfer-syntax.dcm': 'accept',
  'malformed/private-transfer-syntax.dcm': 'accept',
  'malformed/preamble-exe.dcm': 'accept',
  'malformed/no-preamble-with-meta.dcm': 'accept',
  'malformed/trailing-garbage.dcm': 'accept',
  'malformed/nested-20000-levels.dcm': 'too-deep',
  'malformed/out-of-order-elements.dcm': 'malformed',
  'malformed/duplicate-elements.dcm': 'accept',
  'malformed/command-group-in-dataset.dcm': 'accept',
  'malformed/encapsulated-no-delimiter.dcm': 'truncated',
  'malformed/uncompressed-declared-jpeg.dcm': 'accept',
  'malformed/deflate-bomb-200mb.dcm': 'accept',
  'malformed/collisions/duplicate-conflict-2.dcm': 'accept',
  'malformed/collisions/one-study-two-patients-2.dcm': 'accept',
}

const files = listCorpus().filter((file) => !file.path.startsWith('media/zip/'))

describe.skipIf(isCorpusMissing)('reading every file of the corpus', () => {
  it('takes what is to be taken and refuses the rest with a reason, from the whole file', () => {
    const wrong = files
      .map((file) => [file.path, readWhole(file), wanted(file)])
      .filter(([, got, want]) => !agrees(got, want))
    expect(wrong).toEqual([])
  })

  it('decides alike from the first 64 KB and the stream behind it', () => {
    const wrong = files
      .map((file) => [file.path, readGrowing(file), wanted(file)])
      .filter(([, got, want]) => !agrees(got, want))
    expect(wrong).toEqual([])
  })

  it('reads the identifiers that the manifest names', () => {
    const wrong: unknown[] = []
    for (const file of files.filter((file) => file.expected === 'accept' && file.sop_uid)) {
      const header = headerOf(readCorpusFile(file.path))
      const index = indexInstance(header)
      const got = [
        index.studyUid,
        index.seriesUid,
        index.sopInstanceUid,
        index.sopClassUid,
        index.modality,
        index.rows ?? '',
      ]
      const want = [
        file.study_uid,
        file.series_uid,
        file.sop_uid,
        file.sop_class,
        (file.modality ?? '').toUpperCase(),
        file.rows,
      ]
      if (got.map(String).join('|') !== want.join('|')) wrong.push([file.path, got, want])
    }
    expect(wrong).toEqual([])
  })
})

function headerOf(bytes: Uint8Array): DicomHeader {
  const read = readHeader(bytes, { inflate })
  if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
  return read.header
}

function readWhole(file: CorpusFile): string {
  return outcome(() => {
    headerOf(readCorpusFile(file.path))
  })
}

function readGrowing(file: CorpusFile): string {
  const bytes = readCorpusFile(file.path)
  return outcome(() => {
    let length = FIRST_READ_BYTES
    for (;;) {
      const read = readHeader(bytes.subarray(0, length), { size: bytes.length, inflate })
      if (read.kind === 'header') {
        const check = new EndCheck(read.header)
        for (let offset = 0; offset < bytes.length; offset += 1000) check.push(bytes.subarray(offset, offset + 1000))
        check.finish()
        return
      }
      if (length >= bytes.length) throw new Error('Asked for more than there is')
      length = Math.max(length * READ_GROWTH_FACTOR, read.atLeastBytes)
    }
  })
}

function outcome(read: () => void): string {
  try {
    read()
    return 'accept'
  } catch (error) {
    if (error instanceof DicomReadError) return error.code
    throw error
  }
}

function wanted(file: CorpusFile): string {
  if (file.expected !== 'either') return file.expected
  return openCases[file.path] ?? (file.path.startsWith('media/') ? 'directory' : 'undecided')
}

function agrees(got: string | undefined, want: string | undefined): boolean {
  return want === 'reject' ? got !== 'accept' : got === want
}
