import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, expect, it } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { addMember } from '../../../test/storage-fixture.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { completeQuietStudies } from '../../areas/ingest/complete-study.command.ts'
import { buildApp } from '../http/app.ts'

const { services, folder } = await openTestServices()
const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
afterAll(() => app.close())
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

const announced = {
  patient_name: 'Moser^Wanda',
  patientid: 'W1',
  patient_birth_date: '19500101',
  patient_sex: 'F',
} as const
const sameImage = { patientName: 'Moser^Wanda', patientId: 'W1', birthDate: '19500101', sex: 'F' }
const otherImage = { patientName: 'Okafor^Ben', patientId: 'R1', birthDate: '19810707', sex: 'M' }
const ofOther = { patient_name: 'Okafor^Ben', patientid: 'R2', patient_birth_date: '19810707', patient_sex: 'M' }

/** A study that is announced, corrected by a person, and then comes. */
async function bring(edit: Record<string, string>, came: typeof sameImage) {
  const { sid, namespace } = await addMember(services.db, [
    'study_upload',
    'study_view',
    'study_edit',
    'study_download',
  ])
  const studyUid = newUid()
  const key = { study_uid: studyUid, storage_namespace: namespace, phi_namespace: namespace }
  const call = async (path: string, input: Record<string, string>) =>
    (
      await fetch(`${origin}/api/v3/${path}`, { method: 'POST', body: new URLSearchParams({ sid, ...key, ...input }) })
    ).json() as Promise<Record<string, unknown>>
  expect((await call('study/add', announced))['status']).toBe('OK')
  expect((await call('study/set', edit))['status']).toBe('OK')
  const images = `${origin}/api/v3/storage/namespace/${namespace}/image?sid=${sid}`
  const body = new Uint8Array(madeImage({ studyUid, number: 1, ...came }))
  expect((await fetch(images, { method: 'POST', body })).status).toBe(202)
  const study = `${origin}/api/v3/storage/study/${namespace}/${studyUid}`
  const get = async (path: string) => {
    const reply = await fetch(`${study}/${path}`, { headers: { authorization: `Bearer ${sid}` } })
    return { status: reply.status, text: Buffer.from(await reply.arrayBuffer()).toString('latin1') }
  }
  const { mixed_patients } = await call('study/get', {})
  const say = (reason: string) =>
    fetch(`${study}/one_patient?sid=${sid}`, { method: 'POST', body: JSON.stringify({ reason }) })
  return { get, mixed_patients, say, sop: `image/${studyUid}.1.1/version/*` }
}

it.each([
  ['of the patient that was announced', { patientid: 'W2' }, sameImage, 'W2'],
  ['to the patient of the image', ofOther, otherImage, 'R2'],
  ['of nobody, but the exam', { study_description: 'Skull' }, otherImage, 'R1'],
])('a correction %s holds for the image that comes', async (_what, edit, came, mrn) => {
  const { get, sop, mixed_patients } = await bring(edit as Record<string, string>, came)
  expect(mixed_patients).toBe(0)
  const file = await get(sop)
  expect([file.status, file.text.includes(mrn)]).toEqual([200, true])
})

it.each([
  ['MRN', { patientid: 'W2' }],
  ['name', { patient_name: 'Huber^Wanda' }],
])(
  'a corrected %s of an announced patient reaches no image of another before somebody says why',
  async (_what, edit) => {
    const { get, say, sop, mixed_patients } = await bring(edit as Record<string, string>, otherImage)
    const [value = ''] = Object.values(edit)
    expect(mixed_patients).toBe(1)
    for (const path of [sop, 'download?bundle=dicom', 'download?bundle=iso'])
      expect([path, (await get(path)).status]).toEqual([path, 409])
    const told = await get(`${sop}/json`)
    expect([told.text.includes(value), told.text.includes('Okafor')]).toEqual([false, true])
    expect((await say('The worklist was wrong')).status).toBe(202)
    const file = await get(sop)
    expect([file.status, file.text.includes(value)]).toEqual([200, true])
  },
)

/** A place where somebody has the number V1, and an uploader who announced a study of a patient of that name. */
async function announceTyped(patient: object = { ...announced, patientid: 'OLD-1' }) {
  const { sid, namespace } = await addMember(services.db, ['study_upload'])
  const call = async (path: string, input: Record<string, unknown>) =>
    (
      await fetch(`${origin}/api/v3/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sid, ...input }),
      })
    ).json() as Promise<Record<string, string>>
  const send = async (studyUid: string, number: number, came: Partial<typeof sameImage>) => {
    const body = new Uint8Array(madeImage({ studyUid, number, ...sameImage, ...came }))
    const images = `${origin}/api/v3/storage/namespace/${namespace}/image?sid=${sid}`
    expect((await fetch(images, { method: 'POST', body })).status).toBe(202)
  }
  await send(newUid(), 1, { patientId: 'V1' })
  const studyUid = newUid()
  const place = { storage_namespace: namespace, phi_namespace: namespace }
  const { uuid = '' } = await call('study/add', { ...place, study_uid: studyUid, image_count: 3, ...patient })
  const type = (sent: object = {}) =>
    call('study/set', { uuid, patientid: 'V1', use_upload_permission: 1, seen_mrns: ['OLD-1'], ...sent })
  const read = async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select s.patientid, s.mixed_patients, s.arrival from study s where s.uuid = ${uuid}`.execute(services.db)
    return rows[0]
  }
  return { call, send: send.bind(undefined, studyUid), type, read, uuid }
}

it('an MRN typed before the first image stands when the exam falls quiet, though its sender never came back', async () => {
  const { call, send, type, read, uuid } = await announceTyped()
  expect((await call('study/lock', { uuid }))['status']).toBe('OK')
  expect((await type())['status']).toBe('OK')
  await send(1, { patientId: 'OLD-1' })
  await send(2, { patientId: 'OLD-1' })
  await completeQuietStudies(services, new Date(Date.now() + 200_000))
  expect(await read()).toEqual({ patientid: 'V1', mixed_patients: false, arrival: 'incomplete' })
})

it.each([
  ['another birth date', { birthDate: '19500102' }],
  ['no birth date', { birthDate: '' }],
  ['another name', { patientName: 'Moser^Wanja' }],
  ['another sex', { sex: 'M' }],
])('an MRN of somebody with the name that was announced waits beside a first image of %s', async (_what, came) => {
  const { send, type, read } = await announceTyped()
  expect((await type())['status']).toBe('OK')
  await send(1, { patientId: 'OLD-1', ...came })
  expect(await read()).toMatchObject({ mixed_patients: true })
})

it('an MRN that an announced patient shares with another one wants a reason before any image', async () => {
  const { type } = await announceTyped({ ...announced, patient_birth_date: '19500102', patientid: 'OLD-1' })
  expect((await type())['error_type']).toBe('MRN_HELD')
  expect((await type({ mrn_reason: 'One patient' }))['status']).toBe('OK')
})
