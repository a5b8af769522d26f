import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@hilum/server/db/embedded-postgres'
import pg from 'pg'
import { type Filled, fillStudies, GROUPS, OWN_GROUPS } from './fill-studies.ts'
import { type HilumServer, startHilum } from './hilum-server.ts'
import type { LoneMeasurement, Report } from './measurement.ts'
import { milliseconds, percentile } from './statistics.ts'
import { type Sample, tags } from './study-rows.ts'

const ASKED = 40
const WARM_UP = 5

type Question = { what: string; path: string; input: (sample: Sample, round: number) => Record<string, unknown> }

/** The dashboard's questions, asked over HTTP, of installations with so many studies each. */
export const studySearch: LoneMeasurement = { name: 'study-search', title: 'Finding studies among many', run }

async function run(folder: string): Promise<Report> {
  const sizes = (process.env['HILUM_BENCH_STUDIES'] ?? '100000').split(',').map(Number)
  const columns: Answers[] = []
  for (const size of sizes) columns.push(await measure(join(folder, `search-${size}`), size))
  const [first] = columns
  return {
    table: [
      ['median / p95', ...sizes.map((size) => `${size.toLocaleString('en')} studies`), 'goal'],
      ...[...(first?.keys() ?? [])].map((what) => [
        what,
        ...columns.map((answers) => answerOf(answers.get(what))),
        'p95 ≤ 50 ms, most ≤ 15',
      ]),
    ],
    notes: [
      `${GROUPS} groups, the largest with a third of the studies; whoever asks belongs to ${OWN_GROUPS}. ${ASKED} different questions of each kind, one after the other, over HTTP with session and rights, 50 rows a page with counts, marks and locks.`,
      'The rows are made up and copied in, then analysed; PostgreSQL runs as the product starts it.',
    ],
  }
}

type Answers = Map<string, { ms: number[]; rows: number }>

async function measure(folder: string, size: number): Promise<Answers> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const database = await startEmbeddedPostgres(join(folder, 'postgres'))
  try {
    const hilum = await startHilum(join(folder, 'hilum'), database)
    try {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      const filled = await fillStudies(client, folder, size).finally(() => client.end())
      return await askAll(hilum, filled)
    } finally {
      await hilum.stop()
    }
  } finally {
    await database.stop()
  }
}

async function askAll(hilum: HilumServer, filled: Filled): Promise<Answers> {
  const answers: Answers = new Map()
  for (const question of questionsAbout(filled)) {
    const ms: number[] = []
    let found = 0
    for (let round = 0; round < ASKED + WARM_UP; round++) {
      const sample = filled.samples[(round * 7) % filled.samples.length] as Sample
      const input = { sid: hilum.sid, ...question.input(sample, round) }
      const start = performance.now()
      const answer = await hilum.call(question.path, input)
      if (round < WARM_UP) continue
      ms.push(performance.now() - start)
      found += Array.isArray(answer.studies) ? answer.studies.length : Number(answer.count)
    }
    answers.set(question.what, { ms, rows: Math.round(found / ASKED) })
  }
  return answers
}

function questionsAbout({ namespaces }: Filled): Question[] {
  const [largest = '', ...others] = namespaces
  const small = others[OWN_GROUPS * 2 + 3 - ((OWN_GROUPS * 2 + 3 + 1) % 4)] ?? ''
  const inLargest = { 'filter.phi_namespace.equals': largest }
  const newest = { sort_by: 'created-desc', 'page.rows': 50 }
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const list = (what: string, input: Question['input']): Question => ({ what, path: 'study/list', input })
  return [
    list('newest 50 of the largest group', () => ({ ...inLargest, ...newest })),
    list('newest 50 of a small group', () => ({ 'filter.phi_namespace.equals': small, ...newest })),
    list('part of a name as they come', ({ lastName }) => ({
      ...inLargest,
      ...newest,
      'filter.patient_name.like': `%${lastName.slice(1)}%`,
    })),
    list('part of a common name', () => ({ ...inLargest, ...newest, 'filter.patient_name.like': '%smit%' })),
    list('a name that nobody has', (_, round) => ({
      ...inLargest,
      ...newest,
      'filter.patient_name.like': `%xq${round}zvw%`,
    })),
    list('two letters of a name', () => ({ ...inLargest, ...newest, 'filter.patient_name.like': '%sm%' })),
    list('accession number', ({ accession }) => ({ ...newest, 'filter.accession_number.equals': accession })),
    list('MRN', ({ patientId }) => ({ ...newest, 'filter.patientid.equals': patientId })),
    list('90 days, 3 modalities, a tag', (_, round) => ({
      ...inLargest,
      ...newest,
      'filter.study_date.ge': ago(90),
      'filter.modality.in': '["MR","US","DX"]',
      'filter.tags.in': JSON.stringify([tags[round % 40]]),
    })),
    list(`newest 50 of ${OWN_GROUPS} groups`, () => newest),
    list(`part of a name in ${OWN_GROUPS} groups`, ({ lastName }) => ({
      ...newest,
      'filter.patient_name.like': `%${lastName.slice(1)}%`,
    })),
    list(`part of a common name in ${OWN_GROUPS} groups`, () => ({ ...newest, 'filter.patient_name.like': '%smit%' })),
    list('page 200 of the largest group', () => ({ ...inLargest, ...newest, 'page.number': 200 })),
    list('by exam date', () => ({ ...inLargest, sort_by: 'study_date-desc', 'page.rows': 50 })),
    list('by name', () => ({ ...inLargest, sort_by: 'patient_name-asc', 'page.rows': 50 })),
    list('one box: name, MRN or accession', ({ accession }) => ({
      ...inLargest,
      ...newest,
      'filter.SMART_SEARCH.equals': accession,
    })),
    { what: 'count of the largest group, capped', path: 'study/count', input: () => ({ ...inLargest, cap: 10_000 }) },
  ]
}

function answerOf(answer: { ms: number[]; rows: number } | undefined): string {
  if (!answer) return '–'
  const { ms, rows } = answer
  return `${milliseconds(percentile(ms, 0.5))} / ${milliseconds(percentile(ms, 0.95))} (${rows.toLocaleString('en')} found)`
}
