import { linkRights, type LinkRight } from '@hilum/contract/link-rights'
import { newUid } from '@hilum/dicom/uid'
import { expect, test, vi } from 'vitest'
import { askDoor, makeDoorTarget } from '../../../test/door-target.ts'
import { makeLink, openLink } from '../../../test/make-link.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { findCaller } from '../../access/find-caller.ts'
import { endLink } from './link.sql.ts'

const { app, call, services, query } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)

async function makePlace() {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const [shown, other] = [await makeStudy(), await makeStudy()]
  return { group, person, shown, other }

  async function makeStudy() {
    const target = await makeDoorTarget(origin, person.sid, group.namespaceUuid, newUid())
    const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${target.study}'`)
    return { ...target, uuid: row?.uuid ?? '' }
  }
}
type Place = Awaited<ReturnType<typeof makePlace>>
type Study = Place['shown']

async function linkTo(
  { person, group }: Place,
  studies: readonly Study[],
  permissions: readonly LinkRight[],
  expiresAt?: Date,
) {
  return makeLink(services.db, {
    accountUuid: organisation.accountUuid,
    createdBy: person.userUuid,
    studies: studies.map(({ uuid }) => ({ uuid, phi_namespace: group.namespaceUuid })),
    permissions,
    ...(expiresAt ? { expiresAt } : {}),
  })
}

const storage = (study: Study, rest: string) => `/api/v3/storage/study/${study.namespace}/${study.study}/${rest}`
const dicomweb = (study: Study, rest = '') => `/dicomweb/${study.namespace}/studies/${study.study}${rest}`
const ask = (url: string, sid: string, search: Record<string, string> = {}) =>
  askDoor(origin, { method: 'GET', url, query: search }, sid)
const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).statusCode

test('a link shows its studies at every reading door, and no other study of their place', async () => {
  const place = await makePlace()
  const sid = await openLink(services.db, await linkTo(place, [place.shown], ['study_view']))
  expect(await statusOf(storage(place.shown, 'schema'), sid)).toBe(200)
  expect(await statusOf(dicomweb(place.shown, '/metadata'), sid)).toBe(200)
  expect(await statusOf(storage(place.other, 'schema'), sid)).toBe(403)
  expect(await statusOf(dicomweb(place.other, '/metadata'), sid)).toBe(404)
  for (const namespace of ['all', place.group.namespaceUuid]) {
    const found = JSON.parse((await ask(`/dicomweb/${namespace}/studies`, sid)).body)
    expect(found.map((one: Record<string, { Value: string[] }>) => one['0020000D']?.Value[0])).toEqual([
      place.shown.study,
    ])
  }
})

test('a link downloads only where it may, and reads attachments only where it may', async () => {
  const place = await makePlace()
  const bundle = { bundle: 'dicom' }
  const report = `attachment/${place.shown.attachment}/version/${place.shown.attachmentVersion}`
  const statuses = async (...permissions: LinkRight[]) => {
    const sid = await openLink(services.db, await linkTo(place, [place.shown], permissions))
    return [
      await statusOf(storage(place.shown, 'download'), sid, bundle),
      await statusOf(storage(place.shown, report), sid),
    ]
  }
  expect(await statuses('study_view')).toEqual([403, 403])
  expect(await statuses(...linkRights)).toEqual([200, 200])
})

test('a link changes nothing and opens no call', async () => {
  const place = await makePlace()
  const sid = await openLink(services.db, await linkTo(place, [place.shown], linkRights))
  const put = {
    method: 'POST',
    url: `${dicomweb(place.shown)}`,
    payload: 'x',
    headers: { 'content-type': 'application/dicom' },
  }
  expect((await askDoor(origin, put, sid)).statusCode).toBe(403)
  expect((await askDoor(origin, { method: 'DELETE', url: storage(place.shown, 'cache') }, sid)).statusCode).toBe(403)
  for (const path of ['study/get', 'session/user', 'session/derive', 'study/list', 'user/namespace/list'])
    expect([path, (await call(path, { sid, uuid: place.shown.uuid })).status]).toEqual([path, 401])
})

