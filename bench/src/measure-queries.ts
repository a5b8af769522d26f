import { spawn } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newUid } from '@hilum/dicom/uid'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { concatBytes, encodeElements, type WriteElement, writeMeta, writePart10 } from '@hilum/dicom/write-part10'
import { freePort } from './child-process.ts'
import { type DicomPeer, quick, type RunningPeer, sendFolder, startArchive, startPeer } from './dicom-peers.ts'
import { type HilumServer, startHilum } from './hilum-server.ts'
import type { LoneMeasurement, Report } from './measurement.ts'
import { median, milliseconds, spread, timesFaster } from './statistics.ts'

/** Queries of a peer with a thousand answers each: C-FIND beside dcmqrscp, the worklist beside wlmscpfs. */
export const queries: LoneMeasurement = { name: 'queries', title: 'C-FIND and worklist with 1,000 answers', run }

const ANSWERS = 1_000
const ROUNDS = Number(process.env['HILUM_BENCH_REPEATS'] ?? 3) * 3

async function run(folder: string): Promise<Report> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  await using opened = new AsyncDisposableStack()
  const hilum = await startHilum(join(folder, 'hilum'))
  opened.defer(() => hilum.stop())
  const ours: DicomPeer = { title: 'HILUM', port: hilum.dicomPort }
  await letAsk(hilum)
  const items = Array.from({ length: ANSWERS }, (_, number) => itemOf(number))
  const archive = await startArchive(folder, ANSWERS)
  opened.defer(archive.stop)
  const worklist = await startWorklist(folder, items)
  opened.defer(worklist.stop)
  await fillArchives([ours, archive.peer], folder)
  await fillOrders(hilum, items)

  const level = ['QueryRetrieveLevel=IMAGE', `StudyInstanceUID=${studyUid}`, `SeriesInstanceUID=${seriesUid}`]
  const images = ['-S', ...keys(...level, 'SOPInstanceUID', 'InstanceNumber', 'SOPClassUID')]
  const steps = ['-W', ...keys('PatientName', 'PatientID', 'StudyInstanceUID', 'AccessionNumber', ...stepKeys)]
  const found = await compare(hilum, ours, archive.peer, images)
  const scheduled = await compare(hilum, ours, worklist.peer, steps)
  return {
    table: [
      ['median / p95', 'Hilum', 'DCMTK', 'Hilum is', 'others wait (median of the slowest)'],
      rowOf('C-FIND of 1,000 images, dcmqrscp', found),
      rowOf('worklist of 1,000 steps, wlmscpfs', scheduled),
    ],
    notes: [
      `${ANSWERS.toLocaleString('en')} images of one series (the index of dcmqrscp ends at 500 studies) and as many orders of one step; findscu asks for all of them, ${ROUNDS} times of each in turns, with TCP_NODELAY for DCMTK on both sides. All find the same number.`,
      'Times are those of the whole program findscu, its start and its printing included. Others: the slowest answer of a small call of the API (`session/user`), asked over and over while Hilum answers one query more.',
    ],
  }
}

const stepKeys = ['Modality', 'ScheduledStationAETitle', 'ScheduledProcedureStepStartDate'].map(
  (name) => `ScheduledProcedureStepSequence[0].${name}`,
)

function keys(...names: string[]): string[] {
  return names.flatMap((name) => ['-k', name])
}

type Compared = { ours: number[]; peer: number[]; waits: number[] }

async function compare(
  hilum: HilumServer,
  ours: DicomPeer,
  peer: DicomPeer,
  asked: readonly string[],
): Promise<Compared> {
  const compared: Compared = { ours: [], peer: [], waits: [] }
  const askOurs = async () => compared.ours.push(await ask(ours, asked))
  const askPeer = async () => compared.peer.push(await ask(peer, asked))
  // the first of each is not counted
  await ask(ours, asked)
  await ask(peer, asked)
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) await askOurs()
    await askPeer()
    if (round % 2 === 1) await askOurs()
    // an asking of its own: the peer is asked by nobody else either
    const waiting = slowestCall(hilum)
    await ask(ours, asked)
    compared.waits.push(await waiting.end())
  }
  return compared
}

function rowOf(what: string, { ours, peer, waits }: Compared): string[] {
  return [what, spread(ours), spread(peer), `${timesFaster(ours, peer)} as fast`, milliseconds(median(waits))]
}

/** Asks everything of a peer. @returns milliseconds */
async function ask({ title, port }: DicomPeer, asked: readonly string[]): Promise<number> {
  const start = performance.now()
  const child = spawn('findscu', ['-v', '-aec', title, ...asked, '127.0.0.1', String(port)], { env: quick })
  let answers = 0
  let rest = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('latin1').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      answers += lines.filter((line) => /Find Response:? \d+ \(Pending/.test(line)).length
    })
  }
  const code = await new Promise((resolve) => child.once('close', resolve))
  const ms = performance.now() - start
  if (code !== 0 || answers !== ANSWERS)
    throw new Error(`${title} gave ${answers} answers, findscu ended with ${String(code)}`)
  return ms
}

