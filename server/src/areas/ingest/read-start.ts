import { crc32 } from 'node:zlib'
import { inflate } from '@hilum/dicom/node/inflate'
import { lacksFileStart } from '@hilum/dicom/file-start'
import { type DicomHeader, readHeader } from '@hilum/dicom/read'
import type { ReadErrorCode } from '@hilum/dicom/read-error'
import { factsOfHeader, type ImageFacts } from '../storage/image-facts.ts'

/** The facts from the beginning of an image that are needed to take it in. */
export interface BodyStart {
  facts: ImageFacts
  pixelOffset: number | undefined
  /** Where the data set begins in a file that came without preamble or group 0002, or under the name of another syntax. */
  bareStart: number | undefined
  /** Of the preamble; undefined when the file has none. */
  preambleCrc: number | undefined
  /** Of the bytes in front of the pixel data; 0 without pixel data. */
  prefixCrc: number
  /** Of the bytes in front of `bareStart`. */
  bareCrc: number | undefined
  transferSyntax: string
  dataSet: Pick<DicomHeader['dataSet'], 'encoding'>
}

export type StartRead = { kind: 'start'; start: BodyStart } | { kind: 'need-more'; atLeastBytes: number }
/** The answer of a thread: errors do not keep their class on the way. */
export type ThreadAnswer = (StartRead | { kind: 'refused'; code: ReadErrorCode; message: string }) & {
  /** The bytes that were read, given back. */
  buffer: ArrayBuffer
}

/** As much of a deflated header as of any other: what it grows to is held in memory. */
export const maxInflatedHeader = 64 * 1024 * 1024

/** Reads it in the thread of the caller. @throws DicomReadError */
export function readStart(bytes: Uint8Array, size: number, mostInflated: number): StartRead {
  const read = readHeader(bytes, { size, inflate: (input) => inflate(input, mostInflated) })
  if (read.kind === 'need-more') return read
  const { pixelOffset, transferSyntax, dataSet, dataSetStart } = read.header
  const bareStart = lacksFileStart(bytes, read.header) ? dataSetStart : undefined
  const start = {
    facts: factsOfHeader(read.header),
    pixelOffset,
    bareStart,
    preambleCrc: hasPreamble(bytes) ? crc32(bytes.subarray(0, 128)) : undefined,
    prefixCrc: pixelOffset === undefined ? 0 : crc32(bytes.subarray(0, pixelOffset)),
    bareCrc: bareStart === undefined ? undefined : crc32(bytes.subarray(0, bareStart)),
    transferSyntax,
    dataSet: { encoding: dataSet.encoding },
  }
  return { kind: 'start', start }
}

function hasPreamble({ buffer, byteOffset, length }: Uint8Array): boolean {
  return Buffer.from(buffer, byteOffset, length).subarray(128, 132).equals(Buffer.from('DICM'))
}
