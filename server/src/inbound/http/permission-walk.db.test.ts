import { randomUUID } from 'node:crypto'
import type { AnyCall } from '@hilum/contract/call'
import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import { holdsOne, type PermissionSet } from '@hilum/contract/permissions'
import { roleTemplates } from '@hilum/contract/roles'
import { expect, it } from 'vitest'
import { makeOrganisation, makeSession, makeStudy, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Every declared call, asked by everybody who could: whether it answers is computed from its declaration and the table
 * of roles, and compared with what it does, alone and inside a bundle. A call that is added is walked without a change
 * here but its sample.
 */

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const elsewhere = await makeOrganisation(services.db)
const shareCode = 'WALK1'
await query(`update app_group set share_code = '${shareCode}' where uuid = '${group.groupUuid}'`)

interface Place {
  accountUuid: string
  groupUuid: string
  namespaceUuid: string
  studyUuid: string
  /** A study in the asking person's own namespace. */
  ownStudyUuid: string
  person: Person
}
type Sample = (place: Place) => Record<string, unknown> | Promise<Record<string, unknown>>

const study: Sample = ({ studyUuid }) => ({ uuid: studyUuid })
const account: Sample = ({ accountUuid }) => ({ account_id: accountUuid })
const nothing: Sample = () => ({})
/** A custom field of the account. */
const field: Sample = async ({ accountUuid }) => {
  const uuid = randomUUID()
  await query(`insert into customfield (uuid, account_uuid, name, object, type)
    values ('${uuid}', '${accountUuid}', 'Walked', 'Study', 'text')`)
  return { uuid }
}
const addOrder = async ({ accountUuid }: Place): Promise<string> => {
  const uuid = randomUUID()
  await query(`insert into imaging_order (account_uuid, uuid) values ('${accountUuid}', '${uuid}')`)
  return uuid
}
const addJob = async ({ userUuid, namespaceUuid }: Person): Promise<string> => {
  const id = randomUUID()
  await query(`insert into job (user_uuid, namespace_uuid, job_id) values ('${userUuid}', '${namespaceUuid}', '${id}')`)
  return id
}
const search: Sample = () => ({ name: 'Mine', type: 'Study', configuration: { 'modality.in': ['CT'] } })
/** A saved search of the asking person. */
const addSearch = async (place: Place): Promise<string> =>
  (await call('filter/add', { sid: place.person.sid, ...(await search(place)) })).body.uuid

/** One that is shared with that person, too. */
const shareSearch: Sample = async (place) => {
  const shared = { uuid: await addSearch(place), user_id: place.person.userUuid }
  await call('filter/share', { sid: place.person.sid, ...shared })
  return shared
}

/** A good request of each call; a call without one does not compile. */
const samples: { [Name in CallName]: Sample } = {
  sessionLogin: ({ person }) => ({ login: person.email, password: 'not the right 1' }),
  sessionUser: nothing,
  sessionPermissions: ({ person }) => ({ namespace_id: person.namespaceUuid }),
  sessionTtl: nothing,
  sessionLogout: nothing,
  sessionUuid: nothing,
  sessionDerive: ({ ownStudyUuid }) => ({ studies: [ownStudyUuid] }),
  userGet: nothing,
  userSet: () => ({ first: 'Ada' }),
  userPasswordLost: ({ person }) => ({ email: person.email }),
  userPasswordReset: () => ({ token: 'made up', password: 'other2026ok' }),
  userPasswordResetCheck: () => ({ token: 'made up' }),
  userNamespaceList: account,
  accountList: nothing,
  accountGet: ({ accountUuid }) => ({ uuid: accountUuid }),
  roleList: account,
  groupList: account,
  groupGet: ({ groupUuid }) => ({ uuid: groupUuid }),
  namespaceSettings: ({ namespaceUuid }) => ({ uuid: namespaceUuid }),
  namespaceShareCode: () => ({ share_code: shareCode }),
  namespaceEngineFqdn: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid }),
  settingGet: () => ({ key: 'rows' }),
  settingSet: () => ({ key: 'rows', value: '25' }),
  settingGetAll: nothing,
  studyList: nothing,
  studyCount: nothing,
  studyGet: study,
  studyAdd: ({ namespaceUuid }) => ({
    study_uid: `2.25.${BigInt(`0x${randomUUID().replaceAll('-', '')}`)}`,
    storage_namespace: namespaceUuid,
    phi_namespace: namespaceUuid,
  }),
  studySet: ({ studyUuid }) => ({ uuid: studyUuid, unread: 0 }),
  studySync: ({ studyUuid }) => ({ uuid: studyUuid, image_count: 1 }),
  studyUploadCheck: ({ namespaceUuid }) => ({
    namespace_id: namespaceUuid,
    instances: [{ study_uid: '1.2', sop_uid: '1.2.3', size: 1 }],
  }),
  studyLock: study,
  studyUnlock: study,
  studyStar: ({ studyUuid }) => ({ uuid: studyUuid, star: 1 }),
  studyDelete: async (place) => ({ uuid: (await makeStudy(services.db, place)).uuid }),
  studyRevive: study,
  studyShareList: study,
  studyAudit: ({ studyUuid }) => ({ uuid: studyUuid, action: 'VIEWER_ACTION', detail: 'Walked' }),
  studyTimingEvent: ({ namespaceUuid }) => ({ study_uid: '1.2', storage_namespace: namespaceUuid, event: 'start' }),
  studyTimingLog: study,
  studyManualRoute: ({ studyUuid }) => ({ uuid: studyUuid, route_id: randomUUID() }),
  studyRelated: study,
  studyEditLimits: study,
  tagList: () => ({ object: 'Study' }),
  tagAdd: ({ studyUuid }) => ({ object: 'Study', object_id: studyUuid, tag: 'Walked' }),
  tagDelete: ({ studyUuid }) => ({ object: 'Study', object_id: studyUuid, tag: 'Walked' }),
  customfieldList: account,
  customfieldGet: field,
  customfieldAdd: ({ accountUuid }) => ({ account_id: accountUuid, name: 'Walked', object: 'Study' }),
  customfieldSet: field,
  customfieldDelete: field,
  customfieldLookup: ({ accountUuid }) => ({ account_id: accountUuid, name: 'Walked' }),
  orderList: account,
  orderGet: async (place) => ({ uuid: await addOrder(place) }),
  filterList: () => ({ type: 'Study' }),
  filterAdd: search,
  filterGet: async (place) => ({ uuid: await addSearch(place) }),
  filterSet: async (place) => ({ uuid: await addSearch(place), name: 'Walked' }),
  filterDelete: async (place) => ({ uuid: await addSearch(place) }),
  filterShare: async (place) => ({ uuid: await addSearch(place), user_id: place.person.userUuid }),
  filterShareStop: shareSearch,
  filterShareList: shareSearch,
  auditObject: study,
  mailOutbox: account,
  jobGet: async ({ person }) => ({ id: await addJob(person) }),
  webhookEvent: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid, type: 'STUDY_UPLOAD_START' }),
}

