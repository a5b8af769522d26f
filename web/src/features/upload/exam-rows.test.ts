import { describe, expect, test } from 'vitest'
import { type ExamMarks, findExamsBy, kindOf, listExamRows, examStatusOf } from './exam-rows.ts'
import type { PlannedPatient, PlannedStudy } from './upload-plan.ts'

const study = (studyUid: string, changed: Partial<PlannedStudy> = {}): PlannedStudy => ({
  studyUid,
  patientKey: '',
  date: '20240131',
  time: '',
  description: 'HEAD',
  accessionNumber: '',
  referringPhysician: '',
  modalities: ['CT'],
  series: [],
  fileCount: 1,
  sizeBytes: 10,
  people: [],
  sameUidFiles: 0,
  ...changed,
})
const patient = (key: string, name: string, studies: PlannedStudy[]): PlannedPatient => ({
  key,
  name,
  mrn: `M-${key}`,
  issuer: '',
  birthDate: '',
  sex: '',
  studies,
})
const noMarks: ExamMarks = { patients: new Map(), studies: new Map() }
const anyKind = () => true
const uidsOf = (found: ReturnType<typeof findExamsBy>) => found.flatMap(({ studies }) => studies.map((s) => s.studyUid))
const terms = { marks: noMarks, folded: new Map(), open: new Set<string>(), warningsOf: () => [] }
const many = Array.from({ length: 11 }, (_none, k) => patient(`p${k}`, `NAME${k}^A`, [study(`s${k}`)]))

describe('finding among the exams', () => {
  const doe = patient('1', 'Döe^Jane', [study('s1'), study('s2', { description: 'KNEE', accessionNumber: 'A-77' })])
  const roe = patient('2', "O'Roe^Ron", [study('s3', { modalities: ['US'] })])
  test.each([
    ['', ['s1', 's2', 's3']],
    ['jane doe', ['s1', 's2']],
    ['doe knee', ['s2']],
    ['m-2', ['s3']],
    ['a-77', ['s2']],
    ['us roe', ['s3']],
    ['o roe', ['s3']],
    ['nobody', []],
  ])('[UPLOAD-05] "%s" finds %j, by name, MRN and what the exam is called', (words, expected) => {
    expect(uidsOf(findExamsBy([doe, roe], words, anyKind))).toEqual(expected)
  })
})

describe('the rows', () => {
  test('[UPLOAD-05] of few patients list each with their studies, of many one row for each patient', () => {
    const rowsOf = (patients: PlannedPatient[]) => listExamRows(findExamsBy(patients, '', anyKind), terms)
    expect(rowsOf(many.slice(0, 2)).map(({ key }) => key)).toEqual(['patient p0', 'study s0', 'patient p1', 'study s1'])
    expect(rowsOf(many).map(({ kind }) => kind)).toEqual(many.map(() => 'patient'))
  })

  test('of a folded patient show nothing else, and a patient who is opened shows the studies', () => {
    const found = findExamsBy(many, '', anyKind)
    const rows = listExamRows(found, { ...terms, folded: new Map([['p3', false]]) })
    expect(rows.filter(({ kind }) => kind === 'study').map(({ key }) => key)).toEqual(['study s3'])
  })

  test('of somebody whose MRN a different patient has stand open, with the sentence', () => {
    const marks = { ...noMarks, patients: new Map([['p5', { isDifferent: true, sentences: ['Held by HOLM'] }]]) }
    const rows = listExamRows(findExamsBy(many, '', anyKind), { ...terms, marks })
    expect(rows.filter(({ kind }) => kind !== 'patient')).toMatchObject([
      { kind: 'note', tone: 'failed', texts: ['Held by HOLM'] },
      { kind: 'study' },
    ])
  })
})

describe('how a study stands', () => {
  const here = (have: number, conflict: number, open: number) => ({ have, conflict, open, of: 3 })
  const other = new Map([['s1', { status: 'other' as const, sentence: '' }]])
  test.each([
    [undefined, 'new'],
    [here(0, 0, 2), 'comparing'],
    [here(2, 1, 0), 'conflict'],
    [here(3, 0, 0), 'here'],
    [here(1, 0, 0), 'partly'],
    [here(0, 0, 0), 'new'],
  ])('with %j at the destination is "%s"', (count, expected) => {
    expect(examStatusOf(study('s1'), count, noMarks)).toBe(expected)
  })

  test('a different patient and mixed patients come before what is here already', () => {
    const marks = { ...noMarks, studies: other }
    expect(examStatusOf(study('s1'), here(3, 0, 0), marks)).toBe('other')
    const people = [1, 2].map(() => ({ name: '', mrn: '', issuer: '', birthDate: '', sex: '' }))
    expect(examStatusOf(study('s1', { people }), here(3, 0, 0), marks)).toBe('mixed')
    expect(kindOf('other', false)).toBe('look')
    expect(kindOf('here', true)).toBe('look')
    expect(kindOf('here', false)).toBe('here')
    expect(kindOf('comparing', false)).toBe('new')
  })
})
