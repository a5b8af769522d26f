import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Dicomweb, dicomwebOf } from './addresses.ts'
import { openConnections, succeed } from './http-client.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { megabytes, median, milliseconds, timesFaster } from './statistics.ts'

/** The metadata of a series of a thousand images, as a viewer asks for it. */
export const metadata: Measurement = { name: 'metadata', title: 'Series metadata', run }

async function run(stage: Stage): Promise<Report> {
  const { hilum, repeats } = stage
  const { ours, peer } = dicomwebOf(stage)
  const set = await stage.storedCt()
  const path = `/studies/${set.studyUid}/series/${set.seriesUid}/metadata`
  const first: number[] = []
  const firstOfPeer: number[] = []
  const kept: number[] = []
  const keptPlain: number[] = []
  const peerPlain: number[] = []
  let bytes = 0
  let plainBytes = 0
  for (let round = 0; round < repeats; round++) {
    await rm(join(hilum.dataFolder, 'cache', 'metadata'), { recursive: true, force: true })
    first.push((await get(ours, path, 'gzip')).ms)
    firstOfPeer.push((await get(peer, path, 'gzip')).ms)
    for (let again = 0; again < 5; again++) {
      const answer = await get(ours, path, 'gzip')
      kept.push(answer.ms)
      bytes = answer.bytes
      const plain = await get(ours, path, 'identity')
      keptPlain.push(plain.ms)
      plainBytes = plain.bytes
    }
    peerPlain.push((await get(peer, path, 'identity')).ms)
  }
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
      row('first time, gzip', first, firstOfPeer, ''),
      row('again, gzip', kept, firstOfPeer, '≥ 10 ×'),
      row('again, not compressed', keptPlain, peerPlain, ''),
    ],
    notes: [
      `1,000 instances: ${megabytes(plainBytes)} of DICOM JSON, ${megabytes(bytes)} with gzip, read to the end and not parsed; medians of ${repeats} rounds.`,
      'Hilum writes the answer once per state of images and record and sends it as it lies; Orthanc (plugin’s setting "Full") makes it each time.',
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
