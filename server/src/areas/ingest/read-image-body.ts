import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { StorageError } from '@hilum/contract/storage-errors'
import { EndCheck } from '@hilum/dicom/end-check'
import { FIRST_READ_BYTES } from '@hilum/dicom/limits'
import { DicomReadError } from '@hilum/dicom/read-error'
import { crc32OfRest, joinCrc32 } from '../../outbound/storage/crc32.ts'
import type { ObjectStore, ObjectWriter } from '../../outbound/storage/object-store.ts'
import { MOST_BYTES_HERE, readStartApart, readStartHere } from './body-start.ts'
import type { BodyStart, StartRead } from './read-start.ts'
import { freeBytes } from '../../outbound/storage/free-bytes.ts'
import { GatheredBytes } from './gathered-bytes.ts'
import { HeaderMemory, type HeaderPlace, SMALL_HEADER_BYTES } from './header-memory.ts'
import type { ImageFacts } from '../storage/image-facts.ts'

/** The largest file taken. */
export const MAX_IMAGE_BYTES = 8 * 1024 ** 3
/** Bytes in front of the pixel data that are read into memory to find the header. */
const MAX_HEADER_BYTES = 64 * 1024 * 1024
/** Bytes gathered before one write. */
const WRITE_BYTES = 1024 * 1024

/** Of all uploads of this process. */
const headerMemory = new HeaderMemory()

const BLANK_PREAMBLE_CRC = crc32(Buffer.alloc(128))

/** A body read to its end. Up to a megabyte is still in memory, so that a duplicate costs no write. */
export type ReadBody = {
  facts: ImageFacts
  sha256: Buffer
  /** Reckoned when asked for, since a duplicate needs none; not to be asked for once `pending` was freed. */
  sums: () => BodySums
  length: number
  pixelOffset: number | null
  preambleBlank: boolean
  /** Where the data set begins in a file that came without preamble or group 0002. */
  bareStart: number | null
  /** Not yet written. */
  pending: Uint8Array[]
  writer: ObjectWriter | undefined
}

type BodySums = {
  /** CRC-32 of the bytes as they came. */
  crc32: number
  /** Of the bytes as they leave: with the preamble blanked. */
  sentCrc32: number
  /** Of the bytes from the pixel data on. */
  tailCrc32: number | null
}

