import { spawnSync } from 'node:child_process'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './child-process.ts'
import { type CtSet, ctSource, makeCtSet, writeCtSet } from './ct-set.ts'
import {
  type DicomPeer,
  quick,
  type RunningPeer,
  runProgram,
  sendFolder,
  startArchive,
  startPeer,
} from './dicom-peers.ts'
import { type HilumServer, startHilum } from './hilum-server.ts'
import type { LoneMeasurement, Report } from './measurement.ts'
import { buildLoopbackBind } from './orthanc-server.ts'
import { loadOf, postToHilum } from './send-images.ts'
import { settle, writesAhead } from './settle.ts'
import { megabytes, median, seconds, timesFaster } from './statistics.ts'

/** Images to a PACS and from it: pushed to storescp beside storescu, retrieved from dcmqrscp beside movescu. */
export const gate: LoneMeasurement = { name: 'gate', title: 'Push and retrieve of 1,000 CT', run }

const IMAGES = 1_000
const ROUNDS = Number(process.env['HILUM_BENCH_REPEATS'] ?? 3)
const GOAL = '≥ 0.7 ×'
/** Between two questions for the end of a push or a retrieval: at 20 ms they were a quarter of the CPU of a retrieval. */
const ASK_MS = 50
const LIMIT_MS = 300_000
/** The node by which a new organisation calls others. */
const ownTitle = 'HILUM_NODE'

type Took = { wall: number; cpu: number }

async function run(folder: string): Promise<Report> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  await using opened = new AsyncDisposableStack()
  const hilum = await startHilum(join(folder, 'hilum'))
  opened.defer(() => hilum.stop())
  const mover = { title: 'MOVER', port: await freePort() }
  const archive = await startArchive(folder, ROUNDS * IMAGES, [mover, { title: ownTitle, port: hilum.dicomPort }])
  opened.defer(archive.stop)
  const receiver = await startReceiver(folder)
  opened.defer(receiver.stop)

  const pushed = await comparePushes(hilum, receiver.peer, folder)
  const retrieved = await compareRetrievals(hilum, archive.peer, mover, folder)
  const { bytes } = await makeCtSet('gate-push', IMAGES)
  return {
    table: [
      ['', 'Hilum', 'DCMTK', 'Hilum is', 'goal'],
      rowOf('push to storescp over one association, beside storescu', pushed.one, pushed.peer, bytes),
      rowOf('push as a destination is set up first, beside storescu', pushed.usual, pushed.peer, bytes),
      rowOf('retrieve from dcmqrscp by C-MOVE, beside movescu', retrieved.ours, retrieved.peer, bytes),
      cpuRow('push over one association', pushed.one),
      cpuRow('retrieve', retrieved.ours),
    ],
    notes: [
      `${ctSource}, UIDs and numbers rewritten: ${IMAGES.toLocaleString('en')} files, ${megabytes(bytes)}; ${ROUNDS} rounds of each in turns, \`sync\` before each, with TCP_NODELAY for DCMTK on both sides. storescu is measured over one association, the only way it has.`,
      'Times of DCMTK are those of whole programs. Times of Hilum run from the call until the call for its end tells it: the job, the look-up of the exam at the destination (refused by storescp), the rights and the record of each image are in them.',
      'Of what was retrieved Hilum has compared, indexed and forced to disk every image before its answer; movescu has written files.',
    ],
  }
}

async function comparePushes(hilum: HilumServer, receiver: DicomPeer, folder: string) {
  const set = await makeCtSet('gate-push', IMAGES)
  await postToHilum(hilum, loadOf(set))
  // work of its own, which must not fall into a push
  if (await writesAhead(hilum)) await settle(hilum, set, hilum.dataFolder)
  const images = join(folder, 'pushed')
  await writeCtSet(set, images)
  const destination = await addDestination(hilum, receiver, { can_push: 1, push_unchecked: 1 })
  const study = await uuidOf(hilum, set)
  const [usual, one, peer]: [Took[], Took[], Took[]] = [[], [], []]
  const usualCount = Number(
    (await hilum.call('destination/get', { sid: hilum.sid, uuid: destination }))['max_associations'],
  )
  const push = async (associations: number) => {
    await hilum.call('destination/set', { sid: hilum.sid, uuid: destination, max_associations: associations })
    return measured(hilum, () => pushStudy(hilum, study, destination))
  }
  const turns = [
    async () => usual.push(await push(usualCount)),
    async () => peer.push(await measured(hilum, () => sendFolder(receiver, images))),
    async () => one.push(await push(1)),
  ]
  for (let round = 0; round < ROUNDS; round++) {
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
  }
  await rm(images, { recursive: true })
  return { usual, one, peer }
}

