import { randomUUID } from 'node:crypto'
import type { WebhookEvent } from '@hilum/contract/calls/webhook'
import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { askDoor, makeDoorTarget } from '../../../test/door-target.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeLink, makeRequest, openLink } from '../../../test/make-link.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import type { Tx } from '../../db/database.ts'
import { pushStudyActs } from '../push/push-study.job.ts'
import { sweepDeliveriesAt } from '../webhook/sweep-deliveries.job.ts'
import { deleteDeliveriesBefore, mostWaitingDeliveries } from './delivery.sql.ts'
import { tellEvent } from './tell-event.command.ts'
import { tellWebhook } from './tell-webhook.command.ts'

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

/** An opened page of a request for uploads to a place of an organisation. */
async function openPage({ organisation, group, person }: Awaited<ReturnType<typeof makePlace>>): Promise<string> {
  const request = {
    accountUuid: organisation.accountUuid,
    namespaceUuid: group.namespaceUuid,
    createdBy: person.userUuid,
  }
  return openLink(services.db, await makeRequest(services.db, request), 'STUDY_UPLOAD')
}

type Place = Awaited<ReturnType<typeof makePlace>>

/** The studies of which a webhook is to be told, and how often it is called for them. */
async function studiesSentTo(webhook: string): Promise<string[]> {
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
  const hook = (event: (typeof events)[number]) => studiesSentTo(hooks.get(event) ?? '')

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
  for (const one of deaf) expect(await studiesSentTo(one)).toEqual([])
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
  expect(await studiesSentTo(hook)).toEqual([uuid])
})

test('tells of sessions of uploads by their place, and of an exam that waits to nobody before it is approved', async () => {
  const { listen, person, group, uuid } = await makePlace()
  const begins = await listen('STUDY_UPLOAD_START')
  const approved = await listen('STUDY_APPROVE')
  const edited = await listen('STUDY_EDIT')
  const sent = { sid: person.sid, namespace_id: group.namespaceUuid, type: 'STUDY_UPLOAD_START' }
  expect((await call('webhook/event', sent)).body.status).toBe('OK')
  expect(await studiesSentTo(begins)).toEqual([''])
  await query(`update study set must_approve = true where uuid = '${uuid}'`)
  expect((await call('study/set', { sid: person.sid, uuid, study_description: 'Other' })).body.status).toBe('OK')
  expect(await studiesSentTo(edited)).toEqual([])
  expect((await call('study/approve', { sid: person.sid, uuid })).body.status).toBe('OK')
  expect(await studiesSentTo(approved)).toEqual([uuid])
})

test('an act that is rolled back is told of to nobody', async () => {
  const { listen, organisation, group, uuid } = await makePlace()
  const hook = await listen('STUDY_DELETE')
  const about = {
    account_uuid: organisation.accountUuid,
    phi_namespace: group.namespaceUuid,
    uuid,
    must_approve: false,
  }
  const act = services.db.transaction().execute(async (tx) => {
    await tellEvent(tx, 'STUDY_DELETE', [about])
    throw new Error('It failed')
  })
  await expect(act).rejects.toThrow('It failed')
  expect(await studiesSentTo(hook)).toEqual([])
})

test('tells once that an upload by a page without a login began and ended, however often the page says so', async () => {
  const place = await makePlace()
  const hooks = [await place.listen('STUDY_UPLOAD_START'), await place.listen('STUDY_UPLOAD_END')]
  const sid = await openPage(place)
  const studyUid = newUid()
  const begin = async (uid: string) => {
    const { status } = await call('link/upload/begin', { sid, studies: [{ study_uid: uid, image_count: 1 }] })
    expect(status).toBe(200)
  }
  const end = async () => expect((await call('link/upload/end', { sid, study_uid: studyUid })).status).toBe(200)
  const told = () => Promise.all(hooks.map(async (hook) => (await studiesSentTo(hook)).length))
  for (const _time of [1, 2, 3]) await begin(studyUid)
  await end()
  expect(await told()).toEqual([1, 0])
  const image = {
    method: 'POST',
    url: '/api/v3/storage/link/image',
    query: { study_uid: studyUid },
    payload: new Uint8Array(madeImage({ studyUid, number: 1 })),
  } as const
  expect((await askDoor(origin, image, sid)).statusCode).toBe(202)
  for (const _time of [1, 2, 3]) await end()
  expect(await told()).toEqual([1, 1])
  await begin(newUid())
  expect(await told()).toEqual([2, 1])
})

