import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { askDoor, makeDoorTarget } from '../../../test/door-target.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { digestOf } from '../../access/sid.ts'
import { findKnockedLink } from './link-session.sql.ts'
import { openLink } from './open-link.command.ts'
import { endAbandonedUploads } from './tell-use.command.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const target = await makeDoorTarget(origin, sid, group.namespaceUuid, newUid())
const [study] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${target.study}'`)
const tokenOf = (url: string) => url.split('/link/')[1] ?? ''

test('an opening by an address that was changed meanwhile opens nothing', async () => {
  const made = (
    await call('link/add', { sid, action: 'STUDY_VIEW', study_id: study?.uuid, email: 'wrong@clinic.example' })
  ).body
  const knocked = await findKnockedLink(services.db, digestOf(tokenOf(made.url)))
  expect((await call('link/mail', { sid, uuid: made.uuid, email: 'right@clinic.example' })).body.status).toBe('OK')
  const from = { clientAddress: '192.0.2.9', userAgent: '', address: 'https://hilum.example' }
  if (!knocked) throw new Error('No link was found by its address')
  const opened = await openLink(services.db, knocked, { password: '', pin: '' }, from)
  expect(opened.kind).not.toBe('open')
  expect(await query(`select from session where link_uuid = '${made.uuid}'`)).toEqual([])
})

test('a new password of a link shuts out whoever opened it with the old one', async () => {
  const made = (await call('link/add', { sid, action: 'STUDY_VIEW', study_id: study?.uuid, password: 'old-secret-41' }))
    .body
  const opened = (await call('link/session', { token: tokenOf(made.url), password: 'old-secret-41' })).body
  expect((await call('link/studies', { sid: opened.sid })).body.status).toBe('OK')
  expect((await call('link/set', { sid, uuid: made.uuid, password: 'new-secret-42' })).body.status).toBe('OK')
  expect((await call('link/studies', { sid: opened.sid })).body.status).toBe('ERROR')
  // whoever needs none any more may go on
  const again = (await call('link/session', { token: tokenOf(made.url), password: 'new-secret-42' })).body
  await call('link/set', { sid, uuid: made.uuid, password: '' })
  expect((await call('link/studies', { sid: again.sid })).body.status).toBe('OK')
})

test('the sender of one image over and over mails those who are told once of its coming and once of the end', async () => {
  const made = (
    await call('link/add', {
      sid,
      action: 'STUDY_UPLOAD',
      namespace_id: group.namespaceUuid,
      notify: 'told@clinic.example',
    })
  ).body
  const opened = (await call('link/session', { token: tokenOf(made.url) })).body
  const studyUid = newUid()
  const image = new Uint8Array(madeImage({ studyUid, number: 1 }))
  await call('link/upload/begin', { sid: opened.sid, studies: [{ study_uid: studyUid, image_count: 1 }] })
  for (let count = 0; count < 5; count += 1) {
    await askDoor(
      origin,
      { method: 'POST', url: '/api/v3/storage/link/image', query: { study_uid: studyUid }, payload: image },
      opened.sid,
    )
    await call('link/upload/end', { sid: opened.sid, study_uid: studyUid })
  }
  const mails = () => query(`select subject from mail where recipient = 'told@clinic.example'`)
  expect(await mails()).toHaveLength(2)
  // another image is news
  const next = new Uint8Array(madeImage({ studyUid, number: 2 }))
  await askDoor(
    origin,
    { method: 'POST', url: '/api/v3/storage/link/image', query: { study_uid: studyUid }, payload: next },
    opened.sid,
  )
  await call('link/upload/end', { sid: opened.sid, study_uid: studyUid })
  expect(await mails()).toHaveLength(3)
})

test('the sender of many images, each sent as a whole, mails those who are told a few times, and of the rest once later', async () => {
  const notify = 'flooded@clinic.example'
  const asked = { sid, action: 'STUDY_UPLOAD', namespace_id: group.namespaceUuid, notify }
  const made = (await call('link/add', asked)).body
  const opened = (await call('link/session', { token: tokenOf(made.url) })).body
  const mails = () => query(`select from mail where recipient = '${notify}'`)
  const studies = [newUid(), newUid()]
  for (const study_uid of studies)
    await call('link/upload/begin', { sid: opened.sid, studies: [{ study_uid, image_count: 9 }] })
  for (let number = 1; number < 9; number += 1) {
    const study_uid = studies[number % 2] ?? ''
    const payload = new Uint8Array(madeImage({ studyUid: study_uid, number }))
    const door = { method: 'POST', url: '/api/v3/storage/link/image', query: { study_uid }, payload }
    await askDoor(origin, door, opened.sid)
    await call('link/upload/end', { sid: opened.sid, study_uid })
    await endAbandonedUploads(services)
  }
  // of the first image, and of three ends
  expect(await mails()).toHaveLength(4)
  await query(
    `update link_request set end_told_at = end_told_at - interval '15 minutes' where link_uuid = '${made.uuid}'`,
  )
  for (const _time of [1, 2]) await endAbandonedUploads(services)
  expect(await mails()).toHaveLength(5)
})
