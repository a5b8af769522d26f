import { randomUUID } from 'node:crypto'
import { type Fact, type Held, mayDo } from '@hilum/contract/acts'
import type { AnyCall } from '@hilum/contract/call'
import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import type { PermissionSet } from '@hilum/contract/permissions'
import { roleTemplates } from '@hilum/contract/roles'
import { expect, it } from 'vitest'
import { makeSamples, type Place } from '../../../test/call-samples.ts'
import { makeLink, makeRequest, openLink } from '../../../test/make-link.ts'
import { makeOrganisation, makeSession, makeStudy, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Every declared call, asked by everybody who could: whether it answers is computed from its declaration, the table
 * of acts and that of roles, and compared with what it does: alone, and for one asker of each verdict inside a bundle. A
 * call that is added is walked without a change here but its sample.
 */

const app = await startTestApp()
const { services, call, query } = app
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const elsewhere = await makeOrganisation(services.db)
const shareCode = 'WALK1'
await query(`update app_group set share_code = '${shareCode}' where uuid = '${group.groupUuid}'`)
const samples = makeSamples(app, shareCode)

type Verdict = 'answers' | 'no session' | 'not found' | 'not permitted' | `fails: ${string}`

interface Asker {
  who: string
  /** A token for one request. */
  sid: () => Promise<string | undefined>
  place: Place
  expects: (call: AnyCall) => Verdict
}

const askers = await listAskers()

it.each(Object.entries(calls))(
  '[PERM-01][API-36] %s answers whom its declaration lets in, and nobody else',
  async (name, declared) => {
    const walked = declared as unknown as AnyCall
    const sample = samples[name as CallName]
    const expected: Record<string, Verdict> = {}
    const alone: Record<string, Verdict> = {}
    const bundled: Record<string, Verdict> = {}
    const inBundle: Record<string, Verdict> = {}
    for (const asker of askers) {
      expected[asker.who] = asker.expects(walked)
      alone[asker.who] = await ask(walked.path, { ...(await sample(asker.place)), sid: await asker.sid() })
    }
    expect(alone).toEqual(expected)
    // a bundle decides by the same table: of each verdict the first who is given it
    const firsts = new Map(askers.map((asker) => [asker.expects(walked), asker] as const).toReversed())
    for (const [verdict, asker] of firsts) {
      bundled[asker.who] = await askInBundle(walked.path, { ...(await sample(asker.place)), sid: await asker.sid() })
      inBundle[asker.who] = verdict
    }
    expect(bundled).toEqual(inBundle)
  },
)

it('[API-36] gives the first session of a bundle to no other item', async () => {
  const [theirs] = askers
  const { body } = await call(
    'bundle',
    {},
    {
      body: Object.values(calls)
        .filter((one) => one.on.kind !== 'anyone' && one.path !== 'session/logout')
        .flatMap((one) => [{ URL: '/session/user', sid: theirs?.place.person.sid }, { URL: one.path }]),
    },
  )
  const codes = body.map((item: { HTTP_STATUS_CODE: string }) => item.HTTP_STATUS_CODE)
  expect(codes).toEqual(codes.map((_: string, index: number) => (index % 2 === 0 ? '200' : '401')))
})

async function ask(path: string, sent: Record<string, unknown>): Promise<Verdict> {
  const { status, body } = await call(path, sent)
  return verdictOf(status, body.error_type)
}
async function askInBundle(path: string, sent: Record<string, unknown>): Promise<Verdict> {
  const { body } = await call('bundle', {}, { body: [{ URL: `/${path}`, ...sent }] })
  return verdictOf(Number(body[0].HTTP_STATUS_CODE), body[0].error_type)
}
function verdictOf(status: number, code: string | undefined): Verdict {
  if (status === 401) return 'no session'
  if (status === 412 && /^((ACCOUNT|NAMESPACE)_)?NOT_FOUND$/.test(code ?? '')) return 'not found'
  if (status === 412 && code === 'NOT_PERMITTED') return 'not permitted'
  return status === 200 || status === 412 ? 'answers' : `fails: ${status} ${code}`
}

async function listAskers(): Promise<Asker[]> {
  const inGroup = { ...group, accountUuid: organisation.accountUuid }
  const studyUuid = (await makeStudy(services.db, inGroup)).uuid
  const placeOf = async (person: Person): Promise<Place> => ({
    accountUuid: organisation.accountUuid,
    ...group,
    studyUuid,
    ownStudyUuid: (await makeStudy(services.db, { ...person, accountUuid: organisation.accountUuid })).uuid,
    person,
  })
  const found: Asker[] = []
  for (const { name, holds } of roleTemplates) {
    const held: PermissionSet = new Set(holds)
    const member = await organisation.addPerson({ role: name, groups: [group] })
    const outsider = await organisation.addPerson({ role: name })
    found.push(
      {
        who: `${name} in the group`,
        sid: () => makeSession(services.db, member.userUuid),
        place: await placeOf(member),
        expects: ({ on }) => verdictOn(on, held, { facts: ['member'] }),
      },
      {
        who: `${name} outside the group`,
        sid: () => makeSession(services.db, outsider.userUuid),
        place: await placeOf(outsider),
        expects: ({ on }) => {
          if (on.kind === 'namespace' || on.kind === 'study' || on.kind === 'link') return 'not found'
          if (isOfUnknownPlace(on, held)) return 'not found'
          if (on.kind === 'group' && !mayDo('seeGroup', { permissions: held })) return 'not found'
          return verdictOn(on, held)
        },
      },
    )
  }
  const stranger = await elsewhere.addPerson({ role: 'Administrator', groups: [await elsewhere.addGroup()] })
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const place = await placeOf(person)
  const parent = await makeSession(services.db, person.userUuid)
  const derived = (await call('session/derive', { sid: parent, studies: [studyUuid] })).body.sid
  const link = await makeLink(services.db, {
    accountUuid: organisation.accountUuid,
    createdBy: person.userUuid,
    studies: [{ phi_namespace: group.namespaceUuid, uuid: studyUuid }],
    permissions: ['study_view', 'study_download', 'study_report_view'],
  })
  const request = await makeRequest(services.db, {
    accountUuid: organisation.accountUuid,
    createdBy: person.userUuid,
    namespaceUuid: group.namespaceUuid,
  })
  return [
    ...found,
    await uploaderWith('Staff', placeOf),
    await uploaderWith('Gatekeeper reviewer', placeOf),
    ...(await listChanged(placeOf, studyUuid)),
    { who: 'nobody', sid: async () => undefined, place, expects: onlyAnyone },
    { who: 'a sid that was never given', sid: async () => 'made-up', place, expects: onlyAnyone },
    { who: 'a session derived for the study', sid: async () => derived, place, expects: onlyAnyone },
    { who: 'a link to the study', sid: () => openLink(services.db, link), place, expects: onlyAnyone },
    { who: 'a link to upload into the group', sid: () => openLink(services.db, request), place, expects: onlyAnyone },
    {
      who: 'an administrator of another account',
      sid: () => makeSession(services.db, stranger.userUuid),
      place: {
        ...place,
        ownStudyUuid: (await makeStudy(services.db, { ...stranger, accountUuid: elsewhere.accountUuid })).uuid,
        person: stranger,
      },
      expects: onlyOwn,
    },
  ]
}

/** A place that somebody does not belong to is known only to those who may do the act in the account that owns it. */
function isOfUnknownPlace(on: AnyCall['on'], held: PermissionSet): boolean {
  return on.kind === 'account' && on.owner === 'namespace' && !mayDo(on.may, { permissions: held })
}

/** Somebody whose role in the group allows other acts than the one in the account. */
async function uploaderWith(role: string, placeOf: (person: Person) => Promise<Place>): Promise<Asker> {
  const person = await organisation.addPerson({ role: 'Uploader', groups: [group] })
  await query(
    `update group_user set role_uuid = '${organisation.roles.get(role)}' where user_uuid = '${person.userUuid}'`,
  )
  return {
    who: `an uploader of the account who is ${role} in the group`,
    sid: () => makeSession(services.db, person.userUuid),
    place: await placeOf(person),
    expects: ({ on }) => verdictOn(on, heldBy('Uploader'), { facts: ['member'], inGroup: heldBy(role) }),
  }
}

/** People whose rights changed after they had signed in and used their session. */
async function listChanged(placeOf: (person: Person) => Promise<Place>, studyUuid: string): Promise<Asker[]> {
  const make = async (
    who: string,
    role: string,
    expects: Asker['expects'],
    change: (person: Person) => Promise<unknown>,
  ) => {
    const person = await organisation.addPerson({ role, groups: [group] })
    const place = await placeOf(person)
    const sids = await Promise.all(
      Object.keys(calls).flatMap(() => [0, 1].map(() => makeSession(services.db, person.userUuid))),
    )
    expect(await ask('study/get', { uuid: studyUuid, sid: person.sid })).toBe('answers')
    await change(person)
    // signed in before the change: each sid for one request, since one of the calls ends its session
    return { who, sid: async () => sids.pop(), place, expects }
  }
  const emptied = randomUUID()
  await query(`insert into role (uuid, account_uuid, name, permissions)
    values ('${emptied}', '${organisation.accountUuid}', 'Emptied', '{study_view}')`)
  return [
    await make('a user disabled meanwhile', 'Administrator', onlyAnyone, ({ userUuid }) =>
      query(`update app_user set disabled = true where uuid = '${userUuid}'`),
    ),
    await make('a member disabled in the account meanwhile', 'Administrator', onlyOwn, ({ userUuid }) =>
      query(`update account_user set disabled = true where user_uuid = '${userUuid}'`),
    ),
    await make(
      'a member whose role was emptied meanwhile',
      'Clinician',
      ({ on }) => verdictOn(on, new Set(), { facts: ['member'] }),
      async ({ userUuid }) => {
        await query(`update account_user set role_uuid = '${emptied}' where user_uuid = '${userUuid}'`)
        await query(`update role set permissions = '{}' where uuid = '${emptied}'`)
      },
    ),
    await make(
      'an administrator of another account who is a viewer here',
      'Viewer',
      ({ on }) => verdictOn(on, heldBy('Viewer'), { facts: ['member'] }),
      ({ userUuid }) =>
        query(`insert into account_user (account_uuid, user_uuid, role_uuid)
          values ('${elsewhere.accountUuid}', '${userUuid}', '${elsewhere.roles.get('Administrator')}')`),
    ),
    await make(
      'a member put out of the group meanwhile',
      'Staff',
      ({ on }) =>
        ['namespace', 'study', 'link', 'group'].includes(on.kind) || isOfUnknownPlace(on, heldBy('Staff'))
          ? 'not found'
          : verdictOn(on, heldBy('Staff')),
      ({ userUuid }) => query(`delete from group_user where user_uuid = '${userUuid}'`),
    ),
  ]
}

function heldBy(role: string): PermissionSet {
  return new Set(roleTemplates.find(({ name }) => name === role)?.holds)
}

/** Of somebody to whom the object is known: the verdict of the table of acts, by the role in the account and that in the group. */
function verdictOn(
  on: AnyCall['on'],
  inAccount: PermissionSet,
  { facts = [], inGroup = inAccount }: { facts?: Fact[]; inGroup?: PermissionSet } = {},
): Verdict {
  if (on.kind === 'system') return 'not permitted'
  if (!('may' in on)) return 'answers'
  const isInGroup = on.kind === 'namespace' || on.kind === 'study' || on.kind === 'link'
  // all studies of the walk are their places' own
  const its: Pick<Held, 'facts' | 'inAccount'> = { inAccount, facts: new Set<Fact>([...facts, 'original']) }
  if (mayDo(on.may, { ...its, permissions: isInGroup ? inGroup : inAccount })) return 'answers'
  const orIn = on.kind === 'account' ? on.mayInPlace : undefined
  const mayInPlace = orIn && [inAccount, inGroup].some((permissions) => mayDo(orIn, { permissions }))
  return mayInPlace ? 'answers' : 'not permitted'
}
function onlyAnyone({ on }: AnyCall): Verdict {
  return on.kind === 'anyone' ? 'answers' : 'no session'
}
/** Of a person without a place in this account. */
function onlyOwn({ on }: AnyCall): Verdict {
  if (on.kind === 'system') return 'not permitted'
  return 'may' in on ? 'not found' : 'answers'
}
