import type { JsonValue } from '@hilum/dicom/json'
import { describe, expect, it } from 'vitest'
import type { StudyEdit } from '../altered/study-edit.ts'
import { presentInstanceMatch, presentSeriesMatch, presentStudyMatch } from './qido.presenter.ts'
import type { InstanceMatch } from './qido.sql.ts'

const match: InstanceMatch = {
  phi_namespace: 'place',
  storage_namespace: 'store',
  study_key: 1,
  study_uid: '1',
  study_date: '20260301',
  study_time: '1200',
  accession_number: 'A1',
  referring_physician: 'Roe^R',
  study_description: 'HEAD',
  patient_name: 'Yamada^Tarou=山田^太郎=やまだ^たろう',
  patientid: '4711',
  issuer: 'NORTH',
  patient_birth_date: '19700203',
  patient_sex: 'F',
  modalities: ['CT', 'SR'],
  thin: false,
  edits: [],
  series_count: 2,
  image_count: 3,
  modality: 'CT',
  description: 'Axial',
  series_date: '20260302',
  series_time: '1300',
  body_part: 'HEAD',
  series_uid: '1.2',
  series_number: 4,
  series_images: 5,
  sop_class: 'class',
  sop_uid: '1.2.3',
  instance_number: 6,
  frames: 7,
  rows: 64,
  columns: 32,
  transfer_syntax: 'syntax',
}
const shown = { origin: 'https://hilum.example', header: {}, fields: [] }
const values = (vr: string, ...all: JsonValue[]) => ({ vr, Value: all })
const edit = (tag: StudyEdit['tag'], old: string, now: string): StudyEdit => ({
  tag,
  old,
  new: now,
  who: 'ann',
  when: '2026-03-01T00:00:00Z',
})

