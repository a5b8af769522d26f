import { expect, it } from 'vitest'
import { newUid } from '@hilum/dicom/uid'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { receiveImage } from '../ingest/receive-image.command.ts'
import { sweepPhantoms } from './sweep-phantoms.job.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const place = { ...group, accountUuid: organisation.accountUuid }
const uploader = await organisation.addPerson({ role: 'Uploader', groups: [group] })
const clinician = await organisation.addPerson({ groups: [group] })

const add = (sid: string, study_uid: string, more: object = {}) =>
  call('study/add', {
    sid,
    study_uid,
    storage_namespace: group.namespaceUuid,
    phi_namespace: group.namespaceUuid,
    ...more,
  })

it('[API-39] tells what a study that is there already says only to who may read it', async () => {
  const known = await makeStudy(services.db, place, { patient_name: 'DOE^JANE' })
  const refusal = { error_type: 'ALREADY_EXISTS', error_subtype: known.uuid }
  expect((await add(clinician.sid, known.study_uid)).body).toMatchObject({
    ...refusal,
    error_data: { patient_name: 'DOE^JANE' },
  })
  expect((await add(uploader.sid, known.study_uid)).body).toEqual({ status: 'ERROR', ...refusal })
  const waiting = await makeStudy(services.db, place, { patient_name: 'DOE^JANE', must_approve: true })
  expect((await add(clinician.sid, waiting.study_uid)).body).not.toHaveProperty('error_data')
})

it('announces no study under a name that no image could come with, nor with values that cannot be kept', async () => {
  for (const [studyUid, more, refusal] of [
    ['../../x', {}, { error_type: 'INVALID_FIELD', error_subtype: 'study_uid' }],
    ['1.2.3\r\nx: y', {}, { error_type: 'INVALID_FIELD', error_subtype: 'study_uid' }],
    [newUid(), { image_count: 3_000_000_000 }, { error_type: 'INVALID_INTEGER' }],
    [
      newUid(),
      { integration_key: 'k'.repeat(2000) },
      { error_type: 'INVALID_FIELD', error_subtype: 'integration_key' },
    ],
  ] as const) {
    expect((await add(uploader.sid, studyUid, more)).body).toMatchObject({ status: 'ERROR', ...refusal })
  }
})

it('sweeps announced studies that nobody touched, and none to which a file is attached or that is held', async () => {
  const uuids = await Promise.all([1, 2, 3].map(async () => (await add(uploader.sid, newUid())).body.uuid as string))
  const [, attached, held] = uuids
  await query(`update study set phantom_until = now() - interval '1 minute' where uuid in ('${uuids.join("','")}')`)
  await query(`update study set attachment_count = 1 where uuid = '${attached}'`)
  await query(`update study set hold = true where uuid = '${held}'`)
  await sweepPhantoms(services)
  const left = await query<{ uuid: string }>(`select uuid from study where uuid in ('${uuids.join("','")}')`)
  expect(left.map((one) => one.uuid).sort()).toEqual([attached, held].sort())
})

it('[SEARCH-05] a thin study is listed and marked without images, and its first image describes it and ends that', async () => {
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  const setViewerRights = (permissions: string) =>
    query(`update role set permissions = array['study_view', ${permissions}] where name = 'Viewer'`)
  const study_uid = newUid()
  const thin = { sid: viewer.sid, study_uid, phi_namespace: group.namespaceUuid, thin: 1, patient_name: 'FAR^AWAY' }
  await setViewerRights(`'study_download'`)
  expect((await call('study/add', thin)).body).toMatchObject({ error_type: 'NOT_PERMITTED' })
  await setViewerRights(`'study_thin'`)
  expect((await add(viewer.sid, newUid())).body).toMatchObject({ error_type: 'NOT_PERMITTED' })
  const { uuid } = (await call('study/add', thin)).body

  const listed = async () => {
    const { body } = await call('study/list', { sid: clinician.sid, 'filter.study_uid.equals': study_uid })
    return (body.studies as Record<string, unknown>[])[0]
  }
  expect(await listed()).toMatchObject({ uuid, thin: 1, phantom: 0, image_count: 0, patient_name: 'FAR^AWAY' })
  await query(`update study set created = now() - interval '30 days' where uuid = '${uuid as string}'`)
  await sweepPhantoms(services)
  await call('study/set', { sid: viewer.sid, study_id: uuid, accession_number: 'A7' })
  expect(await listed()).toMatchObject({ thin: 1, accession_number: 'A7' })

  const arrival = { ...place, source: 'harvest' as const, quietSeconds: 30 }
  const image = madeImage({ studyUid: study_uid, number: 1, patientName: 'NEAR^BY' })
  await receiveImage(
    services,
    arrival,
    (async function* () {
      yield image
    })(),
  )
  expect(await listed()).toMatchObject({
    uuid,
    thin: 0,
    phantom: 1,
    image_count: 1,
    patient_name: 'NEAR^BY',
    accession_number: 'A7',
  })
  expect((await call('study/set', { sid: viewer.sid, study_id: uuid, accession_number: 'A8' })).body).toMatchObject({
    error_type: 'NOT_PERMITTED',
  })
})

it('a study that is not thin is announced with its whole key', async () => {
  const { body } = await call('study/add', {
    sid: uploader.sid,
    study_uid: newUid(),
    phi_namespace: group.namespaceUuid,
  })
  expect(body).toMatchObject({ error_type: 'MISSING_FIELDS', error_subtype: ['storage_namespace'] })
})
