import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { DicomReadError } from '@hilum/dicom/read-error'
import { isCached, writeCached } from '../../outbound/files/cached-file.ts'
import type { Services } from '../../services.ts'
import { hasLargeHeader } from '../altered/describe-image.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { correctionFor } from '../altered/correction-to-apply.ts'
import { correctionOf } from '../altered/record-edits.ts'
import { listImages, type RecordKey } from '../storage/record-images.sql.ts'
import { addressOfRecord, tellMetadata } from './instance-metadata.ts'
import { contentsPath, type FileContents, keyOfImage, type StoredTexts, openStoredTexts } from './stored-texts.ts'
import { forgetMetadata, metadataFolder } from '../storage/metadata-place.ts'
import { findMetadataVersion, type MetadataVersion } from './metadata.sql.ts'

/** Raised when metadata is written differently, so that old files are not shown again. */
const writingVersion = 8
/** Headers read ahead while earlier ones are written. */
const readAhead = 16
/** Fast and small enough: a thousand CT headers shrink thirtyfold. */
const gzipLevel = 4
/** Bytes of text that are compressed at once. */
const gatheredBytes = 64 * 1024

/** A list of metadata to write. */
interface Writing {
  record: RecordKey
  version: MetadataVersion
  instances: readonly StoredInstance[]
  /** Scheme and host of the addresses of long values, e.g. `https://hilum.example`; empty for relative addresses. */
  origin: string
  /** Whether nobody waits for it: one header is read at a time, so that others come in between. */
  isAhead: boolean
  /** Keys of images whose header could not be told; they are tried again for the next file. */
  untold: Set<string>
}

/**
 * The metadata of a study, or of one series of it, as one gzip file of DICOM JSON: made once for each state of the
 * images and of the record, then sent as it lies there. Images that an earlier file tells of are not opened again: late
 * images are added to a series, and a study or other addresses are made from the series that were written ahead.
 * @param isAhead written before anybody asks, at leisure
 * @returns the file and its entity tag; undefined when there is no such series
 */
export async function prepareMetadata(
  services: Services,
  record: RecordKey,
  seriesUid: string | undefined,
  origin: string,
  { isAhead = false } = {},
): Promise<{ path: string; etag: string } | undefined> {
  const version = await findMetadataVersion(services.db, record)
  if (!version) return undefined
  const state = stateOfFile(version)
  const pathOf = (name: string) => join(metadataFolder(services, record), `${name}.${state}.json.gz`)
  const name = nameOfFile(record, seriesUid, origin)
  const path = pathOf(name)
  const etag = `"${name.slice(0, 16)}-${state}"`
  if (await isCached(path)) return { path, etag }
  const instances = await listImages(services.db, record, seriesUid ? { seriesUids: [seriesUid] } : {})
  if (instances.length === 0) return undefined
  const written = nameOfFile(record, seriesUid, originAhead(services.config))
  // the job that writes ahead is about to be done with headers that would be read a second time
  if (written !== name) await writing.get(pathOf(written))?.catch(() => undefined)
  await writeOnce(path, () =>
    writeMetadata(services, { record, version, instances, origin, isAhead, untold: new Set() }, path),
  )
  if (await findMetadataVersion(services.db, record)) return { path, etag }
  // purged while it was written
  await forgetMetadata(services, record)
  return undefined
}

/** The addresses with which metadata are written ahead: those that people open, where a setting names them. */
export function originAhead({ publicUrl }: Pick<Services['config'], 'publicUrl'>): string {
  return publicUrl ? new URL(publicUrl).origin : ''
}

function nameOfFile(record: RecordKey, seriesUid: string | undefined, origin: string): string {
  return createHash('sha256')
    .update(JSON.stringify([record.uuid, seriesUid ?? '', origin, ...withheldFrom(record)]))
    .digest('hex')
    .slice(0, 40)
}

function withheldFrom({ withholds_reports, withholds_former }: RecordKey): string[] {
  return [...(withholds_reports ? ['reports'] : []), ...(withholds_former ? ['former'] : [])]
}

/** Everything on which the metadata of an image depend, as a part of tags. */
export function stateOf(version: MetadataVersion, { withholds_former }: Pick<RecordKey, 'withholds_former'>): string {
  return `${stateOfFile(version)}${withholds_former ? 'w' : ''}`
}

function stateOfFile(version: MetadataVersion): string {
  return `${nameOf(version.content_version)}-${formOf(version)}`
}

/** Everything on which the metadata of one image depend, beside its bytes. */
function formOf({ phi_version, mixed_patients, one_accession, one_mrn }: MetadataVersion): string {
  const [mixed, accession, mrn] = [mixed_patients && 'm', one_accession && 'a', one_mrn && 'n'].map((one) => one || '')
  return `${phi_version}-v${writingVersion}${mixed}${accession}${mrn}`
}

