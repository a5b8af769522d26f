import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { DicomReadError } from '@hilum/dicom/read-error'
import type { StudyAccess } from '../../access/study-access.ts'
import type { Services } from '../../services.ts'
import { noteCacheUse } from '../pictures/cache-use.ts'
import { hasLargeHeader } from '../altered/describe-image.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { correctionOf } from '../altered/record-edits.ts'
import { listImages } from '../storage/record-images.sql.ts'
import { tellMetadata } from './instance-metadata.ts'
import { metadataFolder } from '../storage/metadata-place.ts'
import { findMetadataVersion, type MetadataVersion } from './metadata.sql.ts'

/** Raised when metadata is written differently, so that old files are not shown again. */
const writingVersion = 5
/** Headers read ahead while earlier ones are written. */
const readAhead = 16
/** Fast and small enough: a thousand CT headers shrink thirtyfold. */
const gzipLevel = 4

/**
 * The metadata of a study, or of one series of it, as one gzip file of DICOM JSON: made once for each state of the
 * images and of the record, then sent as it lies there.
 * @returns the file and its entity tag; undefined when there is no such series
 */
export async function prepareMetadata(
  services: Services,
  access: StudyAccess,
  seriesUid: string | undefined,
  origin: string,
): Promise<{ path: string; etag: string } | undefined> {
  const { record } = access
  const version = await findMetadataVersion(services.db, record)
  if (!version) return undefined
  const name = createHash('sha256')
    .update(JSON.stringify([record.uuid, seriesUid ?? '', origin]))
    .digest('hex')
    .slice(0, 40)
  const state = stateOf(version)
  const path = join(metadataFolder(services, record), `${name}.${state}.json.gz`)
  const etag = `"${name.slice(0, 16)}-${state}"`
  if (await isThere(path)) return { path, etag }
  const instances = await listImages(services.db, record, seriesUid ? { seriesUids: [seriesUid] } : {})
  if (instances.length === 0) return undefined
  await writeOnce(path, () => writeMetadata(services, access, version, instances, path, origin))
  return { path, etag }
}

/** Everything on which the metadata depend, as a part of names and tags. */
export function stateOf({ content_version, phi_version, mixed_patients }: MetadataVersion): string {
  return `${nameOf(content_version)}-${phi_version}-v${writingVersion}${mixed_patients ? 'm' : ''}`
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

async function writeMetadata(
  services: Services,
  access: StudyAccess,
  version: MetadataVersion,
  instances: readonly StoredInstance[],
  path: string,
  origin: string,
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await pipeline(
      Readable.from(jsonOf(services, access, version, instances, origin)),
      createGzip({ level: gzipLevel }),
      createWriteStream(draft, { mode: 0o600 }),
    )
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** A JSON list, an instance at a time; nothing of it is held longer than that. Large ones are not read ahead. */
async function* jsonOf(
  services: Services,
  access: StudyAccess,
  version: MetadataVersion,
  instances: readonly StoredInstance[],
  origin: string,
): AsyncGenerator<string | Uint8Array> {
  const read = (instance: StoredInstance) => describeInstance(services, access, version, instance, origin)
  const ahead: (() => Promise<Uint8Array>)[] = []
  let separator = '['
  for (let at = 0; at < instances.length; at++) {
    while (ahead.length < readAhead) {
      const next = instances[at + ahead.length]
      if (!next) break
      const started = hasLargeHeader(next) ? undefined : read(next)
      started?.catch(() => undefined) // awaited below, in order
      ahead.push(() => started ?? read(next))
    }
    const text = await ahead.shift()?.()
    if (!text) break
    yield separator
    yield text
    separator = ','
  }
  yield ']'
}

/** One instance as the text of a JSON object; of a header that is damaged or cannot be corrected what the index knows. */
export async function describeInstance(
  services: Services,
  { record }: StudyAccess,
  version: MetadataVersion,
  instance: StoredInstance,
  origin: string,
): Promise<Uint8Array> {
  try {
    return await tellMetadata(services, instance, record, correctionOf(version), origin)
  } catch (error) {
    if (!(error instanceof DicomReadError)) throw error
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

async function isThere(path: string): Promise<boolean> {
  try {
    await noteCacheUse({ utimes: (at, now) => utimes(path, at, now) }, await stat(path))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