/** A session of each kind by whose word webhooks are told of uploads; every page of a share code counts as one. */
const sayers = {
  request: openPage,
  'share code': async (place: Place) => {
    const sid = await openPage(place)
    const { namespaceUuid } = place.group
    await query(`update link_request set by_share_code = true
      where link_uuid = (select r.link_uuid from link_request r join link l on l.uuid = r.link_uuid
        where r.namespace_uuid = '${namespaceUuid}' order by l.created desc limit 1)`)
    await query(
      `update app_group set share_settings = '{"takes_uploads": "1"}' where namespace_uuid = '${namespaceUuid}'`,
    )
    return sid
  },
  person: async (place: Place) => place.person.sid,
}
type Sayer = keyof typeof sayers

/** Says that the upload of another exam begins and ends. */
async function say(place: Place, who: Sayer, sid: string): Promise<void> {
  const answers = who === 'person' ? await sayAsPerson(place, sid) : await sendByPage(sid)
  expect(answers.map(({ body }) => body.status)).toEqual(['OK', 'OK'])
}

async function sayAsPerson({ group }: Place, sid: string) {
  const said = { sid, namespace_id: group.namespaceUuid }
  const begun = await call('webhook/event', { ...said, type: 'STUDY_UPLOAD_START' })
  return [begun, await call('webhook/event', { ...said, type: 'STUDY_UPLOAD_END' })]
}

async function sendByPage(sid: string) {
  const studyUid = newUid()
  const begun = await call('link/upload/begin', { sid, studies: [{ study_uid: studyUid, image_count: 1 }] })
  const image = {
    method: 'POST',
    url: '/api/v3/storage/link/image',
    query: { study_uid: studyUid },
    payload: new Uint8Array(madeImage({ studyUid, number: 1 })),
  } as const
  expect((await askDoor(origin, image, sid)).statusCode).toBe(202)
  return [begun, await call('link/upload/end', { sid, study_uid: studyUid })]
}

test.each(['request', 'share code', 'person'] as const)(
  'tells a webhook of 120 uploads a minute by one %s, and of those of others all the same',
  async (flooding) => {
    const place = await makePlace()
    const events = ['STUDY_UPLOAD_START', 'STUDY_UPLOAD_END', 'STUDY_UPLOAD_LINK'] as const
    const hooks = await Promise.all(events.map((event) => place.listen(event)))
    const told = async () => {
      const rows = await query<{ n: number }>(`select count(d.*)::int as n
        from unnest('{${hooks.join()}}'::uuid[]) with ordinality as w (uuid, number)
        left join webhook_delivery d on d.webhook_uuid = w.uuid group by w.number order by w.number`)
      return rows.map(({ n }) => n)
    }
    const sid = await sayers[flooding](place)
    await say(place, flooding, sid)
    await query(`insert into webhook_delivery (uuid, webhook_uuid, event, state, said_by)
      select gen_random_uuid(), webhook_uuid, event, 'done', said_by
      from webhook_delivery, generate_series(1, 118) where webhook_uuid = any('{${hooks.join()}}')`)
    for (const _time of [1, 2]) await say(place, flooding, sid)
    if (flooding === 'share code') await say(place, flooding, await sayers['share code'](place))
    // a person says nothing of an exam
    const byFlood = [120, 120, flooding === 'person' ? 0 : 120]
    expect(await told()).toEqual(byFlood)
    await say(place, 'request', await openPage(place))
    expect(await told()).toEqual(byFlood.map((count) => count + 1))
    const others = (['share code', 'person'] as const).filter((one) => one !== flooding)
    for (const who of others) await say(place, who, await sayers[who](place))
    expect((await told())[0]).toBe(121 + others.length)
    await query(`update webhook_delivery set created = created - interval '1 minute'`)
    await say(place, flooding, sid)
    expect((await told())[0]).toBe(122 + others.length)
  },
)