async function compareRetrievals(hilum: HilumServer, archive: DicomPeer, mover: DicomPeer, folder: string) {
  const destination = await addDestination(hilum, archive, { can_search: 1, can_query_retrieve: 1 })
  const [ours, peer]: [Took[], Took[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    // an exam that is here already would be compared and not stored
    const set = await makeCtSet(`gate-retrieve-${round}`, IMAGES)
    const images = join(folder, 'held')
    await writeCtSet(set, images)
    await sendFolder(archive, images)
    await rm(images, { recursive: true })
    const turns = [
      async () => ours.push(await measured(hilum, await retrievalOf(hilum, destination, set))),
      async () => peer.push(await measured(hilum, () => moveStudy(archive, mover, set, folder))),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
  }
  return { ours, peer }
}

async function measured(hilum: HilumServer, act: () => Promise<void>): Promise<Took> {
  spawnSync('sync')
  const used = () => hilum.cpu().server + hilum.cpu().database
  const before = used()
  const start = performance.now()
  await act()
  return { wall: (performance.now() - start) / 1000, cpu: used() - before }
}

async function pushStudy({ call, sid }: HilumServer, study: string, destination: string): Promise<void> {
  await call('study/push', { sid, uuid: study, destination_id: destination })
  await until(async () => {
    const { study_push_status } = await call('study/get', { sid, uuid: study })
    const pushes = study_push_status as { status: string; status_reason: string; updated: string }[]
    const newest = pushes.toSorted((a, b) => b.updated.localeCompare(a.updated))[0]
    if (newest?.status === 'F') throw new Error(`The push failed: ${newest.status_reason}`)
    return newest?.status === 'S'
  })
}

/** Searches for an exam at a destination. @returns its retrieval, to be measured without the search */
async function retrievalOf({ call, sid, namespace }: HilumServer, destination: string, set: CtSet) {
  const criteria = { copy_to: namespace, patientid: set.patientId }
  const { uuid } = await call('destination/search', { sid, uuid: destination, ...criteria })
  const answer = () => call('destination/search/get', { sid, uuid })
  await until(async () => {
    const { state, message } = await answer()
    if (state === 'failed') throw new Error(`The search failed: ${String(message)}`)
    return state === 'done'
  })
  return async () => {
    await call('destination/retrieve', { sid, destination_search_id: uuid, study_uid: set.studyUid })
    await until(async () => {
      const { results } = await answer()
      const [found] = results as { retrieval: { state: string; message: string; completed: number } | null }[]
      const { state = '', message = '', completed = 0 } = found?.retrieval ?? {}
      if (state === 'failed' || state === 'partial') throw new Error(`The retrieval failed: ${message}`)
      return state === 'done' && completed === IMAGES
    })
  }
}

async function moveStudy(archive: DicomPeer, mover: DicomPeer, set: CtSet, folder: string): Promise<void> {
  const out = join(folder, 'moved')
  await mkdir(out)
  const keys = ['-k', 'QueryRetrieveLevel=STUDY', '-k', `StudyInstanceUID=${set.studyUid}`]
  const titles = ['-aet', mover.title, '-aec', archive.title, '-S', '--port', String(mover.port)]
  const env = { ...quick, LD_PRELOAD: buildLoopbackBind(folder) }
  await runProgram('movescu', [...titles, '-od', out, ...keys, '127.0.0.1', String(archive.port)], env)
  await rm(out, { recursive: true })
}

async function startReceiver(folder: string): Promise<RunningPeer> {
  const [port, title, place] = [await freePort(), 'STORE', join(folder, 'storescp')]
  await mkdir(place)
  return startPeer(folder, 'storescp', ['--fork', '-od', place, String(port)], { title, port })
}

async function addDestination(
  { call, sid }: HilumServer,
  { title, port }: DicomPeer,
  may: Record<string, number>,
): Promise<string> {
  const { accounts } = (await call('account/list', { sid })) as { accounts: { uuid: string }[] }
  const place = { account_id: accounts[0]?.uuid, name: title, aetitle: title, address: '127.0.0.1', port }
  return String((await call('destination/add', { sid, ...place, ...may })).uuid)
}

async function uuidOf({ call, sid }: HilumServer, { studyUid }: CtSet): Promise<string> {
  const { studies } = await call('study/list', { sid, 'filter.study_uid.equals': studyUid })
  return (studies as { uuid: string }[])[0]?.uuid ?? ''
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const start = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - start > LIMIT_MS) throw new Error('The exam was not on its way to its end')
    await sleep(ASK_MS)
  }
}

function rowOf(what: string, ours: readonly Took[], peer: readonly Took[], bytes: number): string[] {
  const walls = (runs: readonly Took[]) => runs.map((one) => one.wall)
  const rate = (runs: readonly Took[]) => `${seconds(walls(runs))} (${megabytes(bytes / median(walls(runs)))}/s)`
  return [what, rate(ours), rate(peer), `${timesFaster(walls(ours), walls(peer))} as fast`, GOAL]
}

function cpuRow(what: string, ours: readonly Took[]): string[] {
  return [`${what}: CPU of server and PostgreSQL`, `${median(ours.map((one) => one.cpu)).toFixed(2)} s`, '', '', '']
}