type BodySource = {
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
export async function readImageBody(store: ObjectStore, source: BodySource): Promise<ReadBody> {
  const reading = new BodyReading(store, source)
  try {
    return await reading.run()
  } catch (error) {
    await reading.discard()
    throw error instanceof DicomReadError ? explain(error) : error
  } finally {
    reading.releaseHeader()
  }
}

class BodyReading {
  readonly #store: ObjectStore
  readonly #source: BodySource
  readonly #hash = createHash('sha256')
  /** Of the bytes that are written. */
  #crc = 0
  #length = 0
  /** The beginning of a file with a large header, until it is written. */
  #beginning: GatheredBytes | undefined
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  /** Bytes wanted before the header is tried again. */
  #wanted = FIRST_READ_BYTES
  #start: HeaderOfBody | undefined
  /** While a large header is gathered. */
  #place: HeaderPlace | undefined
  #writer: ObjectWriter | undefined

  constructor(store: ObjectStore, source: BodySource) {
    this.#store = store
    this.#source = source
  }

  async run(): Promise<ReadBody> {
    const { body, contentLength } = this.#source
    if (contentLength !== undefined && contentLength > MAX_IMAGE_BYTES) throw new StorageError('PAYLOAD_TOO_LARGE')
    for await (const chunk of body) {
      this.#take(chunk)
      if (!this.#start && this.#pendingBytes >= this.#wanted)
        await this.#tryHeader(contentLength ?? Number.MAX_SAFE_INTEGER)
      if (!this.#start && this.#pendingBytes > SMALL_HEADER_BYTES) await this.#holdPlace()
      if (this.#start && this.#pendingBytes >= WRITE_BYTES) await this.#flush(this.#start)
    }
    if (contentLength !== undefined && this.#length !== contentLength) {
      throw new StorageError('BAD_REQUEST', 'The body is shorter or longer than its Content-Length')
    }
    if (!this.#start) await this.#tryHeader(this.#length)
    if (!this.#start) throw new DicomReadError('truncated', 'The file ends inside an element')
    if (this.#pendingBytes >= WRITE_BYTES) await this.#flush(this.#start)
    this.#start.end.finish()
    return this.#result(this.#start)
  }

  async discard(): Promise<void> {
    await this.#writer?.discard()
  }

  releaseHeader(): void {
    this.#place?.release()
    this.#place = undefined
  }

  async #holdPlace(): Promise<void> {
    this.#place ??= await headerMemory.take()
    this.#place.demandInTime()
  }

  #take(chunk: Uint8Array): void {
    this.#length += chunk.length
    if (this.#length > MAX_IMAGE_BYTES) throw new StorageError('PAYLOAD_TOO_LARGE')
    this.#hash.update(chunk)
    this.#start?.end.push(chunk)
    this.#pending.push(chunk)
    this.#pendingBytes += chunk.length
    if (!this.#start && this.#pendingBytes > MOST_BYTES_HERE) this.#gather()
  }

  async #tryHeader(size: number): Promise<void> {
    if (this.#length === 0) throw new DicomReadError('empty', 'The file is empty')
    const read = this.#readHere(size) ?? (await readStartApart(this.#gather(), size))
    if (read.kind === 'start') {
      if (this.#beginning) this.#pending = [this.#beginning.bytes]
      this.#start = describeStart(read.start)
      for (const chunk of this.#pending) this.#start.end.push(chunk)
      this.releaseHeader()
      return
    }
    if (read.atLeastBytes > MAX_HEADER_BYTES) {
      throw new StorageError('PAYLOAD_TOO_LARGE', `The header of the file is larger than ${MAX_HEADER_BYTES} bytes`)
    }
    this.#wanted = Math.max(read.atLeastBytes, Math.min(this.#length * 2, MAX_HEADER_BYTES))
  }

  /** Undefined where reading the header would keep other requests waiting. */
  #readHere(size: number): StartRead | undefined {
    if (this.#beginning) return undefined
    const bytes = this.#pending.length === 1 && this.#pending[0] ? this.#pending[0] : Buffer.concat(this.#pending)
    this.#pending = [bytes]
    return readStartHere(bytes, size)
  }

  /** Nothing is written while the header is sought, so that all that came is the file's beginning. */
  #gather(): GatheredBytes {
    const size = this.#source.contentLength ?? MAX_IMAGE_BYTES
    this.#beginning ??= new GatheredBytes(Math.min(size, MAX_HEADER_BYTES + WRITE_BYTES))
    for (const chunk of this.#pending) this.#beginning.push(chunk)
    if (this.#source.ownsBody) freeBytes(this.#pending)
    this.#pending = []
    return this.#beginning
  }

  async #flush(start: HeaderOfBody): Promise<void> {
    this.#writer ??= await this.#store.begin(this.#source.folderOf(start.facts))
    const chunks = this.#pending
    this.#pending = []
    this.#pendingBytes = 0
    this.#crc = crcOf(chunks, this.#crc)
    await this.#writer.write(chunks)
    if (this.#source.ownsBody) freeBytes(chunks)
    this.#beginning?.free()
    this.#beginning = undefined
  }

  #result(start: HeaderOfBody): ReadBody {
    const { facts, pixelOffset, preambleCrc, bareStart } = start
    return {
      facts,
      sha256: this.#hash.digest(),
      sums: () => sumsOf(crcOf(this.#pending, this.#crc), start, this.#length),
      length: this.#length,
      pixelOffset: pixelOffset ?? null,
      bareStart: bareStart ?? null,
      preambleBlank: preambleCrc === undefined || preambleCrc === BLANK_PREAMBLE_CRC,
      pending: this.#pending,
      writer: this.#writer,
    }
  }
}

type HeaderOfBody = Omit<BodyStart, 'transferSyntax' | 'dataSet'> & { end: EndCheck }

function describeStart({ transferSyntax, dataSet, ...start }: BodyStart): HeaderOfBody {
  return { ...start, end: new EndCheck({ pixelOffset: start.pixelOffset, transferSyntax, dataSet }) }
}

function crcOf(chunks: readonly Uint8Array[], before: number): number {
  return chunks.reduce((crc, chunk) => crc32(chunk, crc), before)
}

function sumsOf(crc: number, start: HeaderOfBody, length: number): BodySums {
  const { pixelOffset, prefixCrc } = start
  return {
    crc32: crc,
    sentCrc32: sentCrc32(crc, start, length),
    tailCrc32: pixelOffset === undefined ? null : crc32OfRest(crc, prefixCrc, length - pixelOffset),
  }
}

/** Of the stored bytes that leave: with a blanked preamble, or the data set alone where a new beginning is written. */
function sentCrc32(crc: number, { bareStart, bareCrc, preambleCrc }: HeaderOfBody, length: number): number {
  if (bareStart !== undefined && bareCrc !== undefined) return crc32OfRest(crc, bareCrc, length - bareStart)
  return preambleCrc === undefined ? crc : blankedCrc32(crc, preambleCrc, length)
}

function blankedCrc32(crc: number, preambleCrc: number, length: number): number {
  return joinCrc32(BLANK_PREAMBLE_CRC, crc32OfRest(crc, preambleCrc, length - 128), length - 128)
}

function explain(error: DicomReadError): StorageError {
  const code = error.code === 'missing-uid' ? 'MISSING_REQUIRED_DICOM_TAG' : 'VALIDATION_ERROR'
  return new StorageError(code, error.message, { reason: error.code }, { cause: error })
}
