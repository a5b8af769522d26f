import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { getSid, setSid } from '../../api/credentials.ts'
import { UploadGate } from './gate.ts'
import type { InstanceHeader } from './instance-header.ts'
import { runUpload } from './run-upload.ts'
import { watchForServer } from './lost-line.ts'
import { ownRemote } from './upload-remote.ts'
import type { UploadJob } from './upload-job.ts'
import { buildPlan, listFiles, listStudies } from './upload-plan.ts'

/** Contents of the listener below, and its deviations from the usual. */
interface Store {
  images: Set<string>
  synced: string[]
  edits: { uuid: string; patientid: string }[]
  posted: string[]
  acts: string[]
  /** Everything that was said, call by call. */
  said: { path: string; body: Record<string, unknown> }[]
  refuseImage?: (name: string) => boolean
  refuseStudy?: (item: Record<string, unknown>) => boolean
  /** Acknowledged once, then gone from the list. */
  loseOnce?: string
  /** Stored, and answered by a fault once. */
  faultOnce?: string
  /** Listed with other bytes than the file's. */
  garbled?: Set<string>
  outcomes?: Record<string, string>
  /** In another study too. */
  elsewhere?: string[]
  lockedBy?: string
  /** A study that the person may not edit, by its uuid. */
  foreignStudy?: string
  /** Answers everything with the page of a sign-in to a network, so many times. */
  portal?: { left: number; status: number; location?: string }
}

let server: Server
let store: Store

