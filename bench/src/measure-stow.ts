import { spawnSync } from 'node:child_process'
import { type Dicomweb, dicomwebOf } from './addresses.ts'
import { ctSource, type CtSet, makeCtSet } from './ct-set.ts'
import { inParallel, openConnections, succeed } from './http-client.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { type Sent, speedRows } from './send-images.ts'
import { megabytes } from './statistics.ts'

const IMAGES_PER_REQUEST = 50
const SENDERS = 2

/** A thousand CT images in by STOW, fifty a request. */
export const stow: Measurement = { name: 'stow', title: 'Images in by STOW', run }

async function run(stage: Stage): Promise<Report> {
  const { hilum, orthanc } = stage
  const { ours, peer } = dicomwebOf(stage)
  const sent: { ours: Sent[]; peer: Sent[] } = { ours: [], peer: [] }
  let bytes = 0
  for (let round = 0; round < stage.repeats; round++) {
    const set = await makeCtSet(`stow-${round}`)
    bytes = set.bytes
    const both = [
      async () => sent.ours.push(await store(ours, set, hilum.cpu)),
      async () => sent.peer.push(await store(peer, set, () => ({ server: orthanc.cpu(), database: 0 }))),
    ]
    for (const one of round % 2 === 0 ? both : both.toReversed()) {
      spawnSync('sync')
      await one()
    }
  }
  return {
    table: [
      ['', 'Hilum', 'Orthanc', 'Hilum is', 'goal'],
      ...speedRows('1,000 new images', sent, bytes, '≥ 1.4 ×', 'CPU ≤ Orthanc’s'),
    ],
    notes: [
      `${ctSource}, UIDs and numbers rewritten: 1,000 files, ${megabytes(bytes)}; ${IMAGES_PER_REQUEST} a request over ${SENDERS} connections; medians of ${stage.repeats} rounds, in turns, \`sync\` before each.`,
      'Hilum has forced file, folder and database to disk before it answers; Orthanc has not.',
    ],
  }
}

async function store(
  { root, headers }: Dicomweb,
  set: CtSet,
  cpu: () => { server: number; database: number },
): Promise<Sent> {
  const agent = openConnections(SENDERS)
  const before = cpu()
  const start = performance.now()
  await inParallel(Math.ceil(set.sopUids.length / IMAGES_PER_REQUEST), SENDERS, async (request) => {
    await succeed(agent, {
      method: 'POST',
      url: `${root}/studies`,
      headers: {
        ...headers,
        accept: 'application/dicom+json',
        'content-type': 'multipart/related; type="application/dicom"; boundary=bench',
      },
      body: partsFrom(set, request * IMAGES_PER_REQUEST),
    })
  })
  const wallSeconds = (performance.now() - start) / 1000
  const after = cpu()
  agent.destroy()
  return { wallSeconds, serverCpu: after.server - before.server, databaseCpu: after.database - before.database }
}

function partsFrom(set: CtSet, first: number): Uint8Array[] {
  const count = Math.min(IMAGES_PER_REQUEST, set.sopUids.length - first)
  const head = Buffer.from('\r\n--bench\r\nContent-Type: application/dicom\r\n\r\n')
  const parts = Array.from({ length: count }, (_, index) => [head, ...set.file(first + index)]).flat()
  return [...parts, Buffer.from('\r\n--bench--\r\n')]
}
