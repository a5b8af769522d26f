import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setSid } from '../../api/credentials.ts'
import { Gate } from './gate.ts'
import type { InstanceHeader } from './instance-header.ts'
import { runUpload } from './run-upload.ts'
import type { UploadJob } from './upload-job.ts'
import { buildPlan, listStudies } from './upload-plan.ts'

/** What the listener below holds, and what it does otherwise than usual. */
interface Store {
  images: Set<string>
  synced: string[]
  edits: { uuid: string; patientid: string }[]
  posted: string[]
  refuseImage?: (name: string) => boolean
  refuseStudy?: (item: Record<string, unknown>) => boolean
  /** Acknowledged once, then gone from the list. */
  loseOnce?: string
}

let server: Server
let store: Store

beforeEach(async () => {
  store = { images: new Set(), synced: [], edits: [], posted: [] }
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
  const body = path.includes('/image') ? {} : JSON.parse(text)
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
  return [202, { study_uid: 's', image_uid: name, image_version: '1', namespace: 'n', attr: {} }]
}

// The parsed JSON of our own client.
// oxlint-disable-next-line typescript/no-explicit-any
function call(path: string, body: any): [number, object] {
  if (path === 'bundle') return [200, body.map(addStudy)]
  if (path === 'study/upload/check') {
    const verdicts = body.instances.map((one: { sop_uid: string }) =>
      store.images.has(one.sop_uid) ? 'have' : 'missing',
    )
    return [200, { verdicts }]
  }
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
    destination: { groupId: 'g', namespaceId: 'n', name: 'Group' },
    studies: listStudies(plan).map((study) => ({ study, patient: patient ?? never(), newMrn })),
    fileCount: plan.fileCount,
    sizeBytes: plan.sizeBytes,
    sentFiles: 0,
    acknowledged: new Set(),
    uuids: new Map(),
    finished: new Set(),
  }
}
function never(): never {
  throw new Error('The job has no patient')
}

async function run(job: UploadJob) {
  let uploadedBytes = 0
  const outcome = await runUpload(job, {
    gate: new Gate(),
    signal: new AbortController().signal,
    isOffline: () => false,
    firstDelayMs: 1,
    onBytes: (bytes) => (uploadedBytes = bytes),
    onStage: () => undefined,
  })
  return { outcome, uploadedBytes }
}

describe('an upload', () => {
  test('[API-39] [API-40] announces, sends, compares and finishes each study; an existing one too', async () => {
    const job = makeJob({ new: ['a', 'b'], old: ['c'] })
    const { outcome, uploadedBytes } = await run(job)
    expect(outcome).toMatchObject({ kind: 'done', studyCount: 2, fileCount: 3, sentFiles: 3 })
    expect(store.synced.sort()).toEqual(['u-new', 'u-old'])
    expect(store.edits).toEqual([])
    expect(uploadedBytes).toBe(job.sizeBytes)
  })

  test('[UPLOAD-08] an MRN that the person typed is set as an edit once the images are there', async () => {
    await run(makeJob({ s1: ['a'] }, 'M9'))
    expect(store.edits).toMatchObject([{ uuid: 'u-s1', patientid: 'M9', use_upload_permission: 1 }])
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
    expect(outcome).toMatchObject({ kind: 'done', fileCount: 3, sentFiles: 3 })
    expect(store.posted).toEqual(['bad'])
    expect(store.synced.sort()).toEqual(['u-s1', 'u-s2'])
  })

  test('a folder chosen again after a killed tab sends only what is missing', async () => {
    store.images = new Set(['a', 'b'])
    const { outcome } = await run(makeJob({ s1: ['a', 'b', 'c'] }))
    expect(outcome).toMatchObject({ kind: 'done', fileCount: 3, sentFiles: 1 })
    expect(store.posted).toEqual(['c'])
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
