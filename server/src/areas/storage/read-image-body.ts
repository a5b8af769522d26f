import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { StorageError } from '@hilum/contract/storage-errors'
import { EndCheck } from '@hilum/dicom/end-check'
import { FIRST_READ_BYTES } from '@hilum/dicom/limits'
import { inflate } from '@hilum/dicom/node/inflate'
import { type DicomHeader, readHeader } from '@hilum/dicom/read'
import { DicomReadError } from '@hilum/dicom/read-error'
import { crc32OfRest, joinCrc32 } from '../../outbound/storage/crc32.ts'
import type { FileStore, ObjectWriter } from '../../outbound/storage/file-store.ts'
import { freeBytes } from './free-bytes.ts'
import { type ImageFacts, factsOfHeader } from './image-facts.ts'

/** The largest file taken. */
export const MAX_IMAGE_BYTES = 8 * 1024 ** 3
/** Bytes in front of the pixel data that are read into memory to find the header. */
const MAX_HEADER_BYTES = 64 * 1024 * 1024
/** Bytes gathered before one write. */
const WRITE_BYTES = 1024 * 1024

const BLANK_PREAMBLE_CRC = crc32(Buffer.alloc(128))

/** A body read to its end. Up to a megabyte is still in memory, so that a duplicate costs no write. */
export type ReadBody = {
  facts: ImageFacts
  sha256: Buffer
  /** Of the bytes as they came. */
  crc32: number
  /** Of the bytes as they leave: with the preamble blanked. */
  sentCrc32: number
  length: number
  pixelOffset: number | null
  /** Of the bytes from the pixel data on. */
  tailCrc32: number | null
  preambleBlank: boolean
  /** Not yet written. */
  pending: Uint8Array[]
  writer: ObjectWriter | undefined
}

export type BodySource = {
  body: AsyncIterable<Uint8Array>
  /** As announced; undefined when the sender does not know. */
  contentLength: number | undefined
  /** Nobody else reads the chunks, so that those which are written can be freed. */
  ownsBody: boolean
  /** The folder of the store that a study's objects go to. */
  folderOf: (facts: ImageFacts) => string
}

/**
 * Reads a body once: hashes, checks and writes it as it comes, never holding more than a megabyte and the header.
 * @throws StorageError when it is no DICOM instance, is cut short or is too large; nothing stays on disk then
 */
export async function readImageBody(store: FileStore, source: BodySource): Promise<ReadBody> {
  const reading = new BodyReading(store, source)
  try {
    return await reading.run()
  } catch (error) {
    await reading.discard()
    throw error instanceof DicomReadError ? explain(error) : error
  }
}

class BodyReading {
  readonly #store: FileStore
  readonly #source: BodySource
  readonly #hash = createHash('sha256')
  #crc = 0
  #length = 0
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  /** Bytes wanted before the header is tried again. */
  #wanted = FIRST_READ_BYTES
  #start: HeaderOfBody | undefined
  #writer: ObjectWriter | undefined

  constructor(store: FileStore, source: BodySource) {
    this.#store = store
    this.#source = source
  }

