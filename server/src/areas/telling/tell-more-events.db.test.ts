import type { WebhookEvent } from '@hilum/contract/calls/webhook'
import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { askDoor } from '../../../test/door-target.ts'
import { listenTo, deliveredStudies } from '../../../test/listening-hooks.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeLink, makeRequest, openLink } from '../../../test/make-link.ts'
import { makeNameless } from '../../../test/make-nameless.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeSharing } from '../../../test/make-sharing.ts'
import { openGate } from '../../../test/nominated-exam.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { endAbandonedUploads } from '../link/tell-use.command.ts'
import { makeSeparationActs } from '../separation/make-separation.job.ts'

const testApp = await startTestApp()
const { app, call, services, query } = testApp
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const sharing = await makeSharing({ services, call })
const { organisation, accountUuid, makePlace, received } = sharing
const listen = (event: WebhookEvent, account = accountUuid) => listenTo(testApp, account, event)
const told = (hook: string) => deliveredStudies(testApp, hook)
const work = { work: 'test', signal: new AbortController().signal } as never

test('tells that a link was opened, of each study that it shows, and not of one that waits for approval', async () => {
  const place = await makePlace('Administrator')
  const { send } = makeNameless({ services, call, query, accountUuid, received })
  const [shown, waiting] = [await send(place), await send(place)]
  await query(`update study set must_approve = true where uuid = '${waiting.uuid}'`)
  const secret = newUid()
  const link = await makeLink(services.db, {
    accountUuid,
    createdBy: place.person.userUuid,
    studies: [shown, waiting].map(({ uuid }) => ({ uuid, phi_namespace: place.group.namespaceUuid })),
    secret,
  })
  const hook = await listen('LINK_OPEN')
  expect((await call('link/status', { token: secret })).status).toBe(200)
  expect(await told(hook)).toEqual([])
  const open = async () =>
    expect((await call('link/session', { token: secret })).body).toMatchObject({ status: 'OK', action: 'STUDY_VIEW' })
  await open()
  expect(await told(hook)).toEqual([shown.uuid])
  // whoever has the address opens it as often as the person likes: once in an hour is told
  await query(`update link_use set opened_at = now() + interval '10 minutes' where link_uuid = '${link}'`)
  for (const _time of [1, 2]) await open()
  expect(await told(hook)).toEqual([shown.uuid])
  await query(`update link_use set opened_at = now() - interval '2 hours' where link_uuid = '${link}'`)
  await open()
  expect(await told(hook)).toEqual([shown.uuid, shown.uuid])
})

test('tells which study came by a request, once its sender says so, and when the sender went away', async () => {
  const place = await makePlace('Administrator')
  const { namespaceUuid } = place.group
  const hooks = [await listen('STUDY_UPLOAD_LINK'), await listen('STUDY_UPLOAD_END')]
  const request = { accountUuid, namespaceUuid, createdBy: place.person.userUuid }
  const sid = await openLink(services.db, await makeRequest(services.db, request), 'STUDY_UPLOAD')
  const send = async (studyUid: string) => {
    const studies = [{ study_uid: studyUid, image_count: 1 }]
    expect((await call('link/upload/begin', { sid, studies })).status).toBe(200)
    const payload = new Uint8Array(madeImage({ studyUid, number: 1 }))
    const url = '/api/v3/storage/link/image'
    const image = { method: 'POST', url, query: { study_uid: studyUid }, payload } as const
    expect((await askDoor(origin, image, sid)).statusCode).toBe(202)
    return (await received(place, studyUid))?.uuid ?? ''
  }
  const said = newUid()
  const first = await send(said)
  for (const _time of [1, 2]) expect((await call('link/upload/end', { sid, study_uid: said })).status).toBe(200)
  expect(await Promise.all(hooks.map(told))).toEqual([[first], ['']])
  const left = newUid()
  const second = await send(left)
  await endAbandonedUploads(services)
  expect(await told(hooks[0] ?? '')).toEqual([first])
  await query(`update study set arrival = 'complete', complete_at = null where study_uid = '${left}'`)
  for (const _time of [1, 2]) await endAbandonedUploads(services)
  expect(await Promise.all(hooks.map(told))).toEqual([
    [first, second],
    ['', ''],
  ])
})

