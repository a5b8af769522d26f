import { randomInt, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { type DoorRequest, type DoorTarget, namingDoors, requestOf } from '../../../test/door-samples.ts'
import { askDoor, type DoorAnswer, makeDoorTarget } from '../../../test/door-target.ts'
import { makeLink, openLink } from '../../../test/make-link.ts'
import { makeOrganisation, makeSession, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import type { Door } from './app.ts'

/*
 * Every door of the storage API and of DICOMweb, given names of rows that the asker may not know of: answered byte-alike
 * to names that nobody ever gave, whoever asks and however the rows are hidden, and nothing of them changes.
 */

const { app, call, services, query } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const theirs = await makeOrganisation(services.db)
const ours = await makeOrganisation(services.db)
const theirGroup = await theirs.addGroup()
const ourGroup = await ours.addGroup()
const owner = await theirs.addPerson({ role: 'Administrator', groups: [theirGroup] })
const stranger = await ours.addPerson({ role: 'Administrator', groups: [ourGroup] })
const clinician = await theirs.addPerson({ role: 'Clinician', groups: [theirGroup] })

const theirStudy = newUid()
const hidden = {
  live: await makeDoorTarget(origin, owner.sid, theirGroup.namespaceUuid, theirStudy),
  waiting: await makeDoorTarget(origin, owner.sid, theirGroup.namespaceUuid, newUid()),
  deleted: await makeDoorTarget(origin, owner.sid, theirGroup.namespaceUuid, newUid()),
}
await query(`update study set must_approve = true where study_uid = '${hidden.waiting.study}'`)
await query(`update study set deleted_at = now() where study_uid = '${hidden.deleted.study}'`)
// the same images came to the stranger, too
const own = await makeDoorTarget(origin, stranger.sid, ourGroup.namespaceUuid, theirStudy)
const derived = await deriveFor(
  owner,
  (await makeDoorTarget(origin, owner.sid, theirGroup.namespaceUuid, newUid())).study,
)

const linked = await openLinkTo((await makeDoorTarget(origin, owner.sid, theirGroup.namespaceUuid, newUid())).study)

interface Approach {
  how: string
  sid: string
  foreign: DoorTarget
  /** The same names, those of the foreign rows replaced by such as nobody gave. */
  unknown: DoorTarget
  query?: Record<string, string>
  /** Doors that this concerns; without it all. */
  applies?: (url: string) => boolean
}

const nobodys = (names: readonly (keyof DoorTarget)[], target: DoorTarget): DoorTarget => ({
  ...target,
  ...Object.fromEntries(
    names.map((name) => [name, target[name].startsWith('2.25.') ? likeUid(target[name]) : randomUUID()]),
  ),
})
const all = Object.keys(own) as (keyof DoorTarget)[]
const inside = ['series', 'instance', 'imageVersion', 'attachment', 'attachmentVersion', 'upload'] as const
const place = all.filter((name) => name !== 'namespace')

const approaches: Approach[] = [
  { how: 'another account', sid: stranger.sid, foreign: hidden.live, unknown: nobodys(all, hidden.live) },
  {
    how: 'through the own record of the same study',
    sid: stranger.sid,
    foreign: hidden.live,
    unknown: { ...hidden.live, namespace: randomUUID() },
    query: { phi_namespace: ourGroup.namespaceUuid },
  },
  {
    how: 'images of others below the own study',
    sid: stranger.sid,
    foreign: { ...own, ...pick(hidden.waiting, inside) },
    unknown: { ...own, ...pick(nobodys(inside, hidden.waiting), inside) },
    applies: (url) => /:(series|instance|image|version|upload)/.test(url) && !takesIn(url),
  },
  ...(['waiting', 'deleted'] as const).map((state) => ({
    how: `a study of the own group that is ${state}`,
    sid: clinician.sid,
    foreign: hidden[state],
    unknown: nobodys(place, hidden[state]),
    // an image that comes to a study that waits or was deleted is no question of rights
    applies: (url: string) => !takesIn(url),
  })),
  {
    how: 'with a link to another study',
    sid: linked,
    foreign: hidden.live,
    unknown: nobodys(place, hidden.live),
  },
  {
    how: 'with a sid derived for another study',
    sid: derived,
    foreign: hidden.live,
    unknown: nobodys(place, hidden.live),
  },
]

const doors = namingDoors(app)
/** The same doors under another prefix, and those that leave out the body. */
const isTwin = ({ method, url }: Door) => method === 'HEAD' || url.startsWith('/host/')

it.each(doors)('[OPEN-01] $method $url answers foreign names like unknown ones', async (door) => {
  for (const { how, sid, foreign, unknown, query: more, applies = () => true } of isTwin(door)
    ? approaches.slice(0, 1)
    : approaches) {
    if (!applies(door.url)) continue
    const [one, other] = [
      await ask(requestOf(door, foreign), sid, more),
      await ask(requestOf(door, unknown), sid, more),
    ]
    expect(alike(one, foreign), `${how}`).toEqual(alike(other, unknown))
  }
})

it.each(doors.filter((one) => !isTwin(one)))(
  '[OPEN-01] $method $url answers its own people, but not once they have no right',
  async (door) => {
    const study = newUid()
    const target = await makeDoorTarget(origin, owner.sid, theirGroup.namespaceUuid, study)
    const unknown = nobodys(all, target)
    for (const { who, sid, isMember, applies = () => true } of changed) {
      if (!applies(door.url)) continue
      const answer = await ask(requestOf(door, target), sid)
      expect([401, 403, 404], `${who}`).toContain(answer.statusCode)
      // a member without rights is told that they are missing; nobody else learns that there is something
      if (isMember) continue
      expect(alike(answer, target), `${who}`).toEqual(alike(await ask(requestOf(door, unknown), sid), unknown))
    }
    const { statusCode, body } = await ask(requestOf(door, target), owner.sid)
    // take files of an opened link alone: people upload by their own doors
    const refusals = door.url.startsWith('/api/v3/storage/link/') ? [200, 401] : [401, 403]
    expect(refusals, `${body}`).not.toContain(statusCode)
    expect(body, 'what is there is found').not.toMatch(/STUDY_NOT_FOUND|There is no such/)
  },
)

it('[OPEN-01] leaves all foreign rows and objects as they were', async () => {
  expect(await contents()).toEqual(before)
})

const changed = await makeChanged()
const before = await contents()

async function contents() {
  const ids = Object.values(hidden).map(({ study }) => `'${study}'`)
  return query(`select s.study_uid, s::text as record, t::text as stored,
      (select jsonb_agg(a::text order by a.id) from attachment a where a.study_uuid = s.uuid) as attachments
    from study s
    join stored_study t on t.storage_namespace = s.storage_namespace and t.study_uid = s.study_uid
    where s.study_uid in (${ids.join(',')}) and s.phi_namespace = '${theirGroup.namespaceUuid}'
    order by s.study_uid`)
}

/** The sid of somebody who opened a link to a study of the group. */
async function openLinkTo(study: string): Promise<string> {
  const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${study}'`)
  const link = await makeLink(services.db, {
    accountUuid: theirs.accountUuid,
    createdBy: owner.userUuid,
    studies: [{ phi_namespace: theirGroup.namespaceUuid, uuid: row?.uuid ?? '' }],
    permissions: ['study_view', 'study_download', 'study_report_view'],
  })
  return openLink(services.db, link)
}

function ask(request: DoorRequest, sid: string | undefined, more?: Record<string, string>): Promise<DoorAnswer> {
  return askDoor(origin, request, sid, Object.entries(more ?? {}))
}

/** Everything that an asker sees of an answer, freed of the names that were sent and of the moment. */
function alike({ statusCode, headers, body }: DoorAnswer, sent: DoorTarget): object {
  const { date: _, 'content-length': __, ...rest } = headers
  let text = JSON.stringify({ rest, body })
  // the longest first: the UID of an image begins with that of its study
  const names = Object.entries(sent).toSorted(([, a], [, b]) => b.length - a.length)
  for (const [name, value] of names) text = text.replaceAll(value, `<${name}>`)
  text = text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\d{4}-\d\d-\d\d[ T][\d:.]+(Z|[+-]\d\d)?|\d{13}/g, '<stamp>')
    .replace(/2\.25\.\d+[\d.]*/g, '<uid>')
  return { statusCode, text }
}

/** Doors that bring something into a namespace. */
function takesIn(url: string): boolean {
  return /\/namespace\/:namespace\/|\/multipart\/|^\/dicomweb\/:namespace\/studies(\/:study)?$/.test(url)
}

interface Changed {
  who: string
  sid: string | undefined
  isMember?: boolean
  /** Doors that this concerns; without it all. */
  applies?: (url: string) => boolean
}

/** People of the group whose session was good until their rights ended. */
async function makeChanged(): Promise<Changed[]> {
  const add = () => theirs.addPerson({ role: 'Administrator', groups: [theirGroup] })
  const [disabled, left, put, emptied, both, over] = [
    await add(),
    await add(),
    await add(),
    await add(),
    await ours.addPerson({ role: 'Administrator', groups: [ourGroup] }),
    await add(),
  ]
  const [ended, parent] = [
    await makeSession(services.db, owner.userUuid),
    await makeSession(services.db, owner.userUuid),
  ]
  const derivedBefore = await deriveFor({ ...owner, sid: parent }, hidden.live.study)
  await query(`update app_user set disabled = true where uuid = '${disabled.userUuid}'`)
  await query(`update account_user set disabled = true where user_uuid = '${left.userUuid}'`)
  await query(`delete from group_user where user_uuid = '${put.userUuid}'`)
  await query(`update session set expires_at = now() where user_uuid = '${over.userUuid}'`)
  const role = randomUUID()
  await query(`insert into role (uuid, account_uuid, name, permissions)
    values ('${role}', '${theirs.accountUuid}', 'Emptied', '{}')`)
  await query(`update group_user set role_uuid = '${role}' where user_uuid = '${emptied.userUuid}'`)
  await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
    values ('${theirs.accountUuid}', '${both.userUuid}', '${theirs.roles.get('Viewer')}')`)
  for (const sid of [ended, parent]) await call('session/logout', { sid })
  // an upload in chunks is its user's own and belongs to no group yet
  const applies = (url: string) => !url.includes('/multipart/')
  return [
    { who: 'nobody', sid: undefined },
    { who: 'a sid that was never given', sid: 'made-up' },
    { who: 'a session that was ended', sid: ended },
    { who: 'a session whose time is over', sid: over.sid },
    { who: 'a sid derived from a session that was ended', sid: derivedBefore },
    { who: 'a user disabled meanwhile', sid: disabled.sid },
    { who: 'a member disabled in the account meanwhile', sid: left.sid, applies },
    { who: 'a member put out of the group meanwhile', sid: put.sid, applies },
    { who: 'a member of the account, and administrator of another', sid: both.sid, applies },
    { who: 'a member whose role was emptied meanwhile', sid: emptied.sid, isMember: true, applies },
  ]
}

async function deriveFor(person: Person, study: string): Promise<string> {
  const [row] = await query<{ uuid: string }>(
    `select uuid from study where study_uid = '${study}' and phi_namespace = '${theirGroup.namespaceUuid}'`,
  )
  return (await call('session/derive', { sid: person.sid, studies: [row?.uuid] })).body.sid
}

function newUid(): string {
  return `2.25.${randomInt(100_000_000, 999_999_999)}${randomInt(100_000_000, 999_999_999)}`
}
function likeUid(uid: string): string {
  const [root, , ...rest] = [uid.slice(0, 5), ...uid.slice(5).split('.')]
  return [`${root}${randomInt(100_000_000, 999_999_999)}${randomInt(100_000_000, 999_999_999)}`, ...rest].join('.')
}
function pick<Name extends keyof DoorTarget>(target: DoorTarget, names: readonly Name[]): Pick<DoorTarget, Name> {
  return Object.fromEntries(names.map((name) => [name, target[name]])) as Pick<DoorTarget, Name> // one of each
}
