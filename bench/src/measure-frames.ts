import { type Dicomweb, dicomwebOf, thumbnailAddress } from './addresses.ts'
import { openConnections, succeed } from './http-client.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { orthancId } from './orthanc-server.ts'
import { percentile, spread, times, timesFaster } from './statistics.ts'

const FRAMES = 300

/** Frames and small pictures, one by one over one connection. */
export const frames: Measurement = { name: 'frames', title: 'Frames and thumbnails one by one', run }

async function run(stage: Stage): Promise<Report> {
  const { hilum, orthanc } = stage
  const { ours, peer } = dicomwebOf(stage)
  const set = await stage.storedCt()
  const sopUids = set.sopUids.slice(0, FRAMES)
  const frameOf = ({ root }: Dicomweb, sopUid: string) =>
    `${root}/studies/${set.studyUid}/series/${set.seriesUid}/instances/${sopUid}/frames/1`
  const accept = { accept: 'multipart/related; type="application/octet-stream"; transfer-syntax=*' }
  const previewOf = (sopUid: string) =>
    `${orthanc.address}/instances/${orthancId(set.patientId, set.studyUid, set.seriesUid, sopUid)}/preview`
  const thumbnailOf = (sopUid: string) => thumbnailAddress(hilum, set.studyUid, sopUid)

  // a few first, unmeasured: code that never ran is compiled while it is timed
  await askAll(
    sopUids.slice(-20).map((sopUid) => frameOf(ours, sopUid)),
    { ...ours.headers, ...accept },
    ourCpu(stage),
  )
  await askAll(
    sopUids.slice(-20).map((sopUid) => frameOf(peer, sopUid)),
    accept,
    orthanc.cpu,
  )
  const oursFrames = await askAll(
    sopUids.map((one) => frameOf(ours, one)),
    { ...ours.headers, ...accept },
    ourCpu(stage),
  )
  const peerFrames = await askAll(
    sopUids.map((one) => frameOf(peer, one)),
    accept,
    orthanc.cpu,
  )
  const previews = await askAll(sopUids.map(previewOf), {}, orthanc.cpu)
  const drawn = await askAll(sopUids.map(thumbnailOf), {}, ourCpu(stage))
  const kept = await askAll(sopUids.map(thumbnailOf), {}, ourCpu(stage))

  const row = (what: string, own: Asked, other: Asked, goal: string) => [
    what,
    spread(own.ms),
    spread(other.ms),
    `${timesFaster(own.ms, other.ms)} as fast (p95 ${times(percentile(other.ms, 0.95) / percentile(own.ms, 0.95))})`,
    perRequest(own),
    perRequest(other),
    goal,
  ]
  return {
    table: [
      ['median / p95', 'Hilum', 'Orthanc', 'Hilum is', 'CPU each', 'Orthanc’s', 'goal'],
      row('frame of 524 kB', oursFrames, peerFrames, 'as fast'),
      row('thumbnail from cache, Orthanc: preview', kept, previews, 'as fast'),
      row('thumbnail drawn now, Orthanc: preview', drawn, previews, ''),
    ],
    notes: [
      `${FRAMES} images one after the other over one open connection. Every request of Hilum’s checks session, role, record and source again and has its access on record.`,
      'Orthanc’s preview is a PNG of the full 512×512 pixels; Hilum’s thumbnail a JPEG of 256×256, drawn once and kept.',
    ],
  }
}

type Asked = { ms: number[]; cpuSeconds: number }

async function askAll(urls: readonly string[], headers: Record<string, string>, cpu: () => number): Promise<Asked> {
  const agent = openConnections(1)
  const before = cpu()
  const ms: number[] = []
  for (const url of urls) ms.push((await succeed(agent, { url, headers })).ms)
  agent.destroy()
  return { ms, cpuSeconds: cpu() - before }
}

function ourCpu({ hilum }: Stage): () => number {
  return () => {
    const { server, database } = hilum.cpu()
    return server + database
  }
}

function perRequest({ ms, cpuSeconds }: Asked): string {
  return `${((cpuSeconds / ms.length) * 1000).toFixed(2)} ms`
}
