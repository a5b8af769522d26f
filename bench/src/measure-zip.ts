import { orthancId } from './orthanc-server.ts'
import { zipAddress } from './addresses.ts'
import { type Exchange, openConnections, succeed } from './http-client.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { megabytes, median, milliseconds, seconds, times, timesFaster } from './statistics.ts'

/** The study as a ZIP, to nowhere as fast as it goes. */
export const zip: Measurement = { name: 'zip', title: 'Study out as ZIP', run }

async function run(stage: Stage): Promise<Report> {
  const { hilum, orthanc, repeats } = stage
  const set = await stage.storedCt()
  const archive = `${orthanc.address}/studies/${orthancId(set.patientId, set.studyUid)}/archive`
  const ours: Download[] = []
  const peer: Download[] = []
  for (let round = 0; round < repeats; round++) {
    ours.push(await download(zipAddress(hilum, set.studyUid), () => totalOf(hilum.cpu())))
    peer.push(await download(archive, orthanc.cpu))
  }
  const rate = (runs: readonly Download[]) =>
    `${seconds(walls(runs))} (${megabytes(set.bytes / median(walls(runs)))}/s)`
  const firstByte = (runs: readonly Download[]) => median(runs.map((one) => one.firstByteMs))
  const cpu = (runs: readonly Download[]) => median(runs.map((one) => one.cpuSeconds))
  return {
    table: [
      ['', 'Hilum', 'Orthanc', 'Hilum is', 'goal'],
      ['1,000 CT', rate(ours), rate(peer), `${timesFaster(walls(ours), walls(peer))} as fast`, '≥ 400 MB/s'],
      ['first byte', milliseconds(firstByte(ours)), milliseconds(firstByte(peer)), '', '< 50 ms'],
      ['CPU', `${cpu(ours).toFixed(2)} s`, `${cpu(peer).toFixed(2)} s`, `${times(cpu(ours) / cpu(peer))} its CPU`, ''],
      ['length of the archive', megabytes(ours[0]?.bytes ?? 0), megabytes(peer[0]?.bytes ?? 0), '', ''],
    ],
    notes: [
      `Bytes go to nowhere; the files lie in the page cache; medians of ${repeats}. The rate counts the bytes of the images, not those of the archive.`,
      'Orthanc deflates, which is most of its time; Hilum stores, so its archive is larger, its length is known beforehand, and it can be resumed.',
    ],
  }
}

type Download = Exchange & { cpuSeconds: number }

function walls(runs: readonly Download[]): number[] {
  return runs.map((one) => one.ms / 1000)
}

async function download(url: string, cpu: () => number): Promise<Download> {
  const agent = openConnections(1)
  const before = cpu()
  const answer = await succeed(agent, { url })
  agent.destroy()
  return { ...answer, cpuSeconds: cpu() - before }
}

function totalOf(cpu: { server: number; database: number }): number {
  return cpu.server + cpu.database
}
