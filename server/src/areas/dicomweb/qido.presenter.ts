import type { DicomJson, JsonAttribute, JsonPersonName, JsonValue } from '@hilum/dicom/json'
import type { InstanceMatch, SeriesMatch, StudyMatch } from './qido.sql.ts'

/** Attributes that a search at study level gives back. Source: PS3.18 Table 10.6.3-3. */
export function presentStudyMatch(match: StudyMatch): DicomJson {
  return sorted({
    '00080005': attribute('CS', 'ISO_IR 192'),
    '00080020': attribute('DA', match.study_date),
    '00080030': attribute('TM', match.study_time),
    '00080050': attribute('SH', match.accession_number),
    '00080056': attribute('CS', 'ONLINE'),
    '00080061': list('CS', match.modalities),
    '00080090': personName(match.referring_physician),
    '00081030': attribute('LO', match.study_description),
    '00081190': attribute('UR', addressOf(match)),
    '00100010': personName(match.patient_name),
    '00100020': attribute('LO', match.patientid),
    '00100021': attribute('LO', match.issuer),
    '00100030': attribute('DA', match.patient_birth_date),
    '00100040': attribute('CS', match.patient_sex),
    '0020000D': attribute('UI', match.study_uid),
    '00201206': attribute('IS', match.series_count),
    '00201208': attribute('IS', match.image_count),
  })
}

/** Series attributes, beside those of the study when the search spans studies. Source: PS3.18 Table 10.6.3-4. */
export function presentSeriesMatch(match: SeriesMatch, isWithStudy: boolean): DicomJson {
  return sorted({
    ...(isWithStudy ? presentStudyMatch(match) : { '0020000D': attribute('UI', match.study_uid) }),
    '00080005': attribute('CS', 'ISO_IR 192'),
    '00080060': attribute('CS', match.modality),
    '00080021': attribute('DA', match.series_date),
    '00080031': attribute('TM', match.series_time),
    '0008103E': attribute('LO', match.description),
    '00081190': attribute('UR', `${addressOf(match)}/series/${match.series_uid}`),
    '00180015': attribute('CS', match.body_part),
    '0020000E': attribute('UI', match.series_uid),
    '00200011': attribute('IS', match.series_number),
    '00201209': attribute('IS', match.series_images),
  })
}

/** Instance attributes. Source: PS3.18 Table 10.6.3-5. */
export function presentInstanceMatch(match: InstanceMatch, isWith: { study: boolean; series: boolean }): DicomJson {
  return sorted({
    ...(isWith.series ? presentSeriesMatch(match, isWith.study) : {}),
    '00080005': attribute('CS', 'ISO_IR 192'),
    '00080016': attribute('UI', match.sop_class),
    '00080018': attribute('UI', match.sop_uid),
    '00080056': attribute('CS', 'ONLINE'),
    '00081190': attribute('UR', `${addressOf(match)}/series/${match.series_uid}/instances/${match.sop_uid}`),
    '00083002': attribute('UI', match.transfer_syntax),
    '0020000D': attribute('UI', match.study_uid),
    '0020000E': attribute('UI', match.series_uid),
    '00200013': attribute('IS', match.instance_number),
    ...(match.frames > 1 ? { '00280008': attribute('IS', match.frames) } : {}),
    ...(match.rows === null ? {} : { '00280010': attribute('US', match.rows) }),
    ...(match.columns === null ? {} : { '00280011': attribute('US', match.columns) }),
  })
}

export function attribute(vr: string, value: string | number | null): JsonAttribute {
  return value === '' || value === null ? { vr } : { vr, Value: [value] }
}

/** The three component groups of a name, apart. Source: PS3.18 F.2.2. */
export function personName(text: string): JsonAttribute {
  if (text === '') return { vr: 'PN' }
  const [Alphabetic, Ideographic, Phonetic] = text.split('=')
  const groups: JsonPersonName = {
    ...(Alphabetic ? { Alphabetic } : {}),
    ...(Ideographic ? { Ideographic } : {}),
    ...(Phonetic ? { Phonetic } : {}),
  }
  return { vr: 'PN', Value: [groups] }
}

function list(vr: string, values: readonly JsonValue[]): JsonAttribute {
  return values.length === 0 ? { vr } : { vr, Value: [...values] }
}
function addressOf(match: StudyMatch): string {
  return `/dicomweb/${match.phi_namespace}/studies/${match.study_uid}`
}
function sorted(json: DicomJson): DicomJson {
  return Object.fromEntries(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)))
}
