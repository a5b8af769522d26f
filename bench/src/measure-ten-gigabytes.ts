import { zipAddress } from './addresses.ts'
import { makeCtSet } from './ct-set.ts'
import { openConnections, succeed } from './http-client.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { forgetPeak, peakBytes, residentBytes } from './process-use.ts'
import { loadOf, postToHilum } from './send-images.ts'
import { megabytes, milliseconds } from './statistics.ts'

const IMAGES = 19_000

/** One study of ten gigabytes in and out again. Takes some minutes and as much disk; runs only when it is named. */
export const tenGigabytes: Measurement = {
  name: 'ten-gigabytes',
  title: 'One study of ten gigabytes',
  isOnlyByName: true,
  run,
}

async function run({ hilum }: Stage): Promise<Report> {
  const set = await makeCtSet('ten-gigabytes', IMAGES)
  const before = residentBytes(hilum.pid)
  forgetPeak(hilum.pid)
  const sent = await postToHilum(hilum, loadOf(set))
  const peakIn = peakBytes(hilum.pid)
  forgetPeak(hilum.pid)
  const cpuBefore = hilum.cpu()
  const agent = openConnections(1)
  const out = await succeed(agent, { url: zipAddress(hilum, set.studyUid) })
  agent.destroy()
  const cpu = hilum.cpu()
  const peakOut = peakBytes(hilum.pid)
  const outCpu = cpu.server + cpu.database - cpuBefore.server - cpuBefore.database
  const rate = (ms: number) => `${megabytes((set.bytes * 1000) / ms)}/s`
  return {
    table: [
      ['', 'time', 'rate', 'CPU', 'server’s memory at most', 'goal'],
      [
        'in by POST ×4',
        `${sent.wallSeconds.toFixed(0)} s`,
        rate(sent.wallSeconds * 1000),
        `${(sent.serverCpu + sent.databaseCpu).toFixed(0)} s`,
        `${megabytes(peakIn)} (${megabytes(before)} before)`,
        '< 400 MB',
      ],
      [
        'out as ZIP',
        `${(out.ms / 1000).toFixed(0)} s, first byte ${milliseconds(out.firstByteMs)}`,
        rate(out.ms),
        `${outCpu.toFixed(0)} s`,
        megabytes(peakOut),
        '< 400 MB',
      ],
    ],
    notes: [
      `${IMAGES.toLocaleString('en')} CT images, ${megabytes(set.bytes)}, in one series; the archive is ${megabytes(out.bytes)} long. PostgreSQL’s memory is not counted.`,
    ],
  }
}
