/** An attribute that a search can match, and where the index keeps it. Source: PS3.18 §10.6.1. */
export interface QidoKey {
  tag: string
  keyword: string
  vr: string
  column: string
  /** How a value matches. `folded` is a name that the index keeps without case and accents already. */
  match: 'text' | 'identifier' | 'exact' | 'name' | 'folded' | 'uid' | 'range' | 'number' | 'list'
}

export type QidoLevel = 'studies' | 'series' | 'instances'

const studyKeys: readonly QidoKey[] = [
  key('00080020', 'StudyDate', 'DA', 's.study_date', 'range'),
  key('00080030', 'StudyTime', 'TM', 's.study_time', 'range'),
  key('00080050', 'AccessionNumber', 'SH', 's.accession_number', 'exact'),
  key('00080061', 'ModalitiesInStudy', 'CS', 's.modalities', 'list'),
  key('00080090', 'ReferringPhysicianName', 'PN', 's.referring_physician', 'name'),
  key('00081030', 'StudyDescription', 'LO', 's.study_description', 'text'),
  key('00100010', 'PatientName', 'PN', 's.search', 'folded'),
  key('00100020', 'PatientID', 'LO', 's.patientid', 'identifier'),
  key('00100021', 'IssuerOfPatientID', 'LO', 's.issuer', 'text'),
  key('00100030', 'PatientBirthDate', 'DA', 's.patient_birth_date', 'range'),
  key('00100040', 'PatientSex', 'CS', 's.patient_sex', 'text'),
  key('0020000D', 'StudyInstanceUID', 'UI', 's.study_uid', 'uid'),
]

const seriesKeys: readonly QidoKey[] = [
  key('00080060', 'Modality', 'CS', 'e.modality', 'text'),
  key('0008103E', 'SeriesDescription', 'LO', 'e.description', 'text'),
  key('00080021', 'SeriesDate', 'DA', 'e.series_date', 'range'),
  key('00080031', 'SeriesTime', 'TM', 'e.series_time', 'range'),
  key('00180015', 'BodyPartExamined', 'CS', 'e.body_part', 'text'),
  key('0020000E', 'SeriesInstanceUID', 'UI', 'e.series_uid', 'uid'),
  key('00200011', 'SeriesNumber', 'IS', 'e.series_number', 'number'),
]

const instanceKeys: readonly QidoKey[] = [
  key('00080016', 'SOPClassUID', 'UI', 'i.sop_class', 'uid'),
  key('00080018', 'SOPInstanceUID', 'UI', 'i.sop_uid', 'uid'),
  key('00200013', 'InstanceNumber', 'IS', 'i.instance_number', 'number'),
  key('00280008', 'NumberOfFrames', 'IS', 'i.frames', 'number'),
  key('00280010', 'Rows', 'US', 'i.rows', 'number'),
  key('00280011', 'Columns', 'US', 'i.columns', 'number'),
]

/** Attributes that a search at each level can match: its own and those of the levels above. */
export const keysOfLevel: Readonly<Record<QidoLevel, readonly QidoKey[]>> = {
  studies: studyKeys,
  series: [...studyKeys, ...seriesKeys],
  instances: [...studyKeys, ...seriesKeys, ...instanceKeys],
}

const madeForAnswers = ['00080005', '00080056', '00081190', '00083002', '00201206', '00201208', '00201209']
const indexed = new Set([...keysOfLevel.instances.map((one) => one.tag), ...madeForAnswers])

/** Attributes that every answer has from the index, or that are made for it. */
export function isIndexed(tag: string): boolean {
  return indexed.has(tag)
}

/** Attributes of an answer that no index keeps: they are read from an image's header. Source: PS3.18 Tables 10.6.3-3 … -5. */
export const requiredFromHeader: Readonly<Record<QidoLevel, readonly string[]>> = {
  studies: ['00080201', '00200010'],
  series: ['00080201', '00400244', '00400245', '00400275'],
  instances: ['00080201', '00280100'],
}

/** Beside those: what `includefield` may ask for at a level, all of it by `includefield=all`. Source: PS3.3 C.7.1–C.7.3. */
const studyFields = `00080051 00080096 00081032 00081048 00081049 00081060 00081062 00081080 00081084 00081110 00100022 00100024
  00100032 00101000 00101001 00101002 00101005 00101010 00101020 00101021 00101030 00101040 00101060 00101090 00102000 00102110
  00102160 00102180 001021A0 001021B0 001021C0 001021F0 00102203 00104000 00120062 00120063 00200010 00321032 00380010`
const seriesFields = `00080064 00080070 00080080 00080081 0008010F 00081010 00081040 00081050 00081070 00081090 00081111 00081250
  00181000 00181020 00181030 00185100 00200052 00200060 00201040 00400244 00400245 00400253 00400254 00400260 00400275`
const instanceFields = `00080008 00080012 00080013 00080022 00080023 00080032 00080033 00082111 00180050 00180088 00200012 00200032
  00200037 00201041 00204000 00280002 00280004 00280006 00280030 00280034 00280100 00280101 00280102 00280103 00280301 00281050
  00281051 00281052 00281053 00281054 00282110`

const list = (text: string): string[] => text.split(/\s+/)
export const fieldsOfLevel: Readonly<Record<QidoLevel, ReadonlySet<string>>> = {
  studies: new Set(list(studyFields)),
  series: new Set([...list(studyFields), ...list(seriesFields)]),
  instances: new Set([...list(studyFields), ...list(seriesFields), ...list(instanceFields)]),
}

function key(tag: string, keyword: string, vr: string, column: string, match: QidoKey['match']): QidoKey {
  return { tag, keyword, vr, column, match }
}
