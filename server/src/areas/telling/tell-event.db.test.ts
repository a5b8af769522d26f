import type { WebhookEvent } from '@hilum/contract/calls/webhook'
import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { askDoor, makeDoorTarget } from '../../../test/door-target.ts'
import { makeLink, openLink } from '../../../test/make-link.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { tellEvent } from './tell-event.command.ts'

const { app, call, services, query } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })

/** An organisation with a group, an administrator of it, and a study there. */
async function makePlace() {
  const organisation = await makeOrganisation(services.db)
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const target = await makeDoorTarget(origin, person.sid, group.namespaceUuid, newUid())
  const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${target.study}'`)
  const listen = async (event: WebhookEvent, suspended = 0) => {
    const of = { sid: person.sid, account_id: organisation.accountUuid, name: event, method: 'POST_JSON', suspended }
    const { body } = await call('webhook/add', { ...of, event, url: 'https://hooks.example.org/in' })
    expect(body).toMatchObject({ status: 'OK' })
    return body.uuid as string
  }
  return { organisation, group, person, target, uuid: row?.uuid ?? '', listen }
}

/** The studies of which a webhook is to be told, and how often it is called for them. */
async function toldTo(webhook: string): Promise<string[]> {
  const rows = await query<{ study: string }>(
    `select coalesce(d.study_uuid::text, '') as study from webhook_delivery d
    join work w on w.job = 'call-webhook' and w.payload->>'deliveryUuid' = d.uuid::text
    where d.webhook_uuid = '${webhook}' order by d.created`,
  )
  return rows.map(({ study }) => study)
}

test('tells of what happens to an exam, each event to the webhooks that listen to it, and to no other account', async () => {
  const [place, other] = [await makePlace(), await makePlace()]
  const { person, uuid, organisation } = place
  const events = ['STUDY_EDIT', 'STUDY_SHARE', 'STUDY_WAS_SHARED', 'STUDY_DELETE'] as const
  const hooks = new Map<string, string>()
  for (const event of events) hooks.set(event, await place.listen(event))
  const deaf = [await other.listen('STUDY_EDIT'), await place.listen('STUDY_EDIT', 1)]
  const hook = (event: (typeof events)[number]) => toldTo(hooks.get(event) ?? '')

  expect((await call('study/set', { sid: person.sid, uuid, study_description: 'Other' })).body.status).toBe('OK')
  expect(await hook('STUDY_EDIT')).toEqual([uuid])
  const { groupUuid, namespaceUuid } = await organisation.addGroup()
  expect((await call('study/share', { sid: person.sid, uuid, group_id: groupUuid })).body.status).toBe('OK')
  const [received] = await query<{ uuid: string }>(`select uuid from study where phi_namespace = '${namespaceUuid}'`)
  expect(await hook('STUDY_SHARE')).toEqual([uuid])
  expect(await hook('STUDY_WAS_SHARED')).toEqual([received?.uuid])
  expect((await call('study/delete', { sid: person.sid, uuid })).body.status).toBe('OK')
  expect(await hook('STUDY_DELETE')).toEqual([uuid])
  expect(await hook('STUDY_EDIT')).toEqual([uuid])
  for (const one of deaf) expect(await toldTo(one)).toEqual([])
})

test('tells once for each session that an exam was seen, also by a link', async () => {
  const { listen, person, group, uuid, organisation, target } = await makePlace()
  const hook = await listen('STUDY_VIEW')
  const link = await makeLink(services.db, {
    accountUuid: organisation.accountUuid,
    createdBy: person.userUuid,
    studies: [{ uuid, phi_namespace: group.namespaceUuid }],
  })
  const sid = await openLink(services.db, link)
  const url = `/api/v3/storage/study/${target.namespace}/${target.study}/schema`
  for (const _time of [1, 2]) expect((await askDoor(origin, { method: 'GET', url }, sid)).statusCode).toBe(200)
  expect((await call('link/studies', { sid })).status).toBe(200)
  expect(await toldTo(hook)).toEqual([uuid])
})

test('tells of sessions of uploads by their place, and of an exam that waits to nobody before it is approved', async () => {
  const { listen, person, group, uuid } = await makePlace()
  const begins = await listen('STUDY_UPLOAD_START')
  const approved = await listen('STUDY_APPROVE')
  const edited = await listen('STUDY_EDIT')
  const sent = { sid: person.sid, namespace_id: group.namespaceUuid, type: 'STUDY_UPLOAD_START' }
  expect((await call('webhook/event', sent)).body.status).toBe('OK')
  expect(await toldTo(begins)).toEqual([''])
  await query(`update study set must_approve = true where uuid = '${uuid}'`)
  expect((await call('study/set', { sid: person.sid, uuid, study_description: 'Other' })).body.status).toBe('OK')
  expect(await toldTo(edited)).toEqual([])
  expect((await call('study/approve', { sid: person.sid, uuid })).body.status).toBe('OK')
  expect(await toldTo(approved)).toEqual([uuid])
})

test('an act that is rolled back is told of to nobody', async () => {
  const { listen, organisation, group, uuid } = await makePlace()
  const hook = await listen('STUDY_DELETE')
  const about = { account_uuid: organisation.accountUuid, phi_namespace: group.namespaceUuid, uuid }
  const act = services.db.transaction().execute(async (tx) => {
    await tellEvent(tx, 'STUDY_DELETE', [about])
    throw new Error('It failed')
  })
  await expect(act).rejects.toThrow('It failed')
  expect(await toldTo(hook)).toEqual([])
})
