import { spawn, spawnSync } from 'node:child_process'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, stopChild } from './child-process.ts'
import { type CtSet, ctSource, makeCtSet, writeCtSet } from './ct-set.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { buildLoopbackBind, startOrthanc } from './orthanc-server.ts'
import { megabytes, median, seconds, times, timesFaster } from './statistics.ts'

/**
 * CT images in by C-STORE, from a storescu as it comes, over one association and over four: to us, to Orthanc as it
 * comes and without delays of TCP, and to DCMTK's own receiver.
 */
export const cstore: Measurement = { name: 'cstore', title: 'Images in by C-STORE', run }

/** Fewer than elsewhere: the peers take a fifth of a second for four of them. */
const IMAGES = 200
const associationCounts = [1, 4] as const
const peers = ['ours', 'stock', 'tuned', 'storescp'] as const

async function run(stage: Stage): Promise<Report> {
  const { hilum, orthanc, folder, repeats } = stage
  const stock = await startOrthanc(join(folder, 'orthanc-stock'), false)
  const received = join(folder, 'storescp')
  await mkdir(received, { recursive: true })
  const port = await freePort()
  const storescp = spawn('storescp', ['+xa', '-pm', '-od', received, String(port)], {
    env: { ...process.env, LD_PRELOAD: buildLoopbackBind(folder) },
    stdio: 'ignore',
  })
  try {
    const receivers: Readonly<Record<Peer, Receiver>> = {
      ours: { title: 'HILUM', port: hilum.dicomPort, cpu: () => hilum.cpu().server + hilum.cpu().database },
      stock: { title: 'ORTHANC', port: stock.dicomPort, cpu: stock.cpu },
      tuned: { title: 'ORTHANC', port: orthanc.dicomPort, cpu: orthanc.cpu },
      storescp: { title: 'STORE', port, cpu: () => 0 },
    }
    const runs: Run[] = []
    let bytes = 0
    for (let round = 0; round < repeats; round++) {
      for (const associations of associationCounts) {
        const set = await makeCtSet(`cstore-${round}-${associations}`, IMAGES)
        bytes = set.bytes
        const images = join(folder, `cstore-${round}-${associations}`)
        const parts = await writeParts(set, images, associations)
        for (const peer of round % 2 === 0 ? peers : peers.toReversed()) {
          spawnSync('sync')
          runs.push({ peer, associations, ...(await send(parts, receivers[peer])) })
        }
        await rm(images, { recursive: true })
      }
    }
    return { table: associationCounts.flatMap((count) => table(runs, count, bytes)), notes: notes(bytes, repeats) }
  } finally {
    await stopChild(storescp)
    await stock.stop()
  }
}

type Peer = (typeof peers)[number]
type Receiver = { title: string; port: number; cpu: () => number }
type Sent = { wallSeconds: number; cpu: number }
type Run = Sent & { peer: Peer; associations: number }

/** The files of a set in as many folders as there are senders. */
async function writeParts(set: CtSet, images: string, count: number): Promise<string[]> {
  await writeCtSet(set, images)
  const parts = Array.from({ length: count }, (_, index) => join(images, `part-${index}`))
  for (const part of parts) await mkdir(part)
  for (const [index, name] of (await readdir(images)).filter((one) => one.endsWith('.dcm')).entries())
    await rename(join(images, name), join(parts[index % count] ?? images, name))
  return parts
}

/** An association for each folder, all at once; in each one image after the other, each answered before the next. */
async function send(folders: readonly string[], { title, port, cpu }: Receiver): Promise<Sent> {
  const before = cpu()
  const start = performance.now()
  await Promise.all(
    folders.map(async (folder) => {
      const sender = spawn('storescu', ['-aec', title, '127.0.0.1', String(port), '+sd', folder], { stdio: 'ignore' })
      const code = await new Promise((resolve) => sender.once('exit', resolve))
      if (code !== 0) throw new Error(`storescu ended with ${String(code)} when it sent to ${title}`)
    }),
  )
  return { wallSeconds: (performance.now() - start) / 1000, cpu: cpu() - before }
}

const named: Readonly<Record<Exclude<Peer, 'ours'>, string>> = {
  stock: 'Orthanc as it comes',
  tuned: 'Orthanc with TCP_NODELAY',
  storescp: 'storescp',
}
const goals: Readonly<Record<string, string>> = { '1 stock': '≥ 5 ×', '1 storescp': '≥ 0.7 ×' }

function table(runs: readonly Run[], associations: number, bytes: number): string[][] {
  const of = (peer: Peer) => runs.filter((run) => run.peer === peer && run.associations === associations)
  const wall = (peer: Peer) => of(peer).map((run) => run.wallSeconds)
  const cpu = (peer: Peer) => median(of(peer).map((run) => run.cpu))
  const rate = (peer: Peer) =>
    `${seconds(wall(peer))} (${(IMAGES / median(wall(peer))).toFixed(0)}/s, ${megabytes(bytes / median(wall(peer)))}/s)`
  const title = associations === 1 ? 'one association' : `${associations} associations`
  const others = ['stock', 'tuned', 'storescp'] as const
  return [
    ...(associations === associationCounts[0] ? [['', 'Hilum', 'the other', 'Hilum is', 'goal']] : []),
    ...others.map((peer) => [
      `${title}: ${named[peer]}`,
      rate('ours'),
      rate(peer),
      `${timesFaster(wall('ours'), wall(peer))} as fast`,
      goals[`${associations} ${peer}`] ?? '',
    ]),
    [
      `${title}: CPU, Orthanc with TCP_NODELAY`,
      `${cpu('ours').toFixed(2)} s`,
      `${cpu('tuned').toFixed(2)} s`,
      `${times(cpu('ours') / cpu('tuned'))} its CPU`,
      '',
    ],
  ]
}

function notes(bytes: number, repeats: number): string[] {
  return [
    `${ctSource}, UIDs and numbers rewritten: ${IMAGES} files, ${megabytes(bytes)}; storescu without any tuning (no TCP_NODELAY), a process for each association; medians of ${repeats} rounds, in turns, \`sync\` before each.`,
    'Hilum has forced file, folder and database to disk before each answer; Orthanc and storescp have not.',
    'Orthanc as it comes and storescp wait for delayed acknowledgements of TCP, about 40 ms an image, which is what hospitals meet with untuned programs.',
  ]
}
