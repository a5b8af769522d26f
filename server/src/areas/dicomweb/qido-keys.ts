/** An attribute that a search can match or ask back, and where the index keeps it. Source: PS3.18 §10.6.1. */
export interface QidoKey {
  tag: string
  keyword: string
  vr: string
  column: string
  /** How a value matches: text with wildcards, one or several UIDs, a date or time range, a number, a list column. */
  match: 'text' | 'name' | 'uid' | 'range' | 'number' | 'list'
}

export const studyKeys: readonly QidoKey[] = [
  key('00080020', 'StudyDate', 'DA', 's.study_date', 'range'),
  key('00080030', 'StudyTime', 'TM', 's.study_time', 'range'),
  key('00080050', 'AccessionNumber', 'SH', 's.accession_number', 'text'),
  key('00080061', 'ModalitiesInStudy', 'CS', 's.modalities', 'list'),
  key('00080090', 'ReferringPhysicianName', 'PN', 's.referring_physician', 'text'),
  key('00081030', 'StudyDescription', 'LO', 's.study_description', 'text'),
  key('00100010', 'PatientName', 'PN', 's.patient_name', 'name'),
  key('00100020', 'PatientID', 'LO', 's.patientid', 'text'),
  key('00100021', 'IssuerOfPatientID', 'LO', 's.issuer', 'text'),
  key('00100030', 'PatientBirthDate', 'DA', 's.patient_birth_date', 'range'),
  key('00100040', 'PatientSex', 'CS', 's.patient_sex', 'text'),
  key('0020000D', 'StudyInstanceUID', 'UI', 's.study_uid', 'uid'),
]

export const seriesKeys: readonly QidoKey[] = [
  key('00080060', 'Modality', 'CS', 'e.modality', 'text'),
  key('0008103E', 'SeriesDescription', 'LO', 'e.description', 'text'),
  key('00080021', 'SeriesDate', 'DA', 'e.series_date', 'range'),
  key('00080031', 'SeriesTime', 'TM', 'e.series_time', 'range'),
  key('00180015', 'BodyPartExamined', 'CS', 'e.body_part', 'text'),
  key('0020000E', 'SeriesInstanceUID', 'UI', 'e.series_uid', 'uid'),
  key('00200011', 'SeriesNumber', 'IS', 'e.series_number', 'number'),
]

export const instanceKeys: readonly QidoKey[] = [
  key('00080016', 'SOPClassUID', 'UI', 'i.sop_class', 'uid'),
  key('00080018', 'SOPInstanceUID', 'UI', 'i.sop_uid', 'uid'),
  key('00200013', 'InstanceNumber', 'IS', 'i.instance_number', 'number'),
  key('00280008', 'NumberOfFrames', 'IS', 'i.frames', 'number'),
  key('00280010', 'Rows', 'US', 'i.rows', 'number'),
  key('00280011', 'Columns', 'US', 'i.columns', 'number'),
]

function key(tag: string, keyword: string, vr: string, column: string, match: QidoKey['match']): QidoKey {
  return { tag, keyword, vr, column, match }
}