beforeEach(async () => {
  store = { images: new Set(), synced: [], edits: [], posted: [], acts: [], said: [] }
  server = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const page = window as unknown as { happyDOM: { setURL(url: string): void } } // the page lives on the same server
  page.happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/study/upload`)
  setSid('s')
})
afterEach(() => {
  setSid(undefined)
  server.closeAllConnections()
  server.close()
})

async function answer(request: IncomingMessage, reply: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const path = String(request.url).replace('/api/v3/', '').replace(/\?.*/, '')
  const isPortals = path === '/hotel'
  if (store.portal && (isPortals || store.portal.left > 0)) {
    const { status, location } = isPortals ? { status: 200, location: '' } : store.portal
    if (!isPortals) store.portal.left -= 1
    reply.writeHead(status, { 'content-type': 'text/html', ...(location ? { location } : {}) })
    reply.end('<!doctype html><title>Hotel</title>')
    return
  }
  if (path === '/health/ready') {
    reply.writeHead(200)
    reply.end('{"status":"OK"}')
    return
  }
  const body = path.includes('/image') ? {} : JSON.parse(text)
  if (!path.includes('/image')) store.said.push({ path, body })
  const name = decodeURIComponent(String(request.headers['x-file-name']))
  const [status, value] = path.includes('/image') ? takeImage(name) : call(path, body)
  reply.writeHead(status, { 'content-type': 'application/json' })
  reply.end(JSON.stringify(value))
}

function takeImage(name: string): [number, object] {
  store.posted.push(name)
  if (store.refuseImage?.(name)) return [415, { error_type: 'NOT_DICOM' }]
  if (store.loseOnce === name) store.loseOnce = undefined
  else store.images.add(name)
  if (store.faultOnce === name) {
    store.faultOnce = undefined
    return [502, {}]
  }
  const outcome = store.outcomes?.[name]
  return [202, { study_uid: 's', image_uid: name, image_version: '1', namespace: 'n', attr: {}, outcome }]
}

// The parsed JSON of our own client.
// oxlint-disable-next-line typescript/no-explicit-any
function call(path: string, body: any): [number, object] {
  if (path === 'bundle') return [200, body.map(addStudy)]
  if (path === 'study/upload/check') {
    const verdicts = body.instances.map((one: { sop_uid: string; sha256?: string }) => {
      if (!store.images.has(one.sop_uid)) return 'missing'
      if (!one.sha256) return 'named'
      return store.garbled?.has(one.sop_uid) ? 'conflict' : 'have'
    })
    const elsewhere = body.instances.flatMap((one: { sop_uid: string }, at: number) =>
      store.elsewhere?.includes(one.sop_uid) ? [{ at, study_uid: 'other' }] : [],
    )
    return [200, { verdicts, elsewhere }]
  }
  store.acts.push(path)
  if (path === 'study/lock' && store.lockedBy) {
    return [412, { status: 'ERROR', error_type: 'LOCKED', error_data: { locked_by_name: store.lockedBy } }]
  }
  if (path === 'study/set' && store.foreignStudy === body.uuid)
    return [412, { status: 'ERROR', error_type: 'NOT_PERMITTED' }]
  if (path === 'study/sync') store.synced.push(body.uuid)
  if (path === 'study/set') store.edits.push(body)
  return [200, { status: 'OK', uuid: 'u' }]
}

function addStudy(item: Record<string, unknown>) {
  if (store.refuseStudy?.(item)) {
    return { HTTP_STATUS_CODE: '412', status: 'ERROR', error_type: 'INVALID_FIELD', error_subtype: 'patient_name' }
  }
  if (item['study_uid'] === 'old') {
    return { HTTP_STATUS_CODE: '412', status: 'ERROR', error_type: 'ALREADY_EXISTS', error_subtype: 'u-old' }
  }
  return { HTTP_STATUS_CODE: '200', status: 'OK', uuid: `u-${String(item['study_uid'])}` }
}

/** A job of studies with files that are named like their SOP Instance UID. */
function makeJob(studies: Record<string, string[]>, newMrn?: string): UploadJob {
  const found = Object.entries(studies).flatMap(([studyUid, names]) =>
    names.map((name) => {
      const header = { studyUid, seriesUid: `${studyUid}.1`, sopInstanceUid: name, patientName: 'A', patientId: 'M1' }
      const rest = { patientIdIssuer: '', patientBirthDate: '', patientSex: '', studyDate: '', studyTime: '' }
      const texts = {
        studyDescription: '',
        accessionNumber: '',
        referringPhysician: '',
        modality: 'CT',
        seriesDescription: '',
      }
      const whole: InstanceHeader = { ...header, ...rest, ...texts, seriesNumber: 1 }
      return { path: `cd/${name}`, file: new File(['0123456789'], name), header: whole }
    }),
  )
  const plan = buildPlan(found)
  const [patient] = plan.patients
  return {
    kind: 'dicom',
    destination: { groupId: 'g', namespaceId: 'n', name: 'Group' },
    studies: listStudies(plan).map((study) => ({ study, patient: patient ?? never(), newMrn, mrnReason: undefined })),
    fileCount: plan.fileCount,
    sizeBytes: plan.sizeBytes,
    begun: new Set(),
    brought: new Set(),
    acknowledged: new Set(),
    outcomes: new Map(),
    hashes: new Map(),
    leftOut: new Set(),
    elsewhere: new Map(),
    uuids: new Map(),
    numbered: new Set(),
    finished: new Set(),
  }
}
function never(): never {
  throw new Error('The job has no patient')
}

async function run(job: UploadJob, more: { gate?: UploadGate; isReachable?: () => Promise<boolean> } = {}) {
  let uploadedBytes = 0
  const outcome = await runUpload(job, {
    remote: ownRemote,
    gate: new UploadGate(),
    signal: new AbortController().signal,
    isReachable: async () => true,
    firstDelayMs: 1,
    ...more,
    onBytes: (bytes) => (uploadedBytes = bytes),
    onStage: () => undefined,
  })
  return { outcome, uploadedBytes }
}

describe('an upload', () => {
  test('[API-39] [API-40] announces, sends, compares and finishes each study; an existing one too', async () => {
    const job = makeJob({ new: ['a', 'b'], old: ['c'] })
    Object.assign(job.studies[0]?.study ?? {}, { isPart: true })
    const { outcome, uploadedBytes } = await run(job)
    expect(outcome).toMatchObject({ kind: 'done', studyCount: 2, partCount: 1, fileCount: 3, thereFiles: 0 })
    expect(store.synced.sort()).toEqual(['u-new', 'u-old'])
    expect(store.edits).toEqual([])
    expect(uploadedBytes).toBe(job.sizeBytes)
  })

  test('the outcome names series that were left out of a study', async () => {
    const job = makeJob({ s1: ['a'] })
    const [one] = job.studies
    const series = { ...(one?.study.series[0] ?? never()), description: 'Localizer', number: 2 }
    const studies = job.studies.map((each) => ({ ...each, study: { ...each.study, leftOut: [series] } }))
    const { outcome } = await run({ ...job, studies })
    expect(outcome).toMatchObject({ kind: 'done', studies: [{ leftOut: [{ description: 'Localizer', number: 2 }] }] })
  })

  test('[API-39] [API-40] says where, of which study and how many images, when it begins and when it ends', async () => {
    await run(makeJob({ s1: ['a', 'b', 'c'], s2: ['d'] }))
    const announced = store.said.filter(({ path }) => path === 'bundle').flatMap(({ body }) => body)
    const place = { storage_namespace: 'n', phi_namespace: 'n' }
    expect(announced).toMatchObject([
      { URL: '/study/add', ...place, study_uid: 's1', image_count: 3 },
      { URL: '/study/add', ...place, study_uid: 's2', image_count: 1 },
    ])
    const synced = store.said
      .filter(({ path }) => path === 'study/sync')
      .map(({ body }) => [body.uuid, body.image_count])
    expect(synced.sort()).toEqual([
      ['u-s1', '3'],
      ['u-s2', '1'],
    ])
  })

  test('asks its destination for each image by study and name, and takes none for the same without its hash', async () => {
    store.images = new Set(['a'])
    await run(makeJob({ s1: ['a', 'b'] }))
    const checks = store.said.filter(({ path }) => path === 'study/upload/check')
    expect(new Set(checks.map(({ body }) => body.namespace_id))).toEqual(new Set(['n']))
    const asked = checks.flatMap(({ body }) => body.instances as { sop_uid: string }[])
    const sha256 = '84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882' // of 0123456789
    for (const sop_uid of ['a', 'b']) {
      expect(asked.findLast((one) => one.sop_uid === sop_uid)).toEqual({ study_uid: 's1', sop_uid, sha256 })
    }
    expect(store.posted).toEqual(['b'])
  })

  test('[UPLOAD-08] an MRN that the person typed is set as an edit before any image is sent', async () => {
    const order: string[] = []
    store.refuseImage = () => order.push(`image after ${store.edits.length}`) < 0
    await run(makeJob({ s1: ['a'], s2: ['b'] }, 'M9'))
    const typed = { patientid: 'M9', seen_mrns: ['M1'], use_upload_permission: 1 }
    expect(store.edits).toMatchObject([
      { uuid: 'u-s1', ...typed },
      { uuid: 'u-s2', ...typed },
    ])
    expect(order).toEqual(['image after 1', 'image after 2'])
  })

  test('a study whose MRN the person may not write is not sent, and those after it are', async () => {
    store.foreignStudy = 'u-s1'
    const { outcome } = await run(makeJob({ s1: ['a'], s2: ['b'] }, 'M9'))
    expect(outcome).toMatchObject({ kind: 'failed', failures: [{ detail: 'NOT_PERMITTED' }] })
    expect([...store.images]).toEqual(['b'])
    expect(store.synced).toEqual(['u-s2'])
  })

  test('an MRN is set once, however often an upload is tried again', async () => {
    const job = makeJob({ s1: ['a', 'bad'] }, 'M9')
    store.refuseImage = (name) => name === 'bad'
    await run(job)
    store.refuseImage = undefined
    expect((await run(job)).outcome.kind).toBe('done')
    expect(store.edits).toHaveLength(1)
  })

  test('[PROCESS-19] the study is locked while its MRN is changed; where somebody holds it, no image of it is sent', async () => {
    await run(makeJob({ s1: ['a'] }, 'M9'))
    const locks = () => store.acts.filter((path) => /lock$|set$/.test(path))
    expect(locks()).toEqual(['study/lock', 'study/set', 'study/unlock'])
    store.acts = []
    store.lockedBy = 'Mei Tanaka'
    const job = makeJob({ s2: ['b'] }, 'M9')
    const { outcome } = await run(job)
    expect(outcome).toMatchObject({ kind: 'failed', failures: [{ detail: 'LOCKED', holder: 'Mei Tanaka' }] })
    expect(locks()).toEqual(['study/lock'])
    expect([store.images.has('b'), store.synced]).toEqual([false, ['u-s1']])
    store.lockedBy = undefined
    expect((await run(job)).outcome.kind).toBe('done')
    expect([store.images.has('b'), store.synced]).toEqual([true, ['u-s1', 'u-s2']])
  })

  test.each([
    ['a page', { status: 200 }],
    ['the status of such networks', { status: 511 }],
    ['a way elsewhere', { status: 302, location: '/hotel' }],
  ])(
    'a network that answers every call and file with %s is none: the upload waits, and goes on',
    async (_what, portal) => {
      const held: unknown[] = []
      const gate = new UploadGate((reason) => held.push(reason))
      const over = new AbortController()
      onTestFinished(() => over.abort())
      const isReachable = watchForServer(gate, over.signal, { firstLookMs: 1 })
      const job = makeJob({ s1: ['a'], s2: ['b'] }, 'M9')
      store.portal = { left: 10, ...portal }
      const { outcome } = await run(job, { gate, isReachable })
      expect(outcome).toMatchObject({ kind: 'done', fileCount: 2 })
      expect(store.portal.left).toBe(0)
      expect(held).toContain('offline')
    },
  )

  test.each([401, 403])('a page between with status %i signs nobody out, and takes no right away', async (status) => {
    const job = makeJob({ s1: ['a'] })
    store.portal = { left: 100, status }
    const { outcome } = await run(job)
    expect(outcome).toMatchObject({ kind: 'failed', stoppedBy: { kind: 'unreachable' }, failures: [] })
    expect(getSid()).toBe('s')
    store.portal.left = 0
    expect((await run(job)).outcome.kind).toBe('done')
  })

  test('files that share a SOP Instance UID are announced, and told of at the end, as one image', async () => {
    const job = makeJob({ s1: ['a', 'a', 'b'] })
    expect((await run(job)).outcome.kind).toBe('done')
    const told = store.said.flatMap(({ path, body }) => {
      if (path === 'bundle') return (body as unknown as { image_count: number }[]).map((one) => one.image_count)
      return path === 'study/sync' ? [Number(body['image_count'])] : []
    })
    expect(told).toEqual([2, 2])
  })

  test('an image of the same size and other bytes is sent, and one kept beside another is named', async () => {
    store.images = new Set(['a', 'b', 'c'])
    store.garbled = new Set(['b', 'c'])
    store.outcomes = { b: 'conflict', c: 'duplicate' }
    store.elsewhere = ['a']
    const { outcome } = await run(makeJob({ s1: ['a', 'b', 'c'] }))
    expect(store.posted.sort()).toEqual(['b', 'c'])
    expect(outcome).toMatchObject({
      kind: 'done',
      notes: {
        conflicts: [{ path: 'cd/b', studyUid: 's1' }],
        elsewhere: [{ path: 'cd/a', studyUid: 's1', otherUid: 'other' }],
      },
    })
  })

  test('files to know of are listed as people list them, whichever was sent first', async () => {
    const names = ['IM10', 'IM2', 'IM1', 'IM9']
    store.outcomes = Object.fromEntries(names.map((name) => [name, 'conflict']))
    const { outcome } = await run(makeJob({ s1: names }))
    const paths = ['cd/IM1', 'cd/IM2', 'cd/IM9', 'cd/IM10']
    expect(outcome).toMatchObject({ notes: { conflicts: paths.map((path) => ({ path })) } })
  })

  test('a file that arrived with other bytes is sent again, and never counts as done', async () => {
    store.garbled = new Set(['a'])
    const { outcome } = await run(makeJob({ s1: ['a'] }))
    expect(store.posted).toEqual(['a', 'a'])
    expect(outcome).toMatchObject({ kind: 'failed', failures: [{ path: 'cd/a', kind: 'not-listed' }] })
  })

  test('a file that cannot be read again after it was sent is not called done, and is once its disc is back', async () => {
    const job = makeJob({ s1: ['a'] })
    const [planned] = job.studies.flatMap(({ study }) => listFiles(study))
    // too large to be hashed while it is sent
    const file = new File([new Uint8Array(9 * 1024 * 1024)], 'a')
    Object.assign(planned ?? never(), { file })
    const read = file.arrayBuffer.bind(file)
    let isGone = true
    file.arrayBuffer = () => (isGone && store.posted.length > 0 ? Promise.reject(new Error('no disc')) : read())
    expect((await run(job)).outcome).toMatchObject({
      kind: 'failed',
      failures: [{ path: 'cd/a', kind: 'not-compared' }],
    })
    expect(store.synced).toEqual([])
    isGone = false
    expect((await run(job)).outcome).toMatchObject({ kind: 'done' })
    expect([store.posted, store.synced]).toEqual([['a'], ['u-s1']])
  })

  test('[UPLOAD-14] one refused file fails the upload as reported; its siblings arrive, its study is not called complete', async () => {
    store.refuseImage = (name) => name === 'bad'
    const { outcome } = await run(makeJob({ s1: ['a', 'bad'], s2: ['b'] }))
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'DICOM_UPLOAD_FAILD',
      failures: [{ path: 'cd/bad', kind: 'refused', detail: 'NOT_DICOM' }],
      acknowledgedFiles: 2,
    })
    expect([...store.images].sort()).toEqual(['a', 'b'])
    expect(store.synced).toEqual(['u-s2'])
  })

  test('[UPLOAD-14] trying again sends only what is missing', async () => {
    store.refuseImage = (name) => name === 'bad'
    const job = makeJob({ s1: ['a', 'bad'], s2: ['b'] })
    await run(job)
    store.posted = []
    store.refuseImage = undefined
    const { outcome } = await run(job)
    expect(outcome).toMatchObject({ kind: 'done', fileCount: 3, thereFiles: 0 })
    expect(store.posted).toEqual(['bad'])
    expect(store.synced.sort()).toEqual(['u-s1', 'u-s2'])
  })

  test('a folder chosen again after a killed tab sends only what is missing', async () => {
    store.images = new Set(['a', 'b'])
    const { outcome } = await run(makeJob({ s1: ['a', 'b', 'c'] }))
    expect(outcome).toMatchObject({ kind: 'done', fileCount: 3, thereFiles: 2 })
    expect(store.posted).toEqual(['c'])
  })

  test('a file that somebody else brought meanwhile was there, and none that came by a try whose answer was lost', async () => {
    store.outcomes = { a: 'duplicate', b: 'duplicate' }
    store.faultOnce = 'b'
    const { outcome } = await run(makeJob({ s1: ['a', 'b', 'c'] }))
    expect(store.posted.toSorted()).toEqual(['a', 'b', 'b', 'c'])
    expect(outcome).toMatchObject({ kind: 'done', fileCount: 3, thereFiles: 1 })
  })

  test('a file that the server acknowledged and does not list is sent again before it is done', async () => {
    store.loseOnce = 'b'
    const { outcome } = await run(makeJob({ s1: ['a', 'b'] }))
    expect(outcome.kind).toBe('done')
    expect(store.posted.filter((name) => name === 'b')).toHaveLength(2)
  })

  test('a study whose description is refused is announced by its UID alone', async () => {
    store.refuseStudy = (item) => 'patient_name' in item
    expect((await run(makeJob({ s1: ['a'] }))).outcome.kind).toBe('done')
  })

  test('a study that is refused altogether fails with the reason and stops no other', async () => {
    store.refuseStudy = (item) => item['study_uid'] === 's1'
    const { outcome } = await run(makeJob({ s1: ['a'], s2: ['b'] }))
    expect(outcome).toMatchObject({ kind: 'failed', failures: [{ studyUid: 's1', detail: 'INVALID_FIELD' }] })
    expect([...store.images]).toEqual(['b'])
  })
})
