import type { InstanceHeader } from './instance-header.ts'
import type { PickedFile } from './picked-files.ts'

/** One DICOM instance found in what was chosen. */
export interface FoundInstance extends PickedFile {
  header: InstanceHeader
}

export interface PlannedFile extends PickedFile {
  studyUid: string
  seriesUid: string
  sopUid: string
}

export interface PlannedSeries {
  seriesUid: string
  number: number | undefined
  modality: string
  description: string
  files: PlannedFile[]
  sizeBytes: number
}

/** The patient of a study. Raw DICOM values: `LAST^FIRST`, `YYYYMMDD`, '' when absent. */
export interface PatientIdentity {
  name: string
  mrn: string
  issuer: string
  birthDate: string
  sex: string
}

export interface PlannedStudy {
  studyUid: string
  patientKey: string
  date: string
  time: string
  description: string
  accessionNumber: string
  referringPhysician: string
  modalities: string[]
  series: PlannedSeries[]
  /** Series that the person left out; `series` is without them. */
  leftOut?: readonly PlannedSeries[]
  fileCount: number
  sizeBytes: number
  /** Every patient its files name; more than one means mixed patients (design: flagged, never merged). */
  people: PatientIdentity[]
  /** Of mixed patients: whom each file of a series names, by UID of the series. */
  peopleOfSeries?: ReadonlyMap<string, readonly PatientIdentity[]>
  /** Files that share a SOP Instance UID with another file of the study and differ from it. */
  sameUidFiles: number
  /** Series of it were left out. */
  isPart?: boolean
}

export interface PlannedPatient extends PatientIdentity {
  key: string
  /** The values were typed in a form that asks for an MRN; otherwise the images carry them. */
  isTyped?: boolean
  studies: PlannedStudy[]
}

export interface UploadPlan {
  patients: PlannedPatient[]
  studyCount: number
  /** Studies of which series were left out. */
  partCount: number
  fileCount: number
  sizeBytes: number
}

export const emptyPlan: UploadPlan = { patients: [], studyCount: 0, partCount: 0, fileCount: 0, sizeBytes: 0 }

/** Sorts instances into patients, studies and series. Patients by name, studies newest first, series by number. */
export function buildPlan(instances: readonly FoundInstance[]): UploadPlan {
  const studies = [...Map.groupBy(instances, (one) => one.header.studyUid).values()].map(planStudy)
  const patients = [...Map.groupBy(studies, (study) => study.patientKey).values()].map(planPatient)
  patients.sort((a, b) => a.name.localeCompare(b.name) || a.key.localeCompare(b.key))
  return {
    patients,
    studyCount: studies.length,
    partCount: 0,
    fileCount: instances.length,
    sizeBytes: sum(studies, (study) => study.sizeBytes),
  }
}

export const listStudies = (plan: UploadPlan) => plan.patients.flatMap((patient) => patient.studies)
export const listFiles = (study: PlannedStudy) => study.series.flatMap((series) => series.files)
/** Images of a study: files that share a SOP Instance UID may hold the same, of which the server stores one. */
export const countImages = ({ fileCount, sameUidFiles }: PlannedStudy) => fileCount - sameUidFiles
export const isMixed = (study: PlannedStudy) => study.people.length > 1

/** Names a series within what was found: its UID may stand in another study, too. */
export const seriesKey = (studyUid: string, seriesUid: string) => `${studyUid} ${seriesUid}`

/**
 * The plan narrowed to the chosen studies without the series that were left out; a patient without one is left out.
 * @param leftOut keys of series
 */
export function narrowPlan(plan: UploadPlan, chosen: ReadonlySet<string>, leftOut: ReadonlySet<string>): UploadPlan {
  const patients = plan.patients
    .map((patient) => ({
      ...patient,
      studies: patient.studies
        .filter((study) => chosen.has(study.studyUid))
        .map((study) => withoutSeries(study, leftOut))
        .filter(({ fileCount }) => fileCount > 0),
    }))
    .filter((patient) => patient.studies.length > 0)
  const studies = patients.flatMap((patient) => patient.studies)
  return {
    patients,
    studyCount: studies.length,
    partCount: countParts(studies),
    fileCount: sum(studies, (study) => study.fileCount),
    sizeBytes: sum(studies, (study) => study.sizeBytes),
  }
}

export const countParts = (studies: readonly PlannedStudy[]) => studies.filter(({ isPart }) => isPart).length

/** The study without the series that were left out; the same object where none is. */
export function withoutSeries(study: PlannedStudy, leftOut: ReadonlySet<string>): PlannedStudy {
  if (leftOut.size === 0) return study
  const series = study.series.filter(({ seriesUid }) => !leftOut.has(seriesKey(study.studyUid, seriesUid)))
  if (series.length === study.series.length) return study
  const files = series.flatMap((one) => one.files)
  return {
    ...study,
    series,
    leftOut: study.series.filter((one) => !series.includes(one)),
    people: peopleWithin(study, series),
    modalities: modalitiesOf(series),
    fileCount: files.length,
    sizeBytes: sum(series, (one) => one.sizeBytes),
    sameUidFiles: files.length - new Set(files.map(({ sopUid }) => sopUid)).size,
    isPart: true,
  }
}

