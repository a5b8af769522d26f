import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { askDoor } from '../../../test/door-target.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeRequest, openLink } from '../../../test/make-link.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { tellOfHarvest } from './tell-of-harvest.job.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)

/** A group with a share code, by which exams wait for approval or not, and a member who chose to hear of arrivals. */
async function makePlace(code: string, mustApprove: 0 | 1) {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const settings = { takes_uploads: 1, must_approve: mustApprove }
  const set = { sid: person.sid, uuid: group.groupUuid, share_code: code, share_settings: JSON.stringify(settings) }
  expect((await call('group/set', set)).body).toMatchObject({ status: 'OK' })
  await call('user/event/set', { sid: person.sid, namespace_id: person.namespaceUuid, event_harvest: 1 })
  return { group, person, code }
}

async function send(sid: string): Promise<void> {
  const studyUid = newUid()
  const studies = [{ study_uid: studyUid, image_count: 1 }]
  expect((await call('link/upload/begin', { sid, studies, sender: 'Clinic West' })).body).toMatchObject({
    status: 'OK',
  })
  const image = { method: 'POST', url: '/api/v3/storage/link/image', query: { study_uid: studyUid } } as const
  const payload = new Uint8Array(madeImage({ studyUid, number: 1 }))
  expect((await askDoor(origin, { ...image, payload }, sid)).statusCode).toBe(202)
  await call('link/upload/end', { sid, study_uid: studyUid })
}
const openCode = async (code: string) =>
  (await call('namespace/share_code/open', { share_code: code })).body.sid as string
const flush = async () => {
  const waiting = await query<{ payload: { namespaceUuid: string } }>(
    `delete from work where job = 'tell-of-harvest' returning payload`,
  )
  for (const { payload } of waiting) await tellOfHarvest(services, payload)
  return waiting.length
}
const mailsTo = (email: string) => query<{ body: string }>(`select body from mail where recipient = '${email}'`)

test('members who chose to hear of arrivals are mailed once for what comes within minutes by a share code', async () => {
  const { group, person, code } = await makePlace('OPEN01', 0)
  const [quiet, outsider] = [
    await organisation.addPerson({ role: 'Administrator', groups: [group] }),
    await organisation.addPerson({ role: 'Administrator' }),
  ]
  await call('user/event/set', { sid: outsider.sid, namespace_id: outsider.namespaceUuid, event_harvest: 1 })
  await send(await openCode(code))
  await send(await openCode(code))
  expect(await flush()).toBe(1)
  const mails = await mailsTo(person.email)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.body).toContain('by a share code')
  expect(mails[0]?.body).not.toMatch(/made|clinic/i)
  for (const { email } of [quiet, outsider]) expect(await mailsTo(email)).toEqual([])
})

test('nobody is mailed so of what waits for approval, or of what comes by a request', async () => {
  const { person, code } = await makePlace('WAIT01', 1)
  await send(await openCode(code))
  expect(await flush()).toBe(0)
  const { group, person: asking } = await makePlace('ASKS01', 0)
  const request = {
    accountUuid: organisation.accountUuid,
    namespaceUuid: group.namespaceUuid,
    createdBy: asking.userUuid,
  }
  await send(await openLink(services.db, await makeRequest(services.db, request), 'STUDY_UPLOAD'))
  expect(await flush()).toBe(0)
  for (const { email } of [person, asking]) expect(await mailsTo(email)).toEqual([])
})