test('everything open through a link ends when the link ends, runs out, or loses the study', async () => {
  const place = await makePlace()
  const revoked = await linkTo(place, [place.shown], ['study_view'])
  const late = await linkTo(place, [place.shown], ['study_view'])
  const emptied = await linkTo(place, [place.shown, place.other], ['study_view'])
  const sids = await Promise.all([revoked, late, emptied].map((one) => openLink(services.db, one)))
  const statuses = () => Promise.all(sids.map((sid) => statusOf(storage(place.shown, 'schema'), sid)))
  expect(await statuses()).toEqual([200, 200, 200])
  const closed: string[] = []
  const doors = [revoked, late, emptied].map((linkUuid, index) => {
    const stillMay = async (fresh: { derivedStudies?: ReadonlySet<string> }) =>
      fresh.derivedStudies?.has(place.shown.uuid) === true
    return watch(linkUuid, sids[index] ?? '', stillMay)
  })
  for (const door of doors) await door
  expect(await endLink(services.db, revoked)).toBe(true)
  await query(`update link set expires_at = now() where uuid = '${late}'`)
  await query(`delete from link_study where link_uuid = '${emptied}' and study_uuid = '${place.shown.uuid}'`)
  expect(await statuses()).toEqual([403, 403, 403])
  await vi.waitFor(() => expect(closed.toSorted()).toEqual([revoked, late, emptied].toSorted()), { timeout: 20_000 })
  await expect(openLink(services.db, revoked)).rejects.toThrow('has ended')
  await expect(openLink(services.db, late)).rejects.toThrow('has ended')
  expect(await endLink(services.db, revoked)).toBe(false)

  async function watch(
    linkUuid: string,
    sid: string,
    stillMay: (fresh: { derivedStudies?: ReadonlySet<string> }) => Promise<boolean>,
  ) {
    const caller = await findCaller(services.db, sid, '192.0.2.7')
    if (!caller) throw new Error('There is no session')
    services.access.open({ caller, stillMay, close: () => closed.push(linkUuid) })
  }
})

test('a session of a link lasts no longer than the link', async () => {
  const place = await makePlace()
  const soon = new Date(Date.now() + 600_000)
  const link = await linkTo(place, [place.shown], ['study_view'], soon)
  await openLink(services.db, link)
  const [row] = await query<{ same: boolean }>(
    `select s.expires_at = l.expires_at as same from session s join link l on l.uuid = s.link_uuid where l.uuid = '${link}'`,
  )
  expect(row).toEqual({ same: true })
})

test('a link hides a study that waits for approval or was deleted', async () => {
  const place = await makePlace()
  const sid = await openLink(services.db, await linkTo(place, [place.shown, place.other], ['study_view']))
  await query(`update study set must_approve = true where uuid = '${place.shown.uuid}'`)
  await query(`update study set deleted_at = now() where uuid = '${place.other.uuid}'`)
  for (const study of [place.shown, place.other]) {
    expect(await statusOf(storage(study, 'schema'), sid)).toBe(403)
    expect(await statusOf(dicomweb(study, '/metadata'), sid)).toBe(404)
  }
})

test('the audit names the link and its kind, for opening, looking and being refused', async () => {
  const place = await makePlace()
  const link = await linkTo(place, [place.shown], ['study_view'])
  const sid = await openLink(services.db, link)
  await ask(dicomweb(place.shown, '/metadata'), sid)
  await ask(storage(place.shown, 'schema'), sid)
  await ask(storage(place.other, 'schema'), sid)
  const rows = await query(
    `select action, actor, actor_kind, actor_name, object_uuid from audit where actor = '${link}' order by id`,
  )
  const by = { actor: link, actor_kind: 'link', actor_name: 'Link' }
  expect(rows).toEqual([
    { action: 'LINK_OPEN', object_uuid: link, ...by },
    { action: 'STUDY_VIEW', object_uuid: place.shown.uuid, ...by },
  ])
  await vi.waitFor(
    async () => {
      const refused = await query(`select asker, user_uuid, last_object from access_refusal where asker = '${link}'`)
      expect(refused).toEqual([{ asker: link, user_uuid: null, last_object: place.other.uuid }])
    },
    { timeout: 20_000 },
  )
  expect(JSON.stringify(await query(`select a::text as row from audit a where actor = '${link}'`))).not.toContain(sid)
})

test('an identity of another provider belongs to one user', async () => {
  const { person } = await makePlace()
  const add = () =>
    query(
      `insert into user_identity (provider, subject, user_uuid) values ('https://id.example', 'ada', '${person.userUuid}')`,
    )
  await add()
  await expect(add()).rejects.toThrow(/user_identity_pkey/)
})