/** Whom these series of a study name. Without its first patient, under whom it stands, the study stays as mixed as it was. */
function peopleWithin({ people, peopleOfSeries }: PlannedStudy, series: readonly PlannedSeries[]): PatientIdentity[] {
  if (!peopleOfSeries) return people
  const named = listPeople(series.flatMap(({ seriesUid }) => peopleOfSeries.get(seriesUid) ?? []))
  return named.some((one) => mayBeSame(one, people[0] as PatientIdentity)) ? named : people
}

const modalitiesOf = (series: readonly PlannedSeries[]) =>
  [...new Set(series.map((one) => one.modality).filter((one) => one !== ''))].sort()

/** Sets of files with the same SOP Instance UID in one study: each of two or more, in the order found. */
export function findSameUids(instances: readonly FoundInstance[]): FoundInstance[][] {
  const bySop = Map.groupBy(instances, ({ header }) => `${header.studyUid}|${header.sopInstanceUid}`)
  return [...bySop.values()].filter((same) => same.length > 1)
}

function planStudy(instances: FoundInstance[]): PlannedStudy {
  const people = listPeople(instances.map(({ header }) => identityOf(header)))
  const bySeries = Map.groupBy(instances, (one) => one.header.seriesUid)
  const series = [...bySeries.values()].map(planSeries)
  series.sort((a, b) => (a.number ?? 0) - (b.number ?? 0) || a.seriesUid.localeCompare(b.seriesUid))
  const first = (read: (header: InstanceHeader) => string) =>
    instances.map((one) => read(one.header)).find((value) => value !== '') ?? ''
  return {
    studyUid: first((h) => h.studyUid),
    patientKey: patientKey(
      people[0] as PatientIdentity,
      first((h) => h.studyUid),
    ),
    date: first((h) => h.studyDate),
    time: first((h) => h.studyTime),
    description: first((h) => h.studyDescription),
    accessionNumber: first((h) => h.accessionNumber),
    referringPhysician: first((h) => h.referringPhysician),
    modalities: modalitiesOf(series),
    series,
    fileCount: instances.length,
    sizeBytes: sum(series, (one) => one.sizeBytes),
    people,
    ...(people.length > 1 && {
      peopleOfSeries: new Map([...bySeries].map(([uid, ones]) => [uid, ones.map(({ header }) => identityOf(header))])),
    }),
    sameUidFiles: instances.length - new Set(instances.map((one) => one.header.sopInstanceUid)).size,
  }
}

function planSeries(instances: FoundInstance[]): PlannedSeries {
  const { seriesUid, seriesNumber, modality } = (instances[0] as FoundInstance).header
  const files = instances.map(({ path, file, header }) => ({
    path,
    file,
    studyUid: header.studyUid,
    seriesUid: header.seriesUid,
    sopUid: header.sopInstanceUid,
  }))
  return {
    seriesUid,
    number: seriesNumber,
    modality,
    description: instances.map((one) => one.header.seriesDescription).find((text) => text !== '') ?? '',
    files,
    sizeBytes: sum(instances, (one) => one.file.size),
  }
}

function planPatient(studies: PlannedStudy[]): PlannedPatient {
  studies.sort((a, b) => b.date.localeCompare(a.date) || b.time.localeCompare(a.time))
  const [first] = studies as [PlannedStudy]
  return { ...(first.people[0] as PatientIdentity), key: first.patientKey, studies }
}

/**
 * The different patients that a study's instances name, the most frequent first. Reports and presentation states often
 * leave values out: an absent value differs from nothing.
 */
function listPeople(named: readonly PatientIdentity[]): PatientIdentity[] {
  const groups = [...Map.groupBy(named, (one) => Object.values(one).join('\n')).values()]
  groups.sort((a, b) => b.length - a.length)
  const people: PatientIdentity[] = []
  for (const group of groups) {
    const next = group[0] as PatientIdentity
    const known = people.findIndex((person) => mayBeSame(person, next))
    if (known < 0) people.push(next)
    else people[known] = fillIn(people[known] as PatientIdentity, next)
  }
  return people
}

function identityOf(header: InstanceHeader): PatientIdentity {
  return {
    name: header.patientName,
    mrn: header.patientId,
    issuer: header.patientIdIssuer,
    birthDate: header.patientBirthDate,
    sex: header.patientSex,
  }
}

const identityFields = ['name', 'mrn', 'issuer', 'birthDate', 'sex'] as const

/** Names differ neither by case nor by blanks and carets that carry nothing (PS3.5 §6.2, VR PN). */
const plain = (value: string) =>
  value
    .toUpperCase()
    .replace(/\s+/g, ' ')
    .replace(/[\^=\s]+$/, '')
    .trim()

/** Studies that carry neither name nor MRN have nothing in common: each is a patient of its own. */
const patientKey = (person: PatientIdentity, studyUid: string) =>
  person.name === '' && person.mrn === '' ? studyUid : keyOf(person)

const keyOf = (person: PatientIdentity) => JSON.stringify(identityFields.map((field) => plain(person[field])))

function mayBeSame(a: PatientIdentity, b: PatientIdentity) {
  return identityFields.every((field) => !a[field] || !b[field] || plain(a[field]) === plain(b[field]))
}

function fillIn(person: PatientIdentity, from: PatientIdentity): PatientIdentity {
  const filled = { ...person }
  for (const field of identityFields) filled[field] = person[field] || from[field]
  return filled
}

function sum<T>(items: readonly T[], read: (item: T) => number) {
  return items.reduce((total, item) => total + read(item), 0)
}