/** Makes a small call over and over. @returns `end` gives the longest that one of them took, in milliseconds */
function slowestCall({ call, sid }: HilumServer): { end: () => Promise<number> } {
  const over = new AbortController()
  const asking = (async () => {
    let slowest = 0
    do {
      const start = performance.now()
      await call('session/user', { sid })
      slowest = Math.max(slowest, performance.now() - start)
    } while (!over.signal.aborted)
    return slowest
  })()
  return {
    end: () => {
      over.abort()
      return asking
    },
  }
}

/** Lets this machine query the group and its worklist. */
async function letAsk({ call, sid }: HilumServer): Promise<void> {
  const { accounts } = (await call('account/list', { sid })) as { accounts: { uuid: string }[] }
  const { groups } = (await call('group/list', { sid, account_id: accounts[0]?.uuid })) as {
    groups: { uuid: string }[]
  }
  const askers = ['127.0.0.1']
  await call('group/set', { sid, uuid: groups[0]?.uuid, dicom_query_peers: askers, dicom_worklist_peers: askers })
}

async function startWorklist(folder: string, items: readonly Item[]): Promise<RunningPeer> {
  const [port, title, place] = [await freePort(), 'RIS', join(folder, 'worklists')]
  await mkdir(join(place, title), { recursive: true })
  await writeFile(join(place, title, 'lockfile'), '')
  for (const item of items) await writeFile(join(place, title, `${item.number}.wl`), worklistFile(item))
  return startPeer(folder, 'wlmscpfs', ['-dfp', place, '-dfr', String(port)], { title, port })
}

interface Item {
  number: number
  name: string
  mrn: string
  accession: string
}

function itemOf(number: number): Item {
  return { number, name: `ASKED^NUMBER ${number}`, mrn: `Q-${number}`, accession: `ACC-${number}` }
}

function worklistFile({ number, name, mrn, accession }: Item): Uint8Array {
  const elements: WriteElement[] = [
    { tag: Tag.AccessionNumber, vr: 'SH', value: accession },
    { tag: Tag.PatientName, vr: 'PN', value: name },
    { tag: Tag.PatientID, vr: 'LO', value: mrn },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.RequestedProcedureDescription, vr: 'LO', value: 'CT' },
    {
      tag: Tag.ScheduledProcedureStepSequence,
      vr: 'SQ',
      value: [
        [
          { tag: Tag.Modality, vr: 'CS', value: 'CT' },
          { tag: Tag.ScheduledStationAETitle, vr: 'AE', value: 'CT_1' },
          { tag: Tag.ScheduledProcedureStepStartDate, vr: 'DA', value: '20270301' },
          { tag: Tag.ScheduledProcedureStepStartTime, vr: 'TM', value: '093000' },
          { tag: Tag.ScheduledProcedureStepID, vr: 'SH', value: `S${number}` },
        ],
      ],
    },
    { tag: Tag.RequestedProcedureID, vr: 'SH', value: `R${number}` },
  ]
  const meta = writeMeta('1.2.840.10008.5.1.4.31', newUid(), ExplicitLittleEndian)
  return concatBytes([meta, encodeElements(elements, { isExplicit: true, isLittleEndian: true })])
}

const [studyUid, seriesUid] = [newUid(), newUid()]

/** Stores one series of as many images in each peer. */
async function fillArchives(peers: readonly DicomPeer[], folder: string): Promise<void> {
  const images = join(folder, 'images')
  await mkdir(images, { recursive: true })
  for (let number = 0; number < ANSWERS; number++) {
    const file = writePart10([
      { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: newUid() },
      { tag: Tag.StudyDate, vr: 'DA', value: '20260101' },
      { tag: Tag.StudyTime, vr: 'TM', value: '120000' },
      { tag: Tag.Modality, vr: 'CS', value: 'OT' },
      { tag: Tag.PatientName, vr: 'PN', value: 'ASKED^IMAGES' },
      { tag: Tag.PatientID, vr: 'LO', value: 'Q' },
      { tag: Tag.PatientBirthDate, vr: 'DA', value: '19700101' },
      { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
      { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
      { tag: Tag.StudyID, vr: 'SH', value: '1' },
      { tag: Tag.InstanceNumber, vr: 'IS', value: String(number + 1) },
    ])
    await writeFile(join(images, `${number}.dcm`), file)
  }
  for (const peer of peers) await sendFolder(peer, images)
}

/** Enters an order of one step for each item. */
async function fillOrders({ call, sid, namespace }: HilumServer, items: readonly Item[]): Promise<void> {
  const { accounts } = (await call('account/list', { sid })) as { accounts: { uuid: string }[] }
  const place = { account_id: accounts[0]?.uuid, namespace_id: namespace }
  for (const { number, name, mrn, accession } of items) {
    const order = { patient_name: name, patientid: mrn, accession_number: accession, order_number: `O-${number}` }
    const { uuid } = await call('order/add', { sid, ...place, ...order })
    await call('order/sps/add', {
      sid,
      order_id: uuid,
      modality: 'CT',
      scheduled_station_aetitle: 'CT_1',
      scheduled_procedure_step_id: `S${number}`,
      scheduled_procedure_step_start_date: '20270301',
      scheduled_procedure_step_start_time: '093000',
    })
  }
}