test('tells by the place alone that a study came by a request which waits for approval', async () => {
  const place = await makePlace('Administrator')
  const { namespaceUuid } = place.group
  await query(`update app_group set must_approve_upload = true where uuid = '${place.group.groupUuid}'`)
  const hook = await listen('STUDY_UPLOAD_LINK')
  const request = { accountUuid, namespaceUuid, createdBy: place.person.userUuid }
  const sid = await openLink(services.db, await makeRequest(services.db, request), 'STUDY_UPLOAD')
  const studyUid = newUid()
  expect((await call('link/upload/begin', { sid, studies: [{ study_uid: studyUid, image_count: 1 }] })).status).toBe(
    200,
  )
  const payload = new Uint8Array(madeImage({ studyUid, number: 1 }))
  const image = { method: 'POST', url: '/api/v3/storage/link/image', query: { study_uid: studyUid }, payload } as const
  expect((await askDoor(origin, image, sid)).statusCode).toBe(202)
  expect((await call('link/upload/end', { sid, study_uid: studyUid })).status).toBe(200)
  expect(await query(`select must_approve from study where study_uid = '${studyUid}'`)).toEqual([
    { must_approve: true },
  ])
  expect(await told(hook)).toEqual([''])
})

test('tells that images wait for approval, by their place alone', async () => {
  const [place, approving] = [await makePlace(), await organisation.addGroup()]
  await query(`update app_group set must_approve = true where uuid = '${approving.groupUuid}'`)
  const open = await organisation.addGroup()
  const hook = await listen('STUDY_REQUEST_APPROVAL')
  expect((await sharing.share(place.sid, { uuid: place.uuid, group_id: open.groupUuid })).status).toBe('OK')
  expect(await told(hook)).toEqual([])
  expect((await sharing.share(place.sid, { uuid: place.uuid, group_id: approving.groupUuid })).status).toBe('OK')
  expect(await told(hook)).toEqual([''])
})

test('tells that a nomination was rejected, of the exam that was nominated', async () => {
  const gate = await openGate(testApp, (account) => makeDestination(testApp, account))
  const on = await gate.makeNominated()
  const [{ account_uuid: account } = { account_uuid: '' }] = await query<{ account_uuid: string }>(
    `select account_uuid from study where uuid = '${on.source}'`,
  )
  const hook = await listen('STUDY_REJECT', account)
  expect(await gate.acts['another rejects'].steps[0]?.(on, {})).toBe('OK')
  expect(await told(hook)).toEqual([on.source])
})

test('tells of both studies of a separation and of a merge, of their undoing, and of a merge that failed', async () => {
  const place = await makePlace('Administrator')
  const { send } = makeNameless({ services, call, query, accountUuid, received })
  const hooks = { split: await listen('STUDY_SPLIT'), merge: await listen('STUDY_MERGE') }
  const failed = await listen('STUDY_MERGE_FAIL')
  const ask = async (path: string, sent: object) => (await call(path, { sid: place.sid, ...sent })).body
  const begin = async (path: string, on: object) => {
    const { digest } = await ask(`${path}/preview`, on)
    return (await ask(path, { ...on, digest })).uuid as string
  }

  const mixed = await send(place)
  await send(place, { patientName: 'Moves^Bert', patientId: 'B1', series: 2 }, 1, mixed.studyUid)
  const { patients } = await ask('study/patients', { uuid: mixed.uuid })
  const bert = patients.find((one: { patient_name: string }) => one.patient_name === 'Moves^Bert')
  const split = await begin('study/split', { uuid: mixed.uuid, move: [{ patient: bert.key }] })
  await makeSeparationActs.run(services, { separationUuid: split }, work)
  const [{ made } = { made: '' }] = await query<{ made: string }>(
    `select to_study_uuid as made from separation where uuid = '${split}'`,
  )
  expect((await told(hooks.split)).toSorted()).toEqual([mixed.uuid, made].toSorted())
  expect((await ask('study/split/undo', { uuid: mixed.uuid, separation_id: split })).status).toBe('OK')
  expect(await told(hooks.split)).toHaveLength(3)

  const [stays, moves] = [await send(place), await send(place)]
  const both = { uuid: stays.uuid, secondary_uuid: moves.uuid }
  const merge = await begin('study/merge', both)
  await makeSeparationActs.run(services, { separationUuid: merge }, work)
  expect((await told(hooks.merge)).toSorted()).toEqual([stays.uuid, moves.uuid].toSorted())

  const again = { uuid: stays.uuid, secondary_uuid: (await send(place)).uuid }
  const separationUuid = await begin('study/merge', again)
  const fault = { error: 'STALE', message: 'It failed' } as never
  await services.db
    .transaction()
    .execute(async (tx) => makeSeparationActs.giveUp?.(tx, { separationUuid }, {} as never, fault))
  expect(await told(failed)).toEqual([again.secondary_uuid])
  expect(await told(hooks.merge)).toHaveLength(2)
})