/** Calls that act on the caller's own and yet can name something: with somebody else's they must not find it. */
const foreignSamples: Partial<Record<CallName, Sample>> = {
  sessionPermissions: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid }),
  sessionDerive: ({ studyUuid }) => ({ studies: [studyUuid] }),
  userGet: ({ person, accountUuid }) => ({ uuid: person.userUuid, account_id: accountUuid }),
  userSet: ({ person }) => ({ uuid: person.userUuid, first: 'Ada' }),
  filterAdd: async (place) => ({ ...(await search(place)), namespace_id: place.namespaceUuid }),
  filterGet: async (place) => ({ uuid: await addSearch(place) }),
  filterSet: async (place) => ({ uuid: await addSearch(place) }),
  filterDelete: async (place) => ({ uuid: await addSearch(place) }),
  filterShare: async (place) => ({ uuid: await addSearch(place), user_id: place.person.userUuid }),
  filterShareList: async (place) => ({ uuid: await addSearch(place) }),
  namespaceShareCode: ({ namespaceUuid }) => ({ namespace_id: namespaceUuid }),
  jobGet: async ({ person }) => ({ id: await addJob(person) }),
}

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
    for (const asker of askers) {
      expected[asker.who] = asker.expects(walked)
      alone[asker.who] = await ask(walked.path, { ...(await sample(asker.place)), sid: await asker.sid() })
      bundled[asker.who] = await askInBundle(walked.path, { ...(await sample(asker.place)), sid: await asker.sid() })
    }
    expect(alone).toEqual(expected)
    expect(bundled).toEqual(expected)
  },
)

it.each(Object.entries(foreignSamples))('[PERM-01] %s does not find what is not the caller’s', async (name, sample) => {
  const { path } = calls[name as CallName]
  const [theirs] = askers
  const stranger = await elsewhere.addPerson({ role: 'Administrator' })
  const sent = { ...(await sample(theirs?.place as Place)), sid: stranger.sid }
  expect([await ask(path, sent), await askInBundle(path, sent)]).toEqual(['not found', 'not found'])
})

it('[PERM-01] gives the first session of a bundle to no other item', async () => {
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
  if (status === 412 && (code === 'NOT_FOUND' || code === 'NAMESPACE_NOT_FOUND')) return 'not found'
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
        expects: ({ on }) => ('needs' in on && !holdsOne(held, on.needs) ? 'not permitted' : 'answers'),
      },
      {
        who: `${name} outside the group`,
        sid: () => makeSession(services.db, outsider.userUuid),
        place: await placeOf(outsider),
        expects: ({ on }) => {
          if (on.kind === 'namespace' || on.kind === 'study') return 'not found'
          if (on.kind === 'group' && !held.has('group_view')) return 'not found'
          return 'needs' in on && !holdsOne(held, on.needs) ? 'not permitted' : 'answers'
        },
      },
    )
  }
  const stranger = await elsewhere.addPerson({ role: 'Administrator', groups: [await elsewhere.addGroup()] })
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const place = await placeOf(person)
  const parent = await makeSession(services.db, person.userUuid)
  const derived = (await call('session/derive', { sid: parent, studies: [studyUuid] })).body.sid
  const onlyAnyone = ({ on }: AnyCall): Verdict => (on.kind === 'anyone' ? 'answers' : 'no session')
  return [
    ...found,
    { who: 'nobody', sid: async () => undefined, place, expects: onlyAnyone },
    { who: 'a sid that was never given', sid: async () => 'made-up', place, expects: onlyAnyone },
    { who: 'a session derived for the study', sid: async () => derived, place, expects: onlyAnyone },
    {
      who: 'an administrator of another account',
      sid: () => makeSession(services.db, stranger.userUuid),
      place: {
        ...place,
        ownStudyUuid: (await makeStudy(services.db, { ...stranger, accountUuid: elsewhere.accountUuid })).uuid,
        person: stranger,
      },
      expects: ({ on }) => ('needs' in on ? 'not found' : 'answers'),
    },
  ]
}
