import type { DicomJson, JsonAttribute, JsonPersonName, JsonValue } from '@hilum/dicom/json'
import { findVr } from '@hilum/dicom/dictionary'
import type { ElementEdit } from '@hilum/dicom/splice'
import { tagToHex } from '@hilum/dicom/tags'
import { correctionOf } from '../altered/record-edits.ts'
import { type QidoLevel, requiredFromHeader } from './qido-keys.ts'
import type { InstanceMatch, SeriesMatch, StudyMatch } from './qido.sql.ts'

/** The parts of a match's answer beside those that the index keeps. */
export interface MatchPresentation {
  /** Scheme and host of the addresses, e.g. `https://hilum.example`. */
  origin: string
  /** The image's header. */
  header: DicomJson
  /** Attributes of it that were asked for, as eight hex digits. */
  fields: readonly string[]
}

/** Attributes that a search at study level gives back. Source: PS3.18 Table 10.6.3-3. */
export function presentStudyMatch(match: StudyMatch, shown: MatchPresentation): DicomJson {
  return sorted({ ...fromHeader(match, shown, 'studies'), ...studyAttributes(match, shown.origin) })
}

/** Series attributes, beside those of the study when the search spans studies. Source: PS3.18 Table 10.6.3-4. */
export function presentSeriesMatch(match: SeriesMatch, isWithStudy: boolean, shown: MatchPresentation): DicomJson {
  return sorted({
    ...fromHeader(match, shown, 'series'),
    ...(isWithStudy ? studyAttributes(match, shown.origin) : {}),
    ...seriesAttributes(match, shown.origin),
  })
}

/** Instance attributes. Source: PS3.18 Table 10.6.3-5. */
export function presentInstanceMatch(
  match: InstanceMatch,
  isWith: { study: boolean; series: boolean },
  shown: MatchPresentation,
): DicomJson {
  return sorted({
    ...fromHeader(match, shown, 'instances'),
    ...(isWith.study ? studyAttributes(match, shown.origin) : {}),
    ...(isWith.series ? seriesAttributes(match, shown.origin) : {}),
    '00080005': attribute('CS', 'ISO_IR 192'),
    '00080016': attribute('UI', match.sop_class),
    '00080018': attribute('UI', match.sop_uid),
    '00080056': availability(match),
    '00081190': attribute(
      'UR',
      `${addressOf(match, shown.origin)}/series/${match.series_uid}/instances/${match.sop_uid}`,
    ),
    '00083002': attribute('UI', match.transfer_syntax),
    '0020000D': attribute('UI', match.study_uid),
    '0020000E': attribute('UI', match.series_uid),
    '00200013': attribute('IS', match.instance_number),
    ...(match.frames > 1 ? { '00280008': attribute('IS', match.frames) } : {}),
    ...(match.rows === null ? {} : { '00280010': attribute('US', match.rows) }),
    ...(match.columns === null ? {} : { '00280011': attribute('US', match.columns) }),
  })
}

function studyAttributes(match: StudyMatch, origin: string): DicomJson {
  return {
    '00080005': attribute('CS', 'ISO_IR 192'),
    '00080020': attribute('DA', match.study_date),
    '00080030': attribute('TM', match.study_time),
    '00080050': attribute('SH', match.accession_number),
    '00080056': availability(match),
    '00080061': list('CS', match.modalities),
    '00080090': personName(match.referring_physician),
    '00081030': attribute('LO', match.study_description),
    '00081190': attribute('UR', addressOf(match, origin)),
    '00100010': personName(match.patient_name),
    '00100020': attribute('LO', match.patientid),
    '00100021': attribute('LO', match.issuer),
    '00100030': attribute('DA', match.patient_birth_date),
    '00100040': attribute('CS', match.patient_sex),
    '0020000D': attribute('UI', match.study_uid),
    '00201206': attribute('IS', match.series_count),
    '00201208': attribute('IS', match.image_count),
  }
}

function seriesAttributes(match: SeriesMatch, origin: string): DicomJson {
  return {
    '00080005': attribute('CS', 'ISO_IR 192'),
    '00080021': attribute('DA', match.series_date),
    '00080031': attribute('TM', match.series_time),
    '00080060': attribute('CS', match.modality),
    '0008103E': attribute('LO', match.description),
    '00081190': attribute('UR', `${addressOf(match, origin)}/series/${match.series_uid}`),
    '00180015': attribute('CS', match.body_part),
    '0020000D': attribute('UI', match.study_uid),
    '0020000E': attribute('UI', match.series_uid),
    '00200011': attribute('IS', match.series_number),
    '00201209': attribute('IS', match.series_images),
  }
}

/** Attributes from the header: the required ones that no index keeps, and those asked for, as the record has them. */
function fromHeader(match: StudyMatch, { header, fields }: MatchPresentation, level: QidoLevel): DicomJson {
  const json: DicomJson = level === 'studies' ? { '00200010': { vr: 'SH' } } : {}
  const asked = new Set([...requiredFromHeader[level], ...fields])
  for (const tag of asked) if (header[tag]) json[tag] = header[tag]
  for (const edit of correctionOf({ ...match, mixed_patients: false })?.edits ?? []) {
    const tag = tagToHex(edit.tag)
    if (asked.has(tag)) json[tag] = attributeOf(edit)
    for (const dropped of edit.drops ?? []) delete json[tagToHex(dropped)]
  }
  return json
}

function attributeOf({ tag, new: text, isMultiple }: ElementEdit): JsonAttribute {
  const vr = findVr(tag)
  const values = isMultiple ? text.split('\\') : [text]
  if (vr !== 'PN') return text === '' ? { vr } : { vr, Value: vr === 'DS' ? values.map(Number) : values }
  return text === '' ? { vr } : { vr, Value: values.flatMap((value) => personName(value).Value ?? []) }
}

function availability({ thin }: StudyMatch): JsonAttribute {
  return attribute('CS', thin ? 'UNAVAILABLE' : 'ONLINE')
}

function attribute(vr: string, value: string | number | null): JsonAttribute {
  return value === '' || value === null ? { vr } : { vr, Value: [value] }
}

/** The three component groups of a name, apart. Source: PS3.18 F.2.2. */
function personName(text: string): JsonAttribute {
  const [Alphabetic, Ideographic, Phonetic] = text.split('=')
  const groups: JsonPersonName = {
    ...(Alphabetic ? { Alphabetic } : {}),
    ...(Ideographic ? { Ideographic } : {}),
    ...(Phonetic ? { Phonetic } : {}),
  }
  return Object.keys(groups).length === 0 ? { vr: 'PN' } : { vr: 'PN', Value: [groups] }
}

function list(vr: string, values: readonly JsonValue[]): JsonAttribute {
  return values.length === 0 ? { vr } : { vr, Value: [...values] }
}
function addressOf(match: StudyMatch, origin: string): string {
  return `${origin}/dicomweb/${match.phi_namespace}/studies/${match.study_uid}`
}
function sorted(json: DicomJson): DicomJson {
  return Object.fromEntries(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)))
}