test('tells whoever has an exam by a share that images left it or came to it, each account of its own record', async () => {
  const place = await makePlace('Administrator')
  const { send } = makeNameless({ services, call, query, accountUuid, received })
  const theirs = await makeOrganisation(services.db)
  const { groupUuid, namespaceUuid } = await theirs.addGroup()
  const code = 'IMAGESLEFT7'
  await query(`update app_group set share_code = '${code}', share_settings = '{"must_approve":0}'
    where uuid = '${groupUuid}'`)
  const hooks = {
    split: await listen('STUDY_SPLIT', theirs.accountUuid),
    merge: await listen('STUDY_MERGE', theirs.accountUuid),
  }
  const ask = async (path: string, sent: object) => (await call(path, { sid: place.sid, ...sent })).body
  const make = async (path: string, on: object) => {
    const { digest } = await ask(`${path}/preview`, on)
    const { uuid } = await ask(path, { ...on, digest })
    await makeSeparationActs.run(services, { separationUuid: uuid as string }, work)
    return uuid as string
  }
  /** Shares an exam with the other account. @returns the record there */
  const share = async ({ uuid, studyUid }: { uuid: string; studyUid: string }) => {
    expect((await ask('study/share', { uuid, share_code: code, mixed_patients: 1 })).status).toBe('OK')
    const [row] = await query<{ uuid: string }>(
      `select uuid from study where phi_namespace = '${namespaceUuid}' and study_uid = '${studyUid}'`,
    )
    return row?.uuid ?? ''
  }

  const mixed = await send(place)
  await send(place, { patientName: 'Moves^Bert', patientId: 'B1', series: 2 }, 1, mixed.studyUid)
  const shown = await share(mixed)
  const { patients } = await ask('study/patients', { uuid: mixed.uuid })
  const bert = patients.find((one: { patient_name: string }) => one.patient_name === 'Moves^Bert')
  const split = await make('study/split', { uuid: mixed.uuid, move: [{ patient: bert.key }] })
  expect(await told(hooks.split)).toEqual([shown])
  expect((await ask('study/split/undo', { uuid: mixed.uuid, separation_id: split })).status).toBe('OK')
  expect(await told(hooks.split)).toEqual([shown, shown])

  const [stays, moves] = [await send(place), await send(place)]
  const both = [await share(stays), await share(moves)].toSorted()
  await make('study/merge', { uuid: stays.uuid, secondary_uuid: moves.uuid })
  expect((await told(hooks.merge)).toSorted()).toEqual(both)
})

test('tells that a copy was kept, and that a copy without names failed', async () => {
  const place = await makePlace('Administrator')
  const nameless = makeNameless({ services, call, query, accountUuid, received })
  const exam = await nameless.send(place)
  const hooks = { copy: await listen('STUDY_COPY'), failed: await listen('STUDY_DEID_FAIL') }
  const there = await makePlace('Administrator')
  expect((await sharing.share(place.sid, { uuid: exam.uuid, group_id: there.group.groupUuid })).status).toBe('OK')
  const got = (await received(there, exam.studyUid))?.uuid ?? ''
  const kept = { sid: there.sid, uuid: got, namespace_id: there.group.namespaceUuid }
  expect((await call('study/duplicate', kept)).body.status).toBe('OK')
  expect(await told(hooks.copy)).toEqual([got])
  const { uuid } = await nameless.make(place, exam.uuid)
  await nameless.giveUp(uuid)
  expect(await told(hooks.failed)).toEqual([exam.uuid])
})
