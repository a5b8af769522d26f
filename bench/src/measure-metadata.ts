import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Dicomweb, dicomwebOf } from './addresses.ts'
import { makeCtSet } from './ct-set.ts'
import { openConnections, succeed } from './http-client.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { loadOf, postToHilum, postToOrthanc } from './send-images.ts'
import { type Ahead, settle } from './settle.ts'
import { megabytes, median, milliseconds, timesFaster } from './statistics.ts'

/** The metadata of a series of a thousand images, as a viewer asks for it. */
export const metadata: Measurement = { name: 'metadata', title: 'Series metadata', run }

async function run(stage: Stage): Promise<Report> {
  const { hilum, orthanc, repeats } = stage
  const { ours, peer } = dicomwebOf(stage)
  const folder = join(hilum.dataFolder, 'cache', 'metadata')
  const ahead: Ahead[] = []
  const settled: number[] = []
  const elsewhere: number[] = []
  const first: number[] = []
  const kept: number[] = []
  const cachedPlain: number[] = []
  const peerFirst: number[] = []
  const peerGzip: number[] = []
  const peerPlain: number[] = []
  let bytes = 0
  let plainBytes = 0
  for (let round = 0; round < repeats; round++) {
    const set = await makeCtSet(`metadata-${round}`)
    const path = `/studies/${set.studyUid}/series/${set.seriesUid}/metadata`
    await postToHilum(hilum, loadOf(set))
    await postToOrthanc(orthanc, loadOf(set))
    await rm(folder, { recursive: true, force: true })
    ahead.push(await settle(hilum, set, folder))
    settled.push((await get(ours, path, 'gzip')).ms)
    const byName = { ...ours, headers: { ...ours.headers, host: 'images.example.org' } }
    elsewhere.push((await get(byName, path, 'gzip')).ms)
    await rm(folder, { recursive: true, force: true })
    first.push((await get(ours, path, 'gzip')).ms)
    peerFirst.push((await get(peer, path, 'identity')).ms)
    for (let again = 0; again < 5; again++) {
      const answer = await get(ours, path, 'gzip')
      kept.push(answer.ms)
      bytes = answer.bytes
      const plain = await get(ours, path, 'identity')
      cachedPlain.push(plain.ms)
      plainBytes = plain.bytes
    }
    peerPlain.push((await get(peer, path, 'identity')).ms)
    peerGzip.push((await get(peer, path, 'gzip')).ms)
  }
  // what the peer has made once it sends again as it lies, as we do; not compressed that is often quicker
  const peerBest = median(peerGzip) < median(peerPlain) ? peerGzip : peerPlain
  const row = (what: string, own: number[], other: number[], goal: string) => [
    what,
    milliseconds(median(own)),
    milliseconds(median(other)),
    `${timesFaster(own, other)} as fast`,
    goal,
  ]
  return {
    table: [
      ['', 'Hilum', 'Orthanc', 'Hilum is', 'goal'],
      row('first time after the series settled, gzip', settled, peerBest, '≥ 2 ×'),
      row('first time by another address, gzip', elsewhere, peerBest, ''),
      row('nothing written ahead, gzip', first, peerFirst, ''),
      row('again, gzip', kept, peerBest, '≥ 10 ×'),
      row('again, not compressed', cachedPlain, peerPlain, ''),
    ],
    notes: [
      `1,000 instances: ${megabytes(plainBytes)} of DICOM JSON, ${megabytes(bytes)} with gzip, read to the end and not parsed; medians of ${repeats} rounds.`,
      `Hilum writes the answer once per state of images and record, when the series settles, and sends it as it lies; Orthanc (plugin’s setting "Full") the first time that it is asked (${milliseconds(median(peerFirst))}) or the series is stable. Wherever Hilum has it written, it is compared with what Orthanc takes once it has: the faster of ${milliseconds(median(peerGzip))} with gzip and ${milliseconds(median(peerPlain))} without.`,
      `Written ahead ${milliseconds(median(ahead.map((one) => one.ms)))} after the sender said that all was sent, with ${median(ahead.map((one) => one.cpu)).toFixed(2)} s of CPU, PostgreSQL included; whoever asks by another address than the installation’s own has the addresses in it replaced.`,
    ],
  }
}

async function get({ root, headers }: Dicomweb, path: string, encoding: string) {
  const agent = openConnections(1)
  const answer = await succeed(agent, {
    url: `${root}${path}`,
    headers: { ...headers, accept: 'application/dicom+json', 'accept-encoding': encoding },
  })
  agent.destroy()
  return answer
}
