import type { AddressInfo } from 'node:net'
import type { ImagePatient } from '@hilum/contract/calls/study-patients'
import type { Permission } from '@hilum/contract/permissions'
import { newUid } from '@hilum/dicom/uid'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { type MadeImage, madeImage } from '../../../test/made-image.ts'
import { addMember } from '../../../test/storage-fixture.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { StoreError } from '../../outbound/storage/store-error.ts'
import { buildApp } from './app.ts'

const { services, folder } = await openTestServices()
const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
afterAll(() => app.close())
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

const anna = { patientName: 'Moser^Anna', patientId: 'A1', birthDate: '19500101', sex: 'F' }
const ben = { patientName: 'Okafor^Ben', patientId: 'B1', birthDate: '19810707', sex: 'M' }
const nobody = { patientName: '', patientId: '', birthDate: '', sex: '' }

/** A study of these images, in a group of its own. */
async function bring(
  images: readonly Omit<MadeImage, 'studyUid'>[],
  permissions: readonly Permission[],
  studyUid = newUid(),
) {
  const { sid, namespace } = await addMember(services.db, ['study_upload', 'study_view', ...permissions])
  const key = { study_uid: studyUid, storage_namespace: namespace, phi_namespace: namespace }
  for (const image of images) {
    const body = new Uint8Array(madeImage({ studyUid, ...image }))
    const address = `${origin}/api/v3/storage/namespace/${namespace}/image?sid=${sid}`
    expect((await fetch(address, { method: 'POST', body })).status).toBe(202)
  }
  const call = async (path: string, input: Record<string, string> = {}) =>
    (
      await fetch(`${origin}/api/v3/${path}`, { method: 'POST', body: new URLSearchParams({ sid, ...key, ...input }) })
    ).json() as Promise<Record<string, unknown> & { patients: ImagePatient[] }>
  return { call, studyUid, namespace }
}

const mixed = [
  { number: 1, series: 1, ...anna },
  { number: 2, series: 1, ...anna, patientName: 'MOSER^ANNA' },
  { number: 1, series: 2, ...ben },
  { number: 3, series: 1, ...ben },
  { number: 1, series: 3, ...nobody },
  { number: 4, series: 1, ...anna },
]
const told = ({ patients }: { patients: ImagePatient[] }) =>
  patients.map((one) => [
    one.patientid,
    one.images,
    one.is_unclear,
    one.series.map(({ series_number, images, is_shared }) => [series_number, images, is_shared]),
  ])

it('tells whom the images of a mixed study name, series by series, whatever was corrected', async () => {
  const { call, studyUid } = await bring(mixed, ['study_edit'])
  const expected = [
    ['A1', 3, 0, [[1, 3, 1]]],
    [
      'B1',
      2,
      0,
      [
        [1, 1, 1],
        [2, 1, 0],
      ],
    ],
    ['', 1, 1, [[3, 1, 0]]],
  ]
  const before = await call('study/patients')
  expect(told(before)).toEqual(expected)
  expect(before['unread']).toBe(0)
  const [first] = before.patients
  expect([first?.patient_name, first?.patient_birth_date, first?.spellings]).toEqual(['Moser^Anna', '19500101', 2])
  expect(first?.series[0]?.sop_uid).toMatch(new RegExp(`^${studyUid}\\.1\\.[124]$`))
  expect((await call('study/get'))['mixed_patients']).toBe(1)
  expect((await call('study/set', { patient_name: 'Huber^Wanda', mrn_reason: 'Married' }))['status']).toBe('OK')
  expect(told(await call('study/patients'))).toEqual(expected)
})

it('counts an image once that several sources of the record hold', async () => {
  const { call, studyUid, namespace } = await bring(mixed, ['study_edit'])
  const alone = told(await call('study/patients'))
  const other = await bring(mixed, [], studyUid)
  await sql`
    insert into study_source (phi_namespace, study_uuid, storage_namespace, generation)
    select s.phi_namespace, s.uuid, ${other.namespace}, 1
    from study s
    where s.phi_namespace = ${namespace} and s.study_uid = ${studyUid}
  `.execute(services.db)
  expect(told(await call('study/patients'))).toEqual(alone)
})

it('counts an image whose bytes are lost as unread, and tells of the others', async () => {
  const { call, studyUid } = await bring(mixed, ['study_edit'])
  await sql`
    update blob b set object_key = 'lost/' || b.object_key
    from instance i
    join stored_study s on s.key = i.study_key
    where b.sha256 = i.sha256 and b.account_uuid = i.account_uuid and s.study_uid = ${studyUid}
      and i.sop_uid = ${`${studyUid}.3.1`}
  `.execute(services.db)
  const reply = await call('study/patients')
  expect([reply['unread'], told(reply).map(([mrn]) => mrn)]).toEqual([1, ['A1', 'B1']])
})

it('says so when the store does not answer, and asks it for no further image', async () => {
  const images = Array.from({ length: 30 }, (_, number) => ({ number, ...anna }))
  const { call } = await bring(images, ['study_edit'])
  const { store } = services
  let asked = 0
  const read = async (): Promise<never> => {
    asked += 1
    throw new StoreError('slow')
  }
  services.store = { ...store, read }
  const reply = await call('study/patients')
  services.store = store
  expect([reply['patients'], JSON.stringify(reply)]).toEqual([undefined, expect.stringContaining('does not answer')])
  expect([asked > 0, asked < images.length]).toEqual([true, true])
})

it('refuses who may not edit the study, and who may not see a field of the patient', async () => {
  const viewer = await bring(mixed.slice(0, 1), [])
  expect((await viewer.call('study/patients'))['error_type']).toBe('NOT_PERMITTED')
  for (const field of ['patient_name', 'patientid', 'patient_birth_date', 'patient_sex']) {
    const { call, namespace } = await bring(mixed.slice(0, 1), ['study_edit'])
    await sql`
      insert into setting (scope, scope_uuid, key, value)
      values ('namespace', ${namespace}, 'study_field_flags', ${`{"study_field_${field}": "H"}`})
    `.execute(services.db)
    const reply = await call('study/patients')
    expect([field, reply['error_type'], reply['patients']]).toEqual([field, 'NOT_PERMITTED', undefined])
  }
})
