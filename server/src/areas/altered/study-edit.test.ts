import { describe, expect, it } from 'vitest'
import {
  columnAttributes,
  demandWritable,
  readSentColumns,
  readSentDicomFields,
  readEditText,
  sentColumns,
} from './study-edit.ts'

const refused = (code: string, subtype: string, data?: unknown) =>
  expect.objectContaining({ code, detail: data === undefined ? { subtype } : { subtype, data } })

describe('tags that a client sends', () => {
  it('are kept as DICOM writes them', () => {
    expect(
      readSentDicomFields({
        patient_name: ' Doe^Jane ',
        patient_sex: 'f',
        patient_birth_date: '1970-02-03',
        study_date: '2026-03-01T10:00:00Z',
        study_time: '10:15:30.5',
        patient_birth_time: '08:15',
        accession_number: 'a-1',
      }),
    ).toEqual({
      patient_name: 'Doe^Jane',
      patient_sex: 'F',
      patient_birth_date: '19700203',
      study_date: '20260301',
      study_time: '101530.5',
      patient_birth_time: '0815',
      accession_number: 'a-1',
    })
  })

  it.each([
    ['study_date', '20260301', '20260301'],
    ['study_date', '', ''],
    ['study_date', 'x2026-03-01', 'x2026-03-01'],
    ['study_date', '2026-03-011', '2026-03-011'],
    ['study_date', '2026-3-1', '2026-3-1'],
    ['study_time', '101530', '101530'],
    ['study_time', '10:15:30', '101530'],
    ['study_time', '10:15:30.123456', '101530.123456'],
    ['study_time', '10:15:30.1234567', '10:15:30.1234567'],
    ['study_time', 'at 10:15', 'at 10:15'],
    ['study_time', '10:15 h', '10:15 h'],
    ['study_time', '1:15', '1:15'],
    ['patient_age', '034y', '034y'],
  ] as const)('%s %j is read as %j', (tag, sent, kept) => {
    expect(readSentDicomFields({ [tag]: sent })).toEqual({ [tag]: kept })
  })

  it('are those that were sent, as text', () => {
    expect(readSentDicomFields({})).toEqual({})
    expect(readSentDicomFields({ patient_name: 7, patientid: null, nothing: 'x' })).toEqual({})
    expect(readSentDicomFields({ patientid: '' })).toEqual({ patientid: '' })
  })

  it('are columns of the record, or kept with the others', () => {
    expect([...columnAttributes].toSorted()).toEqual([
      'accession_number',
      'modality',
      'patient_age',
      'patient_birth_date',
      'patient_birth_time',
      'patient_name',
      'patient_sex',
      'patientid',
      'referring_physician',
      'study_date',
      'study_description',
      'study_time',
    ])
  })
})

describe('values that leave with the images', () => {
  it('are those that DICOM can hold', () => {
    expect(() => demandWritable({ patient_name: 'Kovač^Luka', patientid: '', study_date: '20260301' })).not.toThrow()
    expect(() => demandWritable({ patientid_other: 'A\\B', patient_weight: '70.5' })).not.toThrow()
    expect(() => demandWritable({ patient_comments: 'x'.repeat(1024) })).not.toThrow()
  })

  it.each([
    [{ patientid: 'A\\B' }, 'patientid', 'a backslash would divide it into several values'],
    [{ patient_name: 'Doe', study_date: '20260230' }, 'study_date', 'it has not the form of a date, YYYYMMDD'],
    [{ accession_number: 'x'.repeat(17) }, 'accession_number', 'it has at most 16 characters'],
    [{ patient_comments: 'x'.repeat(1025) }, 'patient_comments', 'it has at most 1024 characters'],
    [
      { modality: 'ct' },
      'modality',
      'it has not the form of a code of capital letters, digits, blanks and underscores',
    ],
  ])('%j are refused with the reason in words', (tags, name, reason) => {
    expect(() => demandWritable(tags)).toThrow(refused('INVALID_FIELD', name, reason))
  })
})

describe('what a client may say besides', () => {
  it('is read by its own names', () => {
    const sent = { integration_key: ' k ', source_ae_title: 'FROM', destination_ae_title: 'TO', image_count: 48 }
    const columns = { integration_key: 'k', source_ae_title: 'FROM', destination_ae_title: 'TO', expected_count: 48 }
    expect(readSentColumns(sent)).toEqual(columns)
    expect(Object.keys(columns)).toEqual(sentColumns)
    expect(readSentColumns({})).toEqual({})
    expect(readSentColumns({ integration_key: 7, image_count: '48', other: 'x' })).toEqual({})
    expect(readSentColumns({ image_count: 0 })).toEqual({ expected_count: 0 })
    expect(readSentColumns({ image_count: 2 ** 31 - 1 })).toEqual({ expected_count: 2_147_483_647 })
  })

  it.each([-1, 2 ** 31])('is no number of images such as %d', (image_count) => {
    expect(() => readSentColumns({ image_count })).toThrow(refused('INVALID_INTEGER', 'image_count'))
  })

  it('is one line of a bounded length', () => {
    expect(readEditText('note', ' x ')).toBe('x')
    expect(readEditText('note', 'x'.repeat(1024))).toHaveLength(1024)
    for (const wrong of ['x'.repeat(1025), 'a\nb', 'a\u007f', '\u0000']) {
      expect(() => readEditText('note', wrong)).toThrow(refused('INVALID_FIELD', 'note'))
      expect(() => readSentColumns({ source_ae_title: wrong })).toThrow(refused('INVALID_FIELD', 'source_ae_title'))
    }
  })
})