  async run(): Promise<ReadBody> {
    const { body, contentLength } = this.#source
    if (contentLength !== undefined && contentLength > MAX_IMAGE_BYTES) throw new StorageError('PAYLOAD_TOO_LARGE')
    for await (const chunk of body) {
      this.#take(chunk)
      if (!this.#start && this.#pendingBytes >= this.#wanted) this.#tryHeader(contentLength ?? Number.MAX_SAFE_INTEGER)
      if (this.#start && this.#pendingBytes >= WRITE_BYTES) await this.#flush(this.#start)
    }
    if (contentLength !== undefined && this.#length !== contentLength) {
      throw new StorageError('BAD_REQUEST', 'The body is shorter or longer than its Content-Length')
    }
    if (!this.#start) this.#tryHeader(this.#length)
    if (!this.#start) throw new DicomReadError('truncated', 'The file ends inside an element')
    this.#start.end.finish()
    return this.#result(this.#start)
  }

  async discard(): Promise<void> {
    await this.#writer?.discard()
  }

  #take(chunk: Uint8Array): void {
    this.#length += chunk.length
    if (this.#length > MAX_IMAGE_BYTES) throw new StorageError('PAYLOAD_TOO_LARGE')
    this.#hash.update(chunk)
    this.#crc = crc32(chunk, this.#crc)
    this.#start?.end.push(chunk)
    this.#pending.push(chunk)
    this.#pendingBytes += chunk.length
  }

  /** Nothing has been written while the header is sought, so the pending bytes are the file's beginning. */
  #tryHeader(size: number): void {
    const bytes = this.#pending.length === 1 ? this.#pending[0] : Buffer.concat(this.#pending)
    if (!bytes) throw new DicomReadError('empty', 'The file is empty')
    this.#pending = [bytes]
    const read = readHeader(bytes, { size, inflate: inflateHeader })
    if (read.kind === 'header') {
      this.#start = describeStart(bytes, read.header)
      return
    }
    if (read.atLeastBytes > MAX_HEADER_BYTES) {
      throw new StorageError('PAYLOAD_TOO_LARGE', `The header of the file is larger than ${MAX_HEADER_BYTES} bytes`)
    }
    this.#wanted = Math.max(read.atLeastBytes, Math.min(bytes.length * 2, MAX_HEADER_BYTES))
  }

  async #flush(start: HeaderOfBody): Promise<void> {
    this.#writer ??= await this.#store.begin(this.#source.folderOf(start.facts))
    const chunks = this.#pending
    this.#pending = []
    this.#pendingBytes = 0
    await this.#writer.write(chunks)
    if (this.#source.ownsBody) freeBytes(chunks)
  }

  #result(start: HeaderOfBody): ReadBody {
    const { facts, pixelOffset, preambleCrc, prefixCrc } = start
    const length = this.#length
    const crc = this.#crc
    return {
      facts,
      sha256: this.#hash.digest(),
      crc32: crc,
      sentCrc32: preambleCrc === undefined ? crc : blankedCrc32(crc, preambleCrc, length),
      length,
      pixelOffset: pixelOffset ?? null,
      tailCrc32: pixelOffset === undefined ? null : crc32OfRest(crc, prefixCrc, length - pixelOffset),
      preambleBlank: preambleCrc === undefined || preambleCrc === BLANK_PREAMBLE_CRC,
      pending: this.#pending,
      writer: this.#writer,
    }
  }
}

type HeaderOfBody = {
  facts: ImageFacts
  pixelOffset: number | undefined
  /** Undefined when the file has no preamble. */
  preambleCrc: number | undefined
  /** Of the bytes in front of the pixel data. */
  prefixCrc: number
  end: EndCheck
}

function describeStart(bytes: Uint8Array, header: DicomHeader): HeaderOfBody {
  const { pixelOffset } = header
  const hasPreamble = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .subarray(128, 132)
    .equals(Buffer.from('DICM'))
  const end = new EndCheck(header)
  end.push(bytes)
  return {
    facts: factsOfHeader(header),
    pixelOffset,
    preambleCrc: hasPreamble ? crc32(bytes.subarray(0, 128)) : undefined,
    prefixCrc: pixelOffset === undefined ? 0 : crc32(bytes.subarray(0, pixelOffset)),
    end,
  }
}

/** As much of a deflated header as of any other: what it grows to is held in memory, and made while nobody else is served. */
function inflateHeader(input: Uint8Array): Uint8Array {
  return inflate(input, MAX_HEADER_BYTES)
}

function blankedCrc32(crc: number, preambleCrc: number, length: number): number {
  return joinCrc32(BLANK_PREAMBLE_CRC, crc32OfRest(crc, preambleCrc, length - 128), length - 128)
}

function explain(error: DicomReadError): StorageError {
  const code = error.code === 'missing-uid' ? 'MISSING_REQUIRED_DICOM_TAG' : 'VALIDATION_ERROR'
  return new StorageError(code, error.message, { reason: error.code }, { cause: error })
}
