import { describe, expect, test } from 'vitest'
import { dateFormats, formatDate } from '../../format/dates.ts'
import {
  emptyExam,
  type ExamForm,
  examFields,
  findExamFaults,
  patientOf,
  studyMomentOf,
  typeInto,
} from './exam-form.ts'

const terms = { dateFormat: 'MM-DD-YYYY', today: '20261123' } as const
const good: ExamForm = {
  firstName: 'Jane',
  middleName: '',
  lastName: 'Doe',
  patientDOB: '05-21-1980',
  patientMRN: 'M1',
  patientGender: 'female',
  studyDate: '11-20-2026',
  studyTime: '',
  studyDescription: '',
}
const faultsOf = (changed: Partial<ExamForm>) => findExamFaults({ ...good, ...changed }, terms)

describe('the form of patient and exam', () => {
  test('[UPLOAD-19] [UPLOAD-20] [UPLOAD-21] [ENTITY-21] asks for six of its nine fields', () => {
    expect(examFields.toSorted()).toEqual(Object.keys(emptyExam).toSorted())
    expect(findExamFaults(emptyExam, terms)).toEqual({
      firstName: 'missing',
      lastName: 'missing',
      patientMRN: 'missing',
      patientGender: 'missing',
      patientDOB: 'missing',
      studyDate: 'missing',
    })
    expect(faultsOf({})).toEqual({})
    expect(faultsOf({ lastName: '  ' })).toEqual({ lastName: 'missing' })
  })

  test('[UPLOAD-20] a date of birth is a day in the format of the person, and none to come', () => {
    expect(faultsOf({ patientDOB: '1980-05-21' })).toEqual({ patientDOB: 'dateFormat' })
    expect(faultsOf({ patientDOB: '02-30-1980' })).toEqual({ patientDOB: 'invalid' })
    expect(faultsOf({ patientDOB: '11-24-2026' })).toMatchObject({ patientDOB: 'birthAhead' })
    expect(faultsOf({ patientDOB: '11-20-2026' })).toEqual({})
    for (const dateFormat of dateFormats) {
      const [patientDOB, studyDate] = [formatDate('19800521', dateFormat), formatDate('20261120', dateFormat)]
      expect(findExamFaults({ ...good, patientDOB, studyDate }, { ...terms, dateFormat })).toEqual({})
    }
  })

  test('[UPLOAD-21] [UPLOAD-22] a date of study is a day that has come, and not before the birth', () => {
    expect(faultsOf({ studyDate: '20261120' })).toEqual({ studyDate: 'dateFormat' })
    expect(faultsOf({ studyDate: '13-01-2020' })).toEqual({ studyDate: 'invalid' })
    expect(faultsOf({ studyDate: '11-24-2026' })).toEqual({ studyDate: 'studyAhead' })
    expect(faultsOf({ studyDate: '11-23-2026' })).toEqual({})
    expect(faultsOf({ studyDate: '05-20-1980' })).toEqual({ studyDate: 'beforeBirth' })
  })

  test('[UPLOAD-23] a time may be left out, or is one of 24 hours', () => {
    expect(['00:00', '23:59', ''].map((studyTime) => faultsOf({ studyTime }))).toEqual([{}, {}, {}])
    for (const studyTime of ['24:00', '9:30', '12:60', '0930', '9 am'])
      expect(faultsOf({ studyTime })).toEqual({ studyTime: 'time' })
  })

  test('[UPLOAD-17] a date of birth later than the study takes the date of the study along, and only whole days do', () => {
    expect(typeInto(good, 'patientDOB', '11-21-2026', terms).studyDate).toBe('11-21-2026')
    expect(typeInto(good, 'patientDOB', '11-21-202', terms).studyDate).toBe(good.studyDate)
    expect(typeInto(good, 'patientDOB', '11-19-2026', terms).studyDate).toBe(good.studyDate)
    expect(typeInto(good, 'studyDate', '05-20-1980', terms)).toMatchObject({
      studyDate: '05-20-1980',
      patientDOB: good.patientDOB,
    })
  })

  test('values that DICOM cannot hold are faults', () => {
    expect(faultsOf({ lastName: 'Doe^Jane' })).toEqual({ lastName: 'invalid' })
    expect(faultsOf({ middleName: 'A=B' })).toEqual({ middleName: 'invalid' })
    expect(faultsOf({ lastName: 'x'.repeat(62) })).toEqual({ lastName: 'invalid' })
    expect(faultsOf({ patientMRN: 'A\\B' })).toEqual({ patientMRN: 'invalid' })
    expect(faultsOf({ studyDescription: 'x'.repeat(65) })).toEqual({ studyDescription: 'invalid' })
  })

  test('[ENTITY-21] says patient and exam in the words of DICOM', () => {
    const typed = { ...good, lastName: ' Doe ', middleName: 'M', patientGender: 'other', studyTime: '07:05' } as const
    expect(patientOf(typed, 'MM-DD-YYYY')).toEqual({
      name: 'Doe^Jane^M',
      mrn: 'M1',
      issuer: '',
      birthDate: '19800521',
      sex: 'O',
    })
    expect(patientOf(good, 'MM-DD-YYYY').name).toBe('Doe^Jane')
    expect(studyMomentOf(typed, 'MM-DD-YYYY')).toEqual({ date: '20261120', time: '070500' })
  })
})
