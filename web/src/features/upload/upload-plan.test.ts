import { describe, expect, test } from 'vitest'
import type { InstanceHeader } from './instance-header.ts'
import {
  buildPlan,
  emptyPlan,
  findSameUids,
  type FoundInstance,
  isMixed,
  listFiles,
  listStudies,
  narrowPlan,
  seriesKey,
} from './upload-plan.ts'

const blank: InstanceHeader = {
  studyUid: '1',
  seriesUid: '1.1',
  sopInstanceUid: '1.1.1',
  patientName: 'DOE^JANE',
  patientId: 'M1',
  patientIdIssuer: '',
  patientBirthDate: '19800521',
  patientSex: 'F',
  studyDate: '20240131',
  studyTime: '',
  studyDescription: '',
  accessionNumber: '',
  referringPhysician: '',
  modality: 'CT',
  seriesNumber: 1,
  seriesDescription: '',
}
let made = 0
function found(header: Partial<InstanceHeader> = {}, sizeBytes = 10): FoundInstance {
  made++
  const file = new File([new Uint8Array(sizeBytes)], `${made}.dcm`)
  return { path: `cd/${made}.dcm`, file, header: { ...blank, sopInstanceUid: `1.${made}`, ...header } }
}

describe('the plan of an upload', () => {
  test('[UPLOAD-05] sorts files into patients by name, studies newest first, series by number, and counts them', () => {
    const plan = buildPlan([
      found({ studyUid: 's1', seriesUid: 'b', seriesNumber: 10, modality: 'SR' }),
      found({ studyUid: 's1', seriesUid: 'a', seriesNumber: 2, studyDescription: 'HEAD' }, 30),
      found({ studyUid: 's2', seriesUid: 'c', studyDate: '20250101' }),
      found({ studyUid: 's3', seriesUid: 'd', patientName: 'ABEL^TOM', patientId: 'M2' }),
    ])
    expect(plan).toMatchObject({ studyCount: 3, fileCount: 4, sizeBytes: 60 })
    expect(plan.patients.map((patient) => [patient.name, patient.studies.map((study) => study.studyUid)])).toEqual([
      ['ABEL^TOM', ['s3']],
      ['DOE^JANE', ['s2', 's1']],
    ])
    const s1 = listStudies(plan).find((study) => study.studyUid === 's1')
    expect(s1).toMatchObject({ description: 'HEAD', modalities: ['CT', 'SR'], fileCount: 2, sizeBytes: 40 })
    expect(s1?.series.map((series) => series.number)).toEqual([2, 10])
  })

  test('a folder of 20 patients gives 20 patients', () => {
    const plan = buildPlan(Array.from({ length: 20 }, (_, k) => found({ studyUid: `s${k}`, patientId: `M${k}` })))
    expect(plan.patients).toHaveLength(20)
  })

  test('names that differ by case, blanks and closing carets are one patient; another birth date is another', () => {
    const plan = buildPlan([
      found({ studyUid: 's1', patientName: 'Doe^Jane^^' }),
      found({ studyUid: 's2', patientName: 'DOE^JANE ' }),
      found({ studyUid: 's3', patientBirthDate: '19800522' }),
    ])
    expect(plan.patients.map((patient) => patient.studies.length).sort()).toEqual([1, 2])
  })

  test('studies without name and MRN are not taken for one patient', () => {
    const unnamed = { patientName: '', patientId: '', patientBirthDate: '', patientSex: '' }
    const plan = buildPlan([found({ studyUid: 's1', ...unnamed }), found({ studyUid: 's2', ...unnamed })])
    expect(plan.patients).toHaveLength(2)
  })

  test('a study whose files name two patients is mixed and listed once, under the more frequent one', () => {
    const plan = buildPlan([found({ patientName: 'OTHER^ANN' }), found(), found()])
    expect(plan.patients).toHaveLength(1)
    expect(plan.patients[0]?.name).toBe('DOE^JANE')
    expect(listStudies(plan).map(isMixed)).toEqual([true])
  })

  test('a study is mixed no longer once every series of the other patient is left out', () => {
    const jane = [1, 2].map(() => found({ seriesUid: 'a' }))
    const plan = buildPlan([...jane, found({ seriesUid: 'b', patientName: 'OTHER^ANN', patientId: 'M2' })])
    const without = (series: string) =>
      listStudies(narrowPlan(plan, new Set(['1']), new Set([seriesKey('1', series)])))[0]?.people.map(
        ({ name }) => name,
      )
    expect(without('b')).toEqual(['DOE^JANE'])
    // it stands under Jane still, so that whoever sends it is asked
    expect(without('a')).toEqual(['DOE^JANE', 'OTHER^ANN'])
  })

  test('a report that leaves patient values out makes no study mixed', () => {
    const plan = buildPlan([found(), found({ patientBirthDate: '', patientSex: '', modality: 'SR' })])
    expect(listStudies(plan).map(isMixed)).toEqual([false])
  })

  test('one SOP Instance UID over different files is told, and both files stay in the plan', () => {
    const instances = [found({ sopInstanceUid: 'x' }), found({ sopInstanceUid: 'x' }), found()]
    expect(findSameUids(instances).map((same) => same.length)).toEqual([2])
    expect(listStudies(buildPlan(instances))[0]).toMatchObject({ fileCount: 3, sameUidFiles: 1 })
  })

  test('narrowing to chosen studies leaves their files, sizes and patients only', () => {
    const plan = buildPlan([found({ studyUid: 's1' }, 5), found({ studyUid: 's2', patientId: 'M2' }, 7)])
    const chosen = narrowPlan(plan, new Set(['s2']), new Set())
    expect(chosen).toMatchObject({ studyCount: 1, partCount: 0, fileCount: 1, sizeBytes: 7 })
    expect(chosen.patients.map((patient) => patient.mrn)).toEqual(['M2'])
    expect(listStudies(chosen).flatMap(listFiles)).toHaveLength(1)
  })

  test('a study without the series that were left out has the files, sizes and modalities of the others', () => {
    const one = found({ seriesUid: 'a', modality: 'CT' }, 5)
    const plan = buildPlan([
      one,
      found({ seriesUid: 'b', modality: 'SR' }, 7),
      found({ studyUid: 's2', seriesUid: 'b' }),
    ])
    const { studyUid } = one.header
    const chosen = narrowPlan(plan, new Set([studyUid]), new Set([seriesKey(studyUid, 'b')]))
    expect(chosen).toMatchObject({ studyCount: 1, partCount: 1, fileCount: 1, sizeBytes: 5 })
    expect(listStudies(chosen)).toMatchObject([
      { fileCount: 1, sizeBytes: 5, modalities: ['CT'], leftOut: [{ seriesUid: 'b', modality: 'SR' }] },
    ])
    // the same UID in another study is another series
    expect(narrowPlan(plan, new Set(['s2']), new Set([seriesKey(studyUid, 'b')]))).toMatchObject({ fileCount: 1 })
    expect(
      narrowPlan(plan, new Set([studyUid]), new Set(['a', 'b'].map((uid) => seriesKey(studyUid, uid)))).patients,
    ).toEqual([])
  })

  test('says of each study, series and file what they are', () => {
    const texts = {
      studyTime: '101530',
      accessionNumber: 'A1',
      referringPhysician: 'ROE^RON',
      studyDescription: 'HEAD',
      seriesDescription: 'Axial',
    }
    const one = found({ studyUid: 's1', seriesUid: 'a', modality: 'SR', seriesNumber: undefined }, 3)
    const other = found({ studyUid: 's1', seriesUid: 'b', modality: 'CT', ...texts }, 4)
    const blankOne = found({ studyUid: 's1', seriesUid: 'b', modality: 'CT' }, 5)
    const image = found({ studyUid: 's1', seriesUid: 'c', modality: '', seriesNumber: 3 }, 6)
    const [study] = listStudies(buildPlan([one, image, blankOne, other]))
    const file = (from: FoundInstance, seriesUid: string) => {
      return { path: from.path, file: from.file, studyUid: 's1', seriesUid, sopUid: from.header.sopInstanceUid }
    }
    expect(study).toMatchObject({
      studyUid: 's1',
      date: '20240131',
      time: '101530',
      description: 'HEAD',
      accessionNumber: 'A1',
      referringPhysician: 'ROE^RON',
      modalities: ['CT', 'SR'],
      sizeBytes: 18,
      sameUidFiles: 0,
      people: [{ name: 'DOE^JANE', mrn: 'M1', issuer: '', birthDate: '19800521', sex: 'F' }],
    })
    expect(study?.series).toEqual([
      { seriesUid: 'a', number: undefined, modality: 'SR', description: '', files: [file(one, 'a')], sizeBytes: 3 },
      {
        seriesUid: 'b',
        number: 1,
        modality: 'CT',
        description: 'Axial',
        files: [file(blankOne, 'b'), file(other, 'b')],
        sizeBytes: 9,
      },
      { seriesUid: 'c', number: 3, modality: '', description: '', files: [file(image, 'c')], sizeBytes: 6 },
    ])
    expect(study && listFiles(study)).toHaveLength(4)
  })

  test('leaves empty what no file says', () => {
    const [study] = listStudies(buildPlan([found({ studyDate: '' })]))
    const nothing = { date: '', time: '', description: '', accessionNumber: '', referringPhysician: '' }
    expect(study).toMatchObject(nothing)
    expect(emptyPlan).toEqual(buildPlan([]))
    expect(emptyPlan).toEqual({ patients: [], studyCount: 0, partCount: 0, fileCount: 0, sizeBytes: 0 })
  })

  test('orders series of one number, and patients of one name, the same way each time', () => {
    const series = ['c', 'a', 'b'].map((seriesUid) => found({ seriesUid }))
    expect(listStudies(buildPlan(series))[0]?.series.map((one) => one.seriesUid)).toEqual(['a', 'b', 'c'])
    const patients = ['M3', 'M1', 'M2'].map((patientId) => found({ studyUid: patientId, patientId }))
    expect(buildPlan(patients).patients.map((one) => one.mrn)).toEqual(['M1', 'M2', 'M3'])
  })

  test('fills in what other files of a study say of its patient', () => {
    const report = { patientBirthDate: '', patientSex: '', patientIdIssuer: 'NORTH' }
    const [patient] = buildPlan([found(report), found(), found()]).patients
    expect(patient).toMatchObject({
      name: 'DOE^JANE',
      mrn: 'M1',
      issuer: 'NORTH',
      birthDate: '19800521',
      sex: 'F',
    })
  })

  test('takes values that run together for no others', () => {
    const people = (...names: [name: string, mrn: string][]) => {
      const files = names.map(([patientName, patientId]) => found({ patientName, patientId }))
      return listStudies(buildPlan(files))[0]?.people.length
    }
    expect(people(['A', 'BC'], ['AB', 'C'])).toBe(2)
    expect(people(['Doe^Jane', 'M1'], [' DOE^JANE=^ ', 'M1'])).toBe(1)
    expect(people(['Doe^Ann  Mary', 'M1'], ['DOE^ANN MARY', 'M1'])).toBe(1)
    expect(people(['Doe^Ann Mary', 'M1'], ['DOE^ANNMARY', 'M1'])).toBe(2)
  })

  test('studies with a name or an MRN alone are those of one patient', () => {
    const patients = (header: Partial<InstanceHeader>) =>
      buildPlan(['s1', 's2'].map((studyUid) => found({ ...header, studyUid }))).patients.length
    expect(patients({ patientName: '' })).toBe(1)
    expect(patients({ patientId: '' })).toBe(1)
    expect(patients({ patientName: '', patientId: '' })).toBe(2)
  })
})