test('tells of every event of a place that no stranger makes, however many a minute has', async () => {
  const { listen, organisation, group } = await makePlace()
  const hook = await listen('DESTINATION_FETCH_FAIL')
  await query(`insert into webhook_delivery (uuid, webhook_uuid, event, state)
    select gen_random_uuid(), '${hook}', 'DESTINATION_FETCH_FAIL', 'done' from generate_series(1, 120)`)
  const place = { account_uuid: organisation.accountUuid, phi_namespace: group.namespaceUuid }
  for (const _time of [1, 2])
    await services.db.transaction().execute((tx) => tellEvent(tx, 'DESTINATION_FETCH_FAIL', [place]))
  expect(await studiesSentTo(hook)).toEqual(['', ''])
})

test('a push of an exam that waits is told of to nobody', async () => {
  const { listen, group, organisation, uuid } = await makePlace()
  const hook = await listen('STUDY_PUSH_STATUS')
  const fail = async () => {
    const { uuid: destination } = await makeDestination({ query }, organisation.accountUuid)
    const pushUuid = randomUUID()
    await query(`insert into push (phi_namespace, study_uuid, destination_uuid, uuid, account_uuid, destination_name, status)
      values ('${group.namespaceUuid}', '${uuid}', '${destination}', '${pushUuid}', '${organisation.accountUuid}', 'PACS', 'N')`)
    const giveUp = (tx: Tx) =>
      pushStudyActs.giveUp?.(tx, { pushUuid }, {} as never, { error: 'FAILED', message: 'It failed' })
    await services.db.transaction().execute(async (tx) => giveUp(tx))
  }
  await query(`update study set must_approve = true where uuid = '${uuid}'`)
  await fail()
  expect(await studiesSentTo(hook)).toEqual([])
  await query(`update study set must_approve = false where uuid = '${uuid}'`)
  await fail()
  expect(await studiesSentTo(hook)).toEqual([uuid])
})

test('webhooks of one host take one lane of their account, and too many that wait are told of as failed', async () => {
  const place = await makePlace()
  const [hook, beside] = [await place.listen('STUDY_EDIT'), await place.listen('STUDY_DELETE')]
  await query(`insert into webhook_delivery (uuid, webhook_uuid, event)
    select gen_random_uuid(), '${hook}', 'STUDY_EDIT' from generate_series(1, ${mostWaitingDeliveries - 1})`)
  const tell = (uuid: string) => services.db.transaction().execute((tx) => tellWebhook(tx, uuid, { event: 'TEST' }))
  for (const uuid of [hook, hook, beside]) await tell(uuid)
  const lanes = await query(`select distinct lane from work w join webhook_delivery d on w.key = d.uuid::text
    where d.webhook_uuid in ('${hook}', '${beside}')`)
  expect(lanes).toEqual([{ lane: `webhook ${place.organisation.accountUuid}/hooks.example.org` }])
  const failed =
    await query(`select d.state, a.error from webhook_delivery d join webhook_attempt a on a.delivery_uuid = d.uuid
    where d.webhook_uuid = '${hook}'`)
  expect(failed).toEqual([{ state: 'failed', error: 'TOO_MANY_WAITING' }])
})

test('forgets deliveries of more than 90 days with their attempts', async () => {
  const place = await makePlace()
  const hook = await place.listen('STUDY_EDIT')
  await query(`with made as (
      insert into webhook_delivery (uuid, webhook_uuid, event, state, created)
      select gen_random_uuid(), '${hook}', 'STUDY_EDIT', 'done', now() - make_interval(days => days)
      from unnest(array[89, 91]) days
      returning uuid
    )
    insert into webhook_attempt (delivery_uuid, number, status, error, milliseconds) select uuid, 1, 200, '', 5 from made`)
  await sweepDeliveriesAt(services, new Date(), new AbortController().signal)
  expect(
    await query(`select extract(day from now() - d.created)::integer as days, a.number
      from webhook_delivery d join webhook_attempt a on a.delivery_uuid = d.uuid where d.webhook_uuid = '${hook}'`),
  ).toEqual([{ days: 89, number: 1 }])
})

