import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { zipAddress } from './addresses.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { forgetPeak, peakBytes, residentBytes } from './process-use.ts'
import { megabytes, spread } from './statistics.ts'

const READERS = 500
const TAKEN_BYTES = 64 * 1024
const PAUSE_MS = 1000
const PAUSES = 20
const BESIDE = 50

/** Many readers of archives who hardly read, and what others notice of them. */
export const slowReaders: Measurement = { name: 'slow-readers', title: 'Many slow readers of archives', run }

async function run(stage: Stage): Promise<Report> {
  const { hilum } = stage
  const set = await stage.storedCt()
  const url = zipAddress(hilum, set.studyUid)
  const ask = async () => {
    const start = performance.now()
    await hilum.call('study/list', { sid: hilum.sid, 'page.rows': 50, sort_by: 'created-desc' })
    return performance.now() - start
  }
  const askOften = async () => {
    const ms: number[] = []
    for (let count = 0; count < BESIDE; count++) {
      ms.push(await ask())
      await sleep((PAUSES * PAUSE_MS) / 4 / BESIDE)
    }
    return ms
  }
  const alone = await askOften()
  forgetPeak(hilum.pid)
  const before = residentBytes(hilum.pid)
  const readers = await Promise.all(Array.from({ length: READERS }, () => openReader(url)))
  const opened = peakBytes(hilum.pid)
  const reading = readSlowly(readers)
  const beside = await askOften()
  const taken = await reading
  const peak = peakBytes(hilum.pid)
  for (const reader of readers) reader.destroy()
  return {
    table: [
      ['', 'Hilum', 'goal'],
      ['server’s memory before', megabytes(before), ''],
      [`at most while ${READERS} open the archive at once`, megabytes(opened), '< 400 MB'],
      [`at most in ${(PAUSES * PAUSE_MS) / 1000} s of slow reading`, megabytes(peak), '< 400 MB'],
      ['study/list beside, median / p95', `${spread(beside)} (alone ${spread(alone)})`, ''],
    ],
    notes: [
      `Each takes ${TAKEN_BYTES / 1024} KB of the ZIP of a thousand CT images a second; ${megabytes(taken)} in all. PostgreSQL’s memory is not counted.`,
      'The bytes that wait in the sockets are the kernel’s, up to some megabytes a connection.',
    ],
  }
}

async function readSlowly(readers: readonly IncomingMessage[]): Promise<number> {
  let taken = 0
  for (let pause = 0; pause < PAUSES; pause++) {
    await sleep(PAUSE_MS)
    for (const reader of readers) taken += (reader.read(TAKEN_BYTES) as Buffer | null)?.length ?? 0
  }
  return taken
}

function openReader(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent: false }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`The archive was answered with ${answer.statusCode}`))
      answer.on('error', () => answer.destroy())
      answer.once('readable', () => resolve(answer))
    })
    asking.on('error', reject)
    asking.end()
  })
}
