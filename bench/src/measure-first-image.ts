import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Dicomweb, dicomwebOf } from './addresses.ts'
import { type CtSet, makeCtSet } from './ct-set.ts'
import { openConnections, succeed } from './http-client.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { loadOf, postToHilum, postToOrthanc } from './send-images.ts'
import { settle } from './settle.ts'
import { median, milliseconds, timesFaster } from './statistics.ts'

/** OHIF's requests before its first paint: study, series, metadata of the series, first frame. */
export const firstImage: Measurement = { name: 'first-image', title: 'From opening a study to its first image', run }

async function run(stage: Stage): Promise<Report> {
  const { hilum, orthanc, repeats } = stage
  const { ours, peer } = dicomwebOf(stage)
  const folder = join(hilum.dataFolder, 'cache', 'metadata')
  const settled: number[] = []
  const again: number[] = []
  const unsettled: number[] = []
  const othersFirst: number[] = []
  const others: number[] = []
  for (let round = 0; round < repeats; round++) {
    const set = await makeCtSet(`first-image-${round}`)
    await postToHilum(hilum, loadOf(set))
    await postToOrthanc(orthanc, loadOf(set))
    await rm(folder, { recursive: true, force: true })
    await settle(hilum, set, folder)
    settled.push(await chain(ours, set))
    othersFirst.push(await chain(peer, set, 'identity'))
    for (let more = 0; more < 3; more++) others.push(await chain(peer, set, 'identity'))
    for (let more = 0; more < 3; more++) again.push(await chain(ours, set))
    await rm(folder, { recursive: true, force: true })
    unsettled.push(await chain(ours, set))
  }
  const row = (what: string, own: number[], goal: string, peers = others) => [
    what,
    milliseconds(median(own)),
    milliseconds(median(peers)),
    `${timesFaster(own, peers)} as fast`,
    goal,
  ]
  return {
    table: [
      ['', 'Hilum', 'Orthanc', 'Hilum is', 'goal'],
      row('a settled series, opened for the first time', settled, '≥ 2 ×'),
      row('again', again, '≥ 4 ×'),
      row('while nothing is written ahead yet', unsettled, '', othersFirst),
    ],
    notes: [
      'The four requests of OHIF 3.13 one after the other: QIDO study, QIDO series, series metadata (parsed as JSON), first frame; without a browser. Hilum is asked with gzip, Orthanc without, which is its faster way. A settled series is compared with one of which Orthanc has the metadata made already. Each round has a study of its own.',
    ],
  }
}

/** Milliseconds of the whole chain. @throws Error when an answer is not what the next request needs */
async function chain({ root, headers }: Dicomweb, set: CtSet, encoding = 'gzip'): Promise<number> {
  const agent = openConnections(1)
  const json = { ...headers, accept: 'application/dicom+json', 'accept-encoding': encoding }
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
    const answer = await succeed(agent, { url, headers: json, isBodyRead: true })
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