/** Of many sources their digest: it stands in the name of a file. */
function nameOf(contentVersion: string): string {
  const isShort = contentVersion.length <= 40
  return isShort ? contentVersion : createHash('sha256').update(contentVersion).digest('hex').slice(0, 40)
}

const writing = new Map<string, Promise<void>>()

/** Several requests for the same file wait for one writer. */
function writeOnce(path: string, write: () => Promise<void>): Promise<void> {
  const running = writing.get(path)
  if (running) return running
  const started = write().finally(() => writing.delete(path))
  writing.set(path, started)
  return started
}

async function writeMetadata(services: Services, wanted: Writing, path: string): Promise<void> {
  const earlier = await openStored(services, wanted, dirname(path))
  try {
    await writeCached(path, compress(textsOf(services, wanted, earlier)), async () => {
      const keys = wanted.instances.map(keyOfImage).map((key) => (wanted.untold.has(key) ? '' : key))
      const contents: FileContents = { form: formOf(wanted.version), keys }
      await writeCached(contentsPath(path), JSON.stringify(contents))
    })
  } finally {
    await earlier.close()
  }
}

/** Earlier metadata of these images, with addresses of this origin. */
async function openStored(services: Services, wanted: Writing, folder: string): Promise<StoredTexts> {
  const { record, version, instances, origin } = wanted
  const from = originAhead(services.config)
  const series = [...new Set(instances.map((one) => one.series_uid))]
  const names = series.flatMap((seriesUid) => [from, origin].map((one) => nameOfFile(record, seriesUid, one)))
  const earlier = await openStoredTexts(folder, names, formOf(version))
  if (from === origin) return earlier
  // a quotation mark inside a value is escaped, so that nothing but an address of ours reads like this
  const [old, now] = [from, origin].map((one) => `"BulkDataURI":"${addressOfRecord(record, one)}/`)
  return {
    ...earlier,
    take: async (key) => {
      const text = await earlier.take(key)
      return (
        text &&
        Buffer.from(
          text.toString('latin1').replaceAll(old ?? '', () => now ?? ''),
          'latin1',
        )
      )
    },
  }
}

/** A JSON list, a line for each instance; no more of it is held than is read ahead. Large ones are not read ahead. */
async function* textsOf(services: Services, wanted: Writing, earlier: StoredTexts): AsyncGenerator<Uint8Array> {
  const { record, version, instances, origin, isAhead, untold } = wanted
  const read = (instance: StoredInstance) =>
    describeInstance(services, record, version, instance, origin, () => untold.add(keyOfImage(instance)))
  const ahead: (() => Promise<Uint8Array>)[] = []
  let separator = '['
  for (let at = 0; at < instances.length; at++) {
    while (ahead.length < (isAhead ? 1 : readAhead)) {
      const next = instances[at + ahead.length]
      if (!next) break
      const key = keyOfImage(next)
      const started = hasLargeHeader(next) || earlier.has(key) ? undefined : read(next)
      started?.catch(() => undefined) // awaited below, in order
      ahead.push(async () => started ?? (await earlier.take(key)) ?? read(next))
    }
    const text = await ahead.shift()?.()
    if (!text) break
    yield Buffer.from(separator)
    yield text
    separator = ',\n'
  }
  yield Buffer.from(']')
}

async function* compress(texts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gathered = Readable.from(gather(texts), { objectMode: true, highWaterMark: 1 })
  // a failure ends the reading below
  yield* pipeline(gathered, createGzip({ level: gzipLevel }), () => undefined) as AsyncIterable<Uint8Array>
}

/** The same bytes in fewer pieces: each piece goes to a thread of its own to be compressed, and back. */
async function* gather(texts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = []
  let bytes = 0
  for await (const text of texts) {
    pieces.push(text)
    bytes += text.length
    if (bytes < gatheredBytes) continue
    yield Buffer.concat(pieces)
    pieces = []
    bytes = 0
  }
  yield Buffer.concat(pieces)
}

/** One instance as the text of a JSON object; of a header that is damaged or cannot be corrected what the index knows. */
export async function describeInstance(
  services: Services,
  record: RecordKey,
  version: MetadataVersion,
  instance: StoredInstance,
  origin: string,
  onDamaged?: () => void,
): Promise<Uint8Array> {
  try {
    return await tellMetadata(services, instance, record, correctionFor(record, correctionOf(version)), origin)
  } catch (error) {
    if (!(error instanceof DicomReadError)) throw error
    onDamaged?.()
    // the attributes of the index are better than losing the whole series for one damaged header
    const known = {
      '00080016': { vr: 'UI', Value: [instance.sop_class] },
      '00080018': { vr: 'UI', Value: [instance.sop_uid] },
      '0020000D': { vr: 'UI', Value: [record.study_uid] },
      '0020000E': { vr: 'UI', Value: [instance.series_uid] },
    }
    return Buffer.from(JSON.stringify(known))
  }
}