test('forgets old deliveries a bounded number at a time, the oldest first, and ends between two when called off', async () => {
  const hook = await (await makePlace()).listen('STUDY_EDIT')
  await query(`insert into webhook_delivery (uuid, webhook_uuid, event, state, created)
    select gen_random_uuid(), '${hook}', 'STUDY_EDIT', 'done', now() - make_interval(days => days)
    from unnest(array[101, 102, 103]) days`)
  const left = async () =>
    (
      await query<{ days: number }>(`select extract(day from now() - created)::integer as days from webhook_delivery
        where webhook_uuid = '${hook}' order by created`)
    ).map(({ days }) => days)
  const before = new Date(Date.now() - 100 * 24 * 3_600_000)
  expect(await deleteDeliveriesBefore(services.db, before, 2)).toBe(2)
  expect(await left()).toEqual([101])
  await expect(sweepDeliveriesAt(services, new Date(), AbortSignal.abort(new Error('It ends')))).rejects.toThrow(
    'It ends',
  )
  expect(await left()).toEqual([101])
  expect(await deleteDeliveriesBefore(services.db, before, 2)).toBe(1)
})

test('tells of exams that were taken back, wherever they had gone, of those whose share ended, and of those shown again', async () => {
  const [place, other] = [await makePlace(), await makePlace()]
  const { person, uuid, organisation } = place
  const hooks = { gone: await place.listen('STUDY_DELETE'), back: await place.listen('STUDY_SYNC') }
  const theirs = { gone: await other.listen('STUDY_DELETE'), back: await other.listen('STUDY_SYNC') }
  const group = await organisation.addGroup()
  const waiting = await organisation.addGroup()
  await query(`update app_group set must_approve = true where uuid = '${waiting.groupUuid}'`)
  const shareWith = async (to: string) =>
    expect((await call('study/share', { sid: person.sid, uuid, group_id: to })).body.status).toBe('OK')
  const recordIn = async (namespace: string) =>
    (
      await query<{ uuid: string }>(
        `select uuid from study where phi_namespace = '${namespace}' and deleted_at is null`,
      )
    )[0]
  await shareWith(group.groupUuid)
  await shareWith(waiting.groupUuid)
  await query(`update app_group set share_code = 'TOLDOUT7', share_settings = '{"must_approve":0}'
    where uuid = '${other.group.groupUuid}'`)
  const byCode = { sid: person.sid, uuid, share_code: 'TOLDOUT7' }
  expect((await call('study/share', byCode)).body.status).toBe('OK')
  const [{ uuid: outside } = { uuid: '' }] = await query<{ uuid: string }>(
    `select uuid from study where phi_namespace = '${other.group.namespaceUuid}' and study_uid = '${place.target.study}'`,
  )
  const received = (await recordIn(group.namespaceUuid))?.uuid ?? ''
  const asked = { sid: person.sid, uuid, reason: 'Consent was withdrawn' }
  expect((await call('study/retract', asked)).body.status).toBe('OK')
  expect((await studiesSentTo(hooks.gone)).toSorted()).toEqual([uuid, received].toSorted())
  // each account hears of its own record
  expect(await studiesSentTo(theirs.gone)).toEqual([outside])
  expect([await studiesSentTo(hooks.back), await studiesSentTo(theirs.back)]).toEqual([[], []])
  expect((await call('study/revive', { sid: person.sid, uuid })).body.status).toBe('OK')
  expect((await studiesSentTo(hooks.back)).toSorted()).toEqual([uuid, received].toSorted())
  expect(await studiesSentTo(theirs.back)).toEqual([outside])
  const later = await place.listen('STUDY_DELETE')
  const ended = { sid: person.sid, uuid, group_id: group.groupUuid }
  expect((await call('study/share/stop', ended)).body.status).toBe('OK')
  expect(await studiesSentTo(later)).toEqual([received])
  expect(await studiesSentTo(theirs.gone)).toEqual([outside])
})

test('tells of what people see, and of nothing that a program reads with a key', async () => {
  const { listen, person, target } = await makePlace()
  const hook = await listen('STUDY_VIEW')
  const url = `/api/v3/storage/study/${target.namespace}/${target.study}/schema`
  const { body } = await call('session/key/add', { sid: person.sid, name: 'Registry', permissions: ['study_view'] })
  expect(body).toMatchObject({ status: 'OK' })
  expect(
    (await app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${body.key as string}` } })).statusCode,
  ).toBe(200)
  expect(await studiesSentTo(hook)).toEqual([])
  expect((await askDoor(origin, { method: 'GET', url }, person.sid)).statusCode).toBe(200)
  expect(await studiesSentTo(hook)).toHaveLength(1)
})
