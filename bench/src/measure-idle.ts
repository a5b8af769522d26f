import { setTimeout as sleep } from 'node:timers/promises'
import type { Measurement, Report, Stage } from './measurement.ts'
import { peakBytes, residentBytes, residentBytesOfTree } from './process-use.ts'
import { megabytes } from './statistics.ts'

const SETTLE_MS = 10_000
const IDLE_MS = 30_000

/** CPU share of the idle servers, and their memory after the measurements before. */
export const idle: Measurement = { name: 'idle', title: 'Idle, and memory after the run', run }

async function run({ hilum, orthanc }: Stage): Promise<Report> {
  await sleep(SETTLE_MS)
  const [ours, peer] = [hilum.cpu(), orthanc.cpu()]
  await sleep(IDLE_MS)
  const share = (from: number, to: number) => `${(((to - from) * 1000 * 100) / IDLE_MS).toFixed(2)} %`
  const now = hilum.cpu()
  return {
    table: [
      ['', 'Hilum: server', 'Hilum: PostgreSQL', 'Orthanc', 'goal'],
      [
        'idle, share of one core',
        share(ours.server, now.server),
        share(ours.database, now.database),
        share(peer, orthanc.cpu()),
        '< 1 % in all',
      ],
      [
        'memory now',
        megabytes(residentBytes(hilum.pid)),
        megabytes(residentBytesOfTree(hilum.databasePid)),
        megabytes(residentBytes(orthanc.pid)),
        '',
      ],
      ['memory at most', megabytes(peakBytes(hilum.pid)), '–', megabytes(peakBytes(orthanc.pid)), '< 400 MB server'],
    ],
    notes: [
      `Measured over ${IDLE_MS / 1000} s after ${SETTLE_MS / 1000} s of rest, behind whatever was chosen to run before in the same processes.`,
      'PostgreSQL’s memory counts shared pages once (PSS) and holds its 256 MB of buffers as far as they were touched.',
    ],
  }
}