const studyAttributes = {
  '00080005': values('CS', 'ISO_IR 192'),
  '00080020': values('DA', '20260301'),
  '00080030': values('TM', '1200'),
  '00080050': values('SH', 'A1'),
  '00080056': values('CS', 'ONLINE'),
  '00080061': values('CS', 'CT', 'SR'),
  '00080090': values('PN', { Alphabetic: 'Roe^R' }),
  '00081030': values('LO', 'HEAD'),
  '00081190': values('UR', 'https://hilum.example/dicomweb/place/studies/1'),
  '00100010': values('PN', { Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎', Phonetic: 'やまだ^たろう' }),
  '00100020': values('LO', '4711'),
  '00100021': values('LO', 'NORTH'),
  '00100030': values('DA', '19700203'),
  '00100040': values('CS', 'F'),
  '0020000D': values('UI', '1'),
  '00201206': values('IS', 2),
  '00201208': values('IS', 3),
}
const seriesAttributes = {
  '00080005': values('CS', 'ISO_IR 192'),
  '00080021': values('DA', '20260302'),
  '00080031': values('TM', '1300'),
  '00080060': values('CS', 'CT'),
  '0008103E': values('LO', 'Axial'),
  '00081190': values('UR', 'https://hilum.example/dicomweb/place/studies/1/series/1.2'),
  '00180015': values('CS', 'HEAD'),
  '0020000D': values('UI', '1'),
  '0020000E': values('UI', '1.2'),
  '00200011': values('IS', 4),
  '00201209': values('IS', 5),
}
const instanceAttributes = {
  '00080005': values('CS', 'ISO_IR 192'),
  '00080016': values('UI', 'class'),
  '00080018': values('UI', '1.2.3'),
  '00080056': values('CS', 'ONLINE'),
  '00081190': values('UR', 'https://hilum.example/dicomweb/place/studies/1/series/1.2/instances/1.2.3'),
  '00083002': values('UI', 'syntax'),
  '0020000D': values('UI', '1'),
  '0020000E': values('UI', '1.2'),
  '00200013': values('IS', 6),
  '00280008': values('IS', 7),
  '00280010': values('US', 64),
  '00280011': values('US', 32),
}

describe('a match of a search', () => {
  it('for studies has the required attributes, in the order of their tags', () => {
    const json = presentStudyMatch(match, shown)
    expect(json).toEqual({ ...studyAttributes, '00200010': { vr: 'SH' } })
    expect(Object.keys(json)).toEqual(Object.keys(json).toSorted())
  })

  it('for series has those of the study too when the search spans studies', () => {
    expect(presentSeriesMatch(match, false, shown)).toEqual(seriesAttributes)
    const both = presentSeriesMatch(match, true, shown)
    expect(both).toEqual({ ...studyAttributes, ...seriesAttributes })
    expect(Object.keys(both)).toEqual(Object.keys(both).toSorted())
  })

  it('for instances has those of the levels above that the search spans', () => {
    const both = (study: boolean, series: boolean) => presentInstanceMatch(match, { study, series }, shown)
    expect(both(false, false)).toEqual(instanceAttributes)
    expect(both(false, true)).toEqual({ ...seriesAttributes, ...instanceAttributes })
    expect(both(true, true)).toEqual({ ...studyAttributes, ...seriesAttributes, ...instanceAttributes })
    expect(Object.keys(both(true, true))).toEqual(Object.keys(both(true, true)).toSorted())
  })

  it('has empty attributes where a value is not known', () => {
    const empty = { study_date: '', patient_name: '', modalities: [], referring_physician: '=' }
    expect(presentStudyMatch({ ...match, ...empty }, shown)).toEqual({
      ...studyAttributes,
      '00080020': { vr: 'DA' },
      '00080061': { vr: 'CS' },
      '00080090': { vr: 'PN' },
      '00100010': { vr: 'PN' },
      '00200010': { vr: 'SH' },
    })
    expect(presentSeriesMatch({ ...match, series_number: null }, false, shown)['00200011']).toEqual({ vr: 'IS' })
    expect(presentSeriesMatch({ ...match, series_number: 0 }, false, shown)['00200011']).toEqual(values('IS', 0))
  })

  it('says nothing of frames and pixels where there are none to speak of', () => {
    const still = presentInstanceMatch({ ...match, frames: 1, rows: null, columns: null }, isAlone, shown)
    expect(still).not.toHaveProperty('00280008')
    expect(still).not.toHaveProperty('00280010')
    expect(still).not.toHaveProperty('00280011')
  })

  it('says when the images are not here', () => {
    expect(presentStudyMatch({ ...match, thin: true }, shown)['00080056']).toEqual(values('CS', 'UNAVAILABLE'))
  })
})

const isAlone = { study: false, series: false }

describe('attributes from the header', () => {
  it('are the required ones and those that were asked for', () => {
    const header = {
      '00200010': values('SH', 'STUDY7'),
      '00101030': values('DS', 70),
      '00101040': values('LO', 'Not asked for'),
    }
    expect(presentStudyMatch(match, { ...shown, header, fields: ['00101030', '00102154'] })).toEqual({
      ...studyAttributes,
      '00200010': values('SH', 'STUDY7'),
      '00101030': values('DS', 70),
    })
  })

  it('are as the record corrected them, where they were asked for', () => {
    const edits = [
      edit('patient_weight', '70', '72.5'),
      edit('patient_birthname', 'Old^Name', 'New^Name'),
      edit('patientid_other', '', 'A\\B'),
      edit('patient_name_other', 'X', 'Doe^J\\\\Roe^K'),
      edit('patient_comments', 'gone', ''),
      edit('patient_mother_birthname', 'gone', ''),
    ]
    const header = { '00101030': values('DS', 70), '00104000': values('LT', 'gone') }
    const asked = ['00101030', '00101005', '00101000', '00101001', '00104000', '00101060']
    const json = presentStudyMatch({ ...match, edits }, { ...shown, header, fields: asked })
    expect(json).toMatchObject({
      '00101030': values('DS', 72.5),
      '00101005': values('PN', { Alphabetic: 'New^Name' }),
      '00101000': values('LO', 'A', 'B'),
      '00101001': values('PN', { Alphabetic: 'Doe^J' }, { Alphabetic: 'Roe^K' }),
    })
    expect(json['00104000']).toEqual({ vr: 'LT' })
    expect(json['00101060']).toEqual({ vr: 'PN' })
    const unasked = presentStudyMatch({ ...match, edits }, { ...shown, header })
    expect(unasked).toEqual({ ...studyAttributes, '00200010': { vr: 'SH' } })
  })

  it('tell no qualifiers of an issuer that was replaced', () => {
    const header = { '00100024': { vr: 'SQ', Value: [{}] } }
    const asked = { ...shown, header, fields: ['00100024'] }
    expect(presentStudyMatch(match, asked)).toHaveProperty('00100024')
    const edits = [edit('patientid', '1', '4711'), edit('issuer', 'SOUTH', 'NORTH')]
    expect(presentStudyMatch({ ...match, edits }, asked)).not.toHaveProperty('00100024')
  })
})
