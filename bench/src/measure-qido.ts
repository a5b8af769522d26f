import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commonElements, pixelElements } from '@hilum/dicom/synthetic/study'
import { writePart10 } from '@hilum/dicom/write-part10'
import { startEmbeddedPostgres } from '@hilum/server/db/embedded-postgres'
import pg from 'pg'
import { type Dicomweb, dicomwebOf } from './addresses.ts'
import { fillStudies } from './fill-studies.ts'
import { startHilum } from './hilum-server.ts'
import { openConnections, succeed } from './http-client.ts'
import type { LoneMeasurement, Report } from './measurement.ts'
import { startOrthanc } from './orthanc-server.ts'
import { type Load, postToOrthanc } from './send-images.ts'
import { spread, timesFaster } from './statistics.ts'
import type { Sample } from './study-rows.ts'

const STUDIES = 30_000
const ASKED = 30
const WARM_UP = 3

/** The questions of DICOMweb over so many studies that answering by reading all of them shows. */
export const qido: LoneMeasurement = {
  name: 'qido',
  title: 'QIDO over 30,000 studies',
  needsOrthanc: true,
  run,
}

async function run(folder: string): Promise<Report> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  await using opened = new AsyncDisposableStack()
  const database = await startEmbeddedPostgres(join(folder, 'postgres'))
  opened.defer(() => database.stop())
  const hilum = await startHilum(join(folder, 'hilum'), database)
  opened.defer(() => hilum.stop())
  const orthanc = await startOrthanc(join(folder, 'orthanc'))
  opened.defer(() => orthanc.stop())

  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const filled = await fillStudies(client, folder, STUDIES, [hilum.namespace]).finally(() => client.end())
  await postToOrthanc(orthanc, await sameStudies(filled.studyFile, filled.studyColumns))
  const { ours, peer } = dicomwebOf({ hilum, orthanc })
  const rows: string[][] = []
  for (const [what, query] of questions) {
    const own = await ask(ours, query, filled.samples)
    const other = await ask(peer, query, filled.samples)
    if (own.found !== other.found) throw new Error(`${what}: ${own.found} studies here, ${other.found} there`)
    const ratio = `${timesFaster(own.ms, other.ms)} as fast`
    rows.push([`${what} (${Math.round(own.found / ASKED)} found)`, spread(own.ms), spread(other.ms), ratio, '≥ 10 ×'])
  }
  return {
    table: [['median / p95', 'Hilum', 'Orthanc', 'Hilum is', 'goal'], ...rows],
    notes: [
      `${STUDIES.toLocaleString('en')} made-up studies of one small image in each, the same names, numbers, dates and modalities; ${ASKED} different questions of each kind, one after the other, at most 50 studies an answer. Both found the same number of studies each time.`,
      'Hilum’s rows are copied into its database, Orthanc’s images are posted to it. Hilum is asked with a session and within its rights.',
    ],
  }
}

type Question = (sample: Sample) => Record<string, string>
const questions: readonly (readonly [string, Question])[] = [
  ['50 studies', () => ({})],
  ['accession number', ({ accession }) => ({ AccessionNumber: accession })],
  ['patient ID', ({ patientId }) => ({ PatientID: patientId })],
  ['part of a name', ({ lastName }) => ({ PatientName: `*${lastName.slice(1)}*` })],
  ['beginning of a name', ({ lastName }) => ({ PatientName: `${lastName}*` })],
  ['a day', ({ studyDate }) => ({ StudyDate: studyDate })],
  ['a modality', () => ({ ModalitiesInStudy: 'MG' })],
]

async function ask({ root, headers }: Dicomweb, question: Question, samples: readonly Sample[]) {
  const agent = openConnections(1)
  const ms: number[] = []
  let found = 0
  for (let round = -WARM_UP; round < ASKED; round++) {
    const sample = samples[((round + WARM_UP) * 7) % samples.length] as Sample
    const url = `${root}/studies?${new URLSearchParams({ ...question(sample), limit: '50' })}`
    const start = performance.now()
    const { body, status } = await succeed(agent, {
      url,
      headers: { ...headers, accept: 'application/dicom+json' },
      isBodyRead: true,
    })
    if (round < 0) continue
    ms.push(performance.now() - start)
    found += status === 204 ? 0 : (JSON.parse(body.toString()) as unknown[]).length
  }
  agent.destroy()
  return { ms, found }
}

/** The rows of the file as images of one 16×16 frame, a study each. */
async function sameStudies(file: string, columns: readonly string[]): Promise<Load> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const format = {
    rows: 16,
    columns: 16,
    bitsAllocated: 8,
    bitsStored: 8,
    isSigned: false,
    samplesPerPixel: 1,
  } as const
  const pixels = new Uint8Array(16 * 16)
  return {
    count: lines.length,
    file: (index) => {
      const cells = (lines[index] ?? '').split('\t')
      const value = (column: string) => cells[columns.indexOf(column)] ?? ''
      const series = {
        number: 1,
        description: '',
        modality: value('modality'),
        sopClassUid: '1.2.840.10008.5.1.4.1.1.7',
      }
      const study = {
        seed: `bench/qido/${index}`,
        folder: '',
        patient: {
          name: value('patient_name'),
          id: value('patientid'),
          issuer: '',
          birthDate: value('patient_birth_date'),
          sex: value('patient_sex') as 'M' | 'F' | 'O',
        },
        date: value('study_date'),
        time: value('study_time'),
        accessionNumber: value('accession_number'),
        description: value('study_description'),
        referringPhysician: value('referring_physician'),
      }
      return [writePart10([...commonElements(study, series, 1), ...pixelElements(format, pixels)])]
    },
  }
}
