import { commonElements, pixelElements } from '@hilum/dicom/synthetic/study'
import { writePart10 } from '@hilum/dicom/write-part10'
import { type Dicomweb, dicomwebOf } from './addresses.ts'
import { openConnections, succeed } from './http-client.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { type Load, postToHilum, postToOrthanc } from './send-images.ts'
import { spread, times, timesFaster } from './statistics.ts'

const STUDIES = 3000
const QUESTIONS = 60
const families = ['NOWAK', 'SMITH', 'GARCIA', 'ABARA', 'LINDT', 'OKAFOR', 'STEIN', 'HADDAD', 'MORI', 'VEGA']

/** Many small studies in, then the lists that people look at. */
export const list: Measurement = { name: 'list', title: 'Small studies in, and lists of them', run }

async function run(stage: Stage): Promise<Report> {
  const { hilum, orthanc } = stage
  const load = smallStudies()
  const sentToUs = await postToHilum(hilum, load)
  const sentToPeer = await postToOrthanc(orthanc, load)
  const { ours, peer } = dicomwebOf(stage)
  const { sid } = hilum
  const newest = await timeEach(() => hilum.call('study/list', { sid, 'page.rows': 50, sort_by: 'created-desc' }))
  const searches: [string, (round: number) => string][] = [
    ['QIDO: 50 studies', () => 'limit=50'],
    ['QIDO: one accession number', (round) => `AccessionNumber=ACC${(round * 37) % STUDIES}`],
    ['QIDO: part of a name', (round) => `PatientName=*${families[round % families.length]?.slice(1, 4)}*&limit=50`],
    ['QIDO: a modality', () => 'ModalitiesInStudy=OT&limit=50'],
  ]
  const rows: string[][] = []
  for (const [what, query] of searches) {
    const own = await timeEach((round) => search(ours, query(round)))
    const other = await timeEach((round) => search(peer, query(round)))
    rows.push([what, spread(own), spread(other), `${timesFaster(own, other)} as fast`, ''])
  }
  const perSecond = (sent: { wallSeconds: number }) => `${(STUDIES / sent.wallSeconds).toFixed(0)}/s`
  const cpu = (sent: typeof sentToUs) => `${(sent.serverCpu + sent.databaseCpu).toFixed(2)} s`
  return {
    table: [
      ['median / p95', 'Hilum', 'Orthanc', 'Hilum is', 'goal'],
      [
        `${STUDIES} studies of one small image in, POST ×4`,
        `${perSecond(sentToUs)}, CPU ${cpu(sentToUs)}`,
        `${perSecond(sentToPeer)}, CPU ${cpu(sentToPeer)}`,
        `${times(sentToPeer.wallSeconds / sentToUs.wallSeconds)} as fast`,
        '',
      ],
      ['study/list: newest 50 with counts, marks, locks', spread(newest), '–', '', '< 10 ms'],
      ...rows,
    ],
    notes: [
      `${QUESTIONS} questions of each kind, one after the other; every one is asked with a session and within its rights. Orthanc’s grow with the number of its studies.`,
      'One study a commit and one folder a study is the worst case of Hilum’s durable ingest: nothing can be shared between images.',
    ],
  }
}

async function timeEach(ask: (round: number) => Promise<unknown>): Promise<number[]> {
  const ms: number[] = []
  for (let round = -5; round < QUESTIONS; round++) {
    const start = performance.now()
    await ask(Math.max(0, round))
    if (round >= 0) ms.push(performance.now() - start)
  }
  return ms
}

const agent = openConnections(1)
async function search({ root, headers }: Dicomweb, query: string): Promise<void> {
  await succeed(agent, { url: `${root}/studies?${query}`, headers: { ...headers, accept: 'application/dicom+json' } })
}

/** One instance each of 64×64 pixels. */
function smallStudies(): Load {
  const pixels = new Uint8Array(64 * 64)
  const format = {
    rows: 64,
    columns: 64,
    bitsAllocated: 8,
    bitsStored: 8,
    isSigned: false,
    samplesPerPixel: 1,
  } as const
  const series = { number: 1, description: 'Small', modality: 'OT', sopClassUid: '1.2.840.10008.5.1.4.1.1.7' }
  return {
    count: STUDIES,
    file: (index) => {
      const name = `${families[index % families.length]}^BENCH ${index}`
      const study = {
        seed: `bench/small/${index}`,
        folder: '',
        patient: { name, id: `SMALL${index}`, issuer: '', birthDate: '19700101', sex: 'O' },
        date: '20260101',
        time: '120000',
        accessionNumber: `ACC${index}`,
        description: 'Small',
        referringPhysician: '',
      }
      return [writePart10([...commonElements(study, series, 1), ...pixelElements(format, pixels)])]
    },
  }
}
