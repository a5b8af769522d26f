import { describe, expect, test } from 'vitest'
import type { InstanceHeader } from './instance-header.ts'
import {
  buildPlan,
  findSameUids,
  type FoundInstance,
  isMixed,
  listFiles,
  listStudies,
  narrowPlan,
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
    const chosen = narrowPlan(plan, new Set(['s2']))
    expect(chosen).toMatchObject({ studyCount: 1, fileCount: 1, sizeBytes: 7 })
    expect(chosen.patients.map((patient) => patient.mrn)).toEqual(['M2'])
    expect(listStudies(chosen).flatMap(listFiles)).toHaveLength(1)
  })
})
