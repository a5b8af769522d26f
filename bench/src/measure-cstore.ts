import { spawn, spawnSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, stopChild } from './child-process.ts'
import { ctSource, makeCtSet, writeCtSet } from './ct-set.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { buildLoopbackBind, startOrthanc } from './orthanc-server.ts'
import { megabytes, median, seconds, times, timesFaster } from './statistics.ts'

/** CT images in by C-STORE, from a storescu as it comes: to us, to Orthanc as it comes, and to DCMTK's own receiver. */
export const cstore: Measurement = { name: 'cstore', title: 'Images in by C-STORE', run }

/** Fewer than elsewhere: the peers take a fifth of a second for four of them. */
const IMAGES = 200

async function run(stage: Stage): Promise<Report> {
  const { hilum, folder, repeats } = stage
  const stock = await startOrthanc(join(folder, 'orthanc-stock'), false)
  const received = join(folder, 'storescp')
  await mkdir(received, { recursive: true })
  const port = await freePort()
  const storescp = spawn('storescp', ['+xa', '-pm', '-od', received, String(port)], {
    env: { ...process.env, LD_PRELOAD: buildLoopbackBind(folder) },
    stdio: 'ignore',
  })
  try {
    const runs = { ours: [] as Sent[], orthanc: [] as Sent[], storescp: [] as Sent[] }
    let bytes = 0
    for (let round = 0; round < repeats; round++) {
      const set = await makeCtSet(`cstore-${round}`, IMAGES)
      bytes = set.bytes
      const images = join(folder, `cstore-${round}`)
      await writeCtSet(set, images)
      spawnSync('sync')
      const to = (title: string, at: number, cpu: () => number) => send(images, title, at, cpu)
      const ourCpu = () => hilum.cpu().server + hilum.cpu().database
      runs.ours.push(await to('HILUM', hilum.dicomPort, ourCpu))
      runs.orthanc.push(await to('ORTHANC', stock.dicomPort, () => stock.cpu()))
      runs.storescp.push(await to('STORE', port, () => 0))
      await rm(images, { recursive: true })
    }
    return { table: table(runs, bytes), notes: notes(bytes, repeats) }
  } finally {
    await stopChild(storescp)
    await stock.stop()
  }
}

type Sent = { wallSeconds: number; cpu: number }
type Runs = { ours: Sent[]; orthanc: Sent[]; storescp: Sent[] }

/** One association, one image after the other, each answered before the next. */
async function send(images: string, title: string, port: number, cpu: () => number): Promise<Sent> {
  const before = cpu()
  const start = performance.now()
  const sender = spawn('storescu', ['-aec', title, '127.0.0.1', String(port), '+sd', images], { stdio: 'ignore' })
  const code = await new Promise((resolve) => sender.once('exit', resolve))
  if (code !== 0) throw new Error(`storescu ended with ${String(code)} when it sent to ${title}`)
  return { wallSeconds: (performance.now() - start) / 1000, cpu: cpu() - before }
}

function table(runs: Runs, bytes: number): string[][] {
  const wall = (sent: readonly Sent[]) => sent.map((one) => one.wallSeconds)
  const cpu = (sent: readonly Sent[]) => median(sent.map((one) => one.cpu))
  const rate = (sent: readonly Sent[]) =>
    `${seconds(wall(sent))} (${(IMAGES / median(wall(sent))).toFixed(0)}/s, ${megabytes(bytes / median(wall(sent)))}/s)`
  return [
    ['', 'Hilum', 'the other', 'Hilum is', 'goal'],
    [
      'stock Orthanc',
      rate(runs.ours),
      rate(runs.orthanc),
      `${timesFaster(wall(runs.ours), wall(runs.orthanc))} as fast`,
      '≥ 5 ×',
    ],
    ['storescp', '', rate(runs.storescp), `${timesFaster(wall(runs.ours), wall(runs.storescp))} as fast`, '≥ 0.7 ×'],
    [
      'stock Orthanc: CPU',
      `${cpu(runs.ours).toFixed(2)} s`,
      `${cpu(runs.orthanc).toFixed(2)} s`,
      `${times(cpu(runs.ours) / cpu(runs.orthanc))} its CPU`,
      '',
    ],
  ]
}

function notes(bytes: number, repeats: number): string[] {
  return [
    `${ctSource}, UIDs and numbers rewritten: ${IMAGES} files, ${megabytes(bytes)}; storescu without any tuning (no TCP_NODELAY), one association; medians of ${repeats} rounds.`,
    'Hilum has forced file, folder and database to disk before each answer; Orthanc and storescp have not.',
    'Both others wait for delayed acknowledgements of TCP, about 40 ms an image, which is what hospitals meet with untuned programs.',
  ]
}
