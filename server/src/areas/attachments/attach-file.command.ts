import { createHash } from 'node:crypto'
import { StorageError } from '@hilum/contract/storage-errors'
import type { Caller } from '../../access/caller.ts'
import type { Services } from '../../services.ts'
import { drawHtml, HTML_TELLING_BYTES, isHtml, MAX_HTML_BYTES } from '../document/draw-html.ts'
import type { StoredAttachment } from './attachment.sql.ts'
import { type AttachedRecord, storeAttachment } from './store-attachment.command.ts'
import { safeFilename } from '../storage/safe-filename.ts'
import { scanned } from '../ingest/scan-body.ts'
import { staticAttachmentId } from '../storage/static-ids.ts'

interface AttachOptions {
  /** Of a file that is HTML a PDF is attached in its place. */
  isHtmlToPdf: boolean
  /** The id comes of the content and of the study; the same file again is the same attachment. */
  isStatic: boolean
}

interface AttachedFile {
  attachment: StoredAttachment
  /** Where the PDF cannot show all of the HTML: how many characters, and the HTML, attached as well so that nothing is lost. */
  undrawn?: { characters: number; original: StoredAttachment }
}

/** Attaches a file to a study record. @throws StorageError; nothing is attached then */
export async function attachFile(
  services: Services,
  caller: Caller,
  record: AttachedRecord,
  file: { name: string; body: AsyncIterable<Uint8Array> },
  { isHtmlToPdf, isStatic }: AttachOptions,
): Promise<AttachedFile> {
  const store = (one: typeof file, content?: string) =>
    storeAttachment(services, caller, record, {
      ...one,
      ...(isStatic ? { idOf: (sha256: string) => staticAttachmentId(record, content ?? sha256) } : {}),
    })
  if (!isHtmlToPdf) return { attachment: await store(file) }
  const { start, body } = await beginReading(file.body)
  if (!isHtml(file.name, start)) return { attachment: await store({ name: file.name, body }) }
  const html = await collect(scanned(services, body))
  const name = safeFilename(file.name)
  const title = name.replace(/\.x?html?$/i, '')
  const { bytes, undrawn } = await drawHtml(html, title, caller.userUuid)
  const original = undrawn > 0 ? await store({ name, body: once(html) }) : undefined
  // by the content that was sent: how a PDF is made of it may change
  const content = `pdf of ${createHash('sha256').update(html).digest('hex')}`
  const attachment = await store({ name: `${title}.pdf`, body: once(bytes) }, content)
  return { attachment, ...(original ? { undrawn: { characters: undrawn, original } } : {}) }
}

/** The first bytes of a body, and the body whole. */
async function beginReading(body: AsyncIterable<Uint8Array>) {
  const reading = body[Symbol.asyncIterator]()
  const taken: Uint8Array[] = []
  let length = 0
  while (length < HTML_TELLING_BYTES) {
    const next = await reading.next()
    if (next.done) break
    taken.push(next.value)
    length += next.value.length
  }
  return {
    start: Buffer.concat(taken).subarray(0, HTML_TELLING_BYTES),
    body: (async function* () {
      yield* taken
      for (let next = await reading.next(); !next.done; next = await reading.next()) yield next.value
    })(),
  }
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const taken: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > MAX_HTML_BYTES) {
      const megabytes = MAX_HTML_BYTES / 1024 / 1024
      throw new StorageError('PAYLOAD_TOO_LARGE', `HTML of more than ${megabytes} MB cannot be made a PDF of`)
    }
    taken.push(chunk)
  }
  return Buffer.concat(taken)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
