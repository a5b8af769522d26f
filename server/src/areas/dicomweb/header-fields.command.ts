import { mayTellOfFormer } from '@hilum/dicom/former-patient'
import { type DicomJson, dataSetToJson, type JsonAttribute } from '@hilum/dicom/json'
import { DicomReadError } from '@hilum/dicom/read-error'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Services } from '../../services.ts'
import { asReceived } from '../altered/corrected-instance.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { findHeaders, type HeaderWanted } from './header-location.sql.ts'
import { readOutgoingHeader } from './outgoing-header.ts'
import { requiredFromHeader } from './qido-keys.ts'

/** Headers that one search may open. */
export const maxHeadersRead = 500
const parallelReads = 8
const maxRemembered = 20_000
/** Long values have no place in a list of matches. */
const maxInlineBytes = 256

interface HeaderFields {
  /** For each match what its image's header says of the fields. */
  json: DicomJson[]
  /** Matches whose header was not opened, because there were too many. */
  unread: number
}

/**
 * Attributes that no index keeps, read from the header of one image of each match. The few that every answer carries
 * are remembered, so that a list shown again opens no file.
 * @param fields further attributes as eight hex digits
 */
export async function readHeaderFields(
  services: Services,
  scope: StudyScope,
  matches: readonly HeaderWanted[],
  fields: readonly string[],
): Promise<HeaderFields> {
  const headers = await findHeaders(services.db, scope, matches)
  const remembered = rememberedOf(services)
  const wanted = new Set([...everRequired, ...fields])
  const json: DicomJson[] = matches.map(() => ({}))
  const toRead: [place: number, location: StoredInstance][] = []
  for (const [place, location] of headers) {
    const known = fields.length === 0 ? remembered.get(location.sha256) : undefined
    if (known) json[place] = known
    else toRead.push([place, location])
  }
  const unread = Math.max(0, toRead.length - maxHeadersRead)
  const queue = toRead.slice(0, maxHeadersRead)
  const reader = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [place, location] = next
      const found = await readFields(services, location, wanted)
      json[place] = found
      if (remembered.size >= maxRemembered) remembered.clear()
      remembered.set(location.sha256, pick(found, everRequired))
    }
  }
  await Promise.all(Array.from({ length: parallelReads }, reader))
  return { json: scope.withholdsFormer ? json.map(withoutFormer) : json, unread }
}

/** Images are looked at as they came, so that what a correction leaves out of them is left out whatever was corrected. */
function withoutFormer(json: DicomJson): DicomJson {
  const isShown = ([hex, { vr }]: [string, JsonAttribute]) =>
    // bytes without a VR may be a sequence
    vr !== 'SQ' && vr !== 'UN' && !mayTellOfFormer(Number.parseInt(hex, 16))
  return Object.fromEntries(Object.entries(json).filter(isShown))
}

async function readFields(
  services: Services,
  location: StoredInstance,
  wanted: ReadonlySet<string>,
): Promise<DicomJson> {
  try {
    const { header } = await readOutgoingHeader(location, asReceived(services.store, location))
    const { dataSet } = header
    const elements = new Map(
      [...dataSet.elements].filter(([tag]) => wanted.has(tag.toString(16).toUpperCase().padStart(8, '0'))),
    )
    return dataSetToJson({ ...dataSet, elements }, { maxInlineBytes })
  } catch (error) {
    // a damaged header costs its match these attributes, nothing else
    if (error instanceof DicomReadError) return {}
    throw error
  }
}

const everRequired: ReadonlySet<string> = new Set(Object.values(requiredFromHeader).flat())

function pick(json: DicomJson, tags: ReadonlySet<string>): DicomJson {
  return Object.fromEntries(Object.entries(json).filter(([tag]) => tags.has(tag)))
}

const memories = new WeakMap<Services, Map<string, DicomJson>>()
function rememberedOf(services: Services): Map<string, DicomJson> {
  const known = memories.get(services) ?? new Map<string, DicomJson>()
  memories.set(services, known)
  return known
}
