import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Dicomweb, dicomwebOf } from './addresses.ts'
import type { CtSet } from './ct-set.ts'
import { openConnections, succeed } from './http-client.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { median, milliseconds, timesFaster } from './statistics.ts'

/** OHIF's requests before its first paint: study, series, metadata of the series, first frame. */
export const firstImage: Measurement = { name: 'first-image', title: 'From opening a study to its first image', run }

async function run(stage: Stage): Promise<Report> {
  const { ours, peer } = dicomwebOf(stage)
  const set = await stage.storedCt()
  const first: number[] = []
  const again: number[] = []
  const others: number[] = []
  for (let round = 0; round < stage.repeats; round++) {
    await rm(join(stage.hilum.dataFolder, 'cache', 'metadata'), { recursive: true, force: true })
    first.push(await chain(ours, set))
    others.push(await chain(peer, set))
    for (let more = 0; more < 3; more++) again.push(await chain(ours, set))
  }
  const row = (what: string, own: number[], goal: string) => [
    what,
    milliseconds(median(own)),
    milliseconds(median(others)),
    `${timesFaster(own, others)} as fast`,
    goal,
  ]
  return {
    table: [
      ['', 'Hilum', 'Orthanc', 'Hilum is', 'goal'],
      row('the first time a series is opened', first, '≥ 4 ×'),
      row('again', again, '≥ 4 ×'),
    ],
    notes: [
      'The four requests of OHIF 3.13 one after the other: QIDO study, QIDO series, series metadata (gzip, parsed as JSON), first frame; without a browser.',
    ],
  }
}

/** Milliseconds of the whole chain. @throws Error when an answer is not what the next request needs */
async function chain({ root, headers }: Dicomweb, set: CtSet): Promise<number> {
  const agent = openConnections(1)
  const json = { ...headers, accept: 'application/dicom+json', 'accept-encoding': 'gzip' }
  const start = performance.now()
  const study = await read(`${root}/studies?limit=101&offset=0&StudyInstanceUID=${set.studyUid}`)
  const series = await read(`${root}/studies/${uidOf(study[0], '0020000D')}/series`)
  const at = `${root}/studies/${set.studyUid}/series/${uidOf(series[0], '0020000E')}`
  const instances = await read(`${at}/metadata`)
  await succeed(agent, {
    url: `${at}/instances/${uidOf(instances[0], '00080018')}/frames/1`,
    headers: { ...headers, accept: 'multipart/related; type="application/octet-stream"; transfer-syntax=*' },
  })
  const ms = performance.now() - start
  agent.destroy()
  if (instances.length !== set.sopUids.length) throw new Error('The metadata lacks instances')
  return ms

  async function read(url: string): Promise<Attributes[]> {
    const answer = await succeed(agent, { url, headers: json, isKept: true })
    const bytes = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.body) : answer.body
    return JSON.parse(bytes.toString()) as Attributes[]
  }
}

type Attributes = Record<string, { Value?: unknown[] }>

function uidOf(attributes: Attributes | undefined, tag: string): string {
  const value = attributes?.[tag]?.Value?.[0]
  if (typeof value !== 'string') throw new Error(`An answer lacks ${tag}`)
  return value
}
