import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Act, acts, mayDo } from '@hilum/contract/acts'
import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import { type Permission, type PermissionSet, permissions } from '@hilum/contract/permissions'
import { roleTemplates } from '@hilum/contract/roles'
import { expect, it } from 'vitest'
import { makeSamples, type Place } from '../../../test/call-samples.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Screens' offers against the server's answers: for every act that a screen asks about and every role, the flags
 * that the screen is given decide whether the act is offered, and each request that the screen would send is sent. Both
 * must say the same.
 */

const app = await startTestApp()
const { services, call, query } = app
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const role = 'Viewer'
const person = await organisation.addPerson({ role, groups: [group] })
const colleague = await organisation.addPerson()
const place: Place = {
  accountUuid: organisation.accountUuid,
  ...group,
  studyUuid: (await makeStudy(services.db, { ...group, accountUuid: organisation.accountUuid })).uuid,
  ownStudyUuid: '',
  person,
}
const samples = makeSamples(app, 'NONE1')

/**
 * The request for an act: a call with its sample and more, or a request to the storage API about a study. One that
 * `serves` other acts too is granted to more people than are offered this one.
 */
type Sent =
  | { call: CallName; with?: Record<string, unknown>; serves?: 'others too' }
  | { method: 'GET' | 'POST' | 'DELETE'; storage: string }

interface Offer {
  /** Whose flags the screens ask: those of a study, of a place, of the account. */
  by: readonly ('study' | 'place' | 'account')[]
  sends: readonly Sent[]
}

const none = '00000000-0000-4000-8000-000000000000'
const ofStudy = (...sends: Sent[]): Offer => ({ by: ['study'], sends })
const notBuilt: Offer = { by: [], sends: [] }

const offers: Partial<Record<Act, Offer>> = {
  viewStudy: {
    by: ['study', 'place'],
    sends: [
      { call: 'studyGet' },
      { call: 'studySet' },
      { call: 'studyRelated' },
      { call: 'studyElsewhere' },
      { call: 'studyEditLimits' },
      { call: 'studyMrnHolders' },
      { call: 'studyConflicts' },
      { call: 'sessionDerive' },
      { method: 'GET', storage: 'schema' },
    ],
  },
  editStudy: ofStudy(
    { call: 'studySet', with: { study_description: 'Walked' } },
    { call: 'studyLock', serves: 'others too' },
    { call: 'studyUnlock', serves: 'others too' },
    { call: 'studyConflictSettle' },
  ),
  setWorkStatus: ofStudy({ call: 'studySet', with: { work_status: 'done' } }),
  deleteStudy: {
    by: ['study', 'place'],
    sends: [{ call: 'studyRevive' }, { call: 'studyDelete' }],
  },
  tagStudy: ofStudy({ call: 'tagAdd' }, { call: 'tagDelete' }),
  starStudy: ofStudy({ call: 'studyStar' }),
  routeManually: ofStudy({ call: 'studyManualRoute' }),
  downloadExam: ofStudy({ method: 'GET', storage: 'download?bundle=dicom' }),
  seeAttachments: ofStudy({ method: 'GET', storage: `attachment/${none}/version/${none}` }),
  attachFile: ofStudy({ method: 'POST', storage: 'attachment' }),
  removeAttachment: ofStudy({ method: 'DELETE', storage: `attachment/${none}/version/${none}` }),
  seeHistory: { by: ['place'], sends: [{ call: 'auditObject' }] },
  uploadStudy: {
    by: ['place'],
    sends: [
      { call: 'studyUploadCheck' },
      { call: 'studyUploadPeople' },
      { call: 'studySync', with: { image_count: 1 }, serves: 'others too' },
      { call: 'webhookEvent' },
    ],
  },
  duplicateStudy: ofStudy({ call: 'studyDuplicate' }),
  shareExam: ofStudy(
    { call: 'studyShareAccess', serves: 'others too' },
    { call: 'studyShareWho', with: { type: 'account' } },
  ),
  shareWithUser: ofStudy(
    { call: 'studyShareWho' },
    { call: 'studyShare', with: { user_id: colleague.userUuid, group_id: undefined } },
    { call: 'studyShareStop', with: { user_id: person.userUuid, group_id: undefined } },
  ),
  shareWithGroup: ofStudy(
    { call: 'studyShareWho', with: { type: 'group' } },
    { call: 'studyShare' },
    { call: 'studyShareStop' },
  ),
  makeLinks: { by: ['place'], sends: [{ call: 'linkAdd' }, { call: 'linkSet' }, { call: 'linkDelete' }] },
  seeLinks: { by: ['place'], sends: [{ call: 'linkList' }] },
  shareSearch: { by: ['place'], sends: [{ call: 'filterAdd', with: { namespace_id: group.namespaceUuid } }] },
  seeOrders: { by: ['account'], sends: [{ call: 'orderList' }] },
  administerUsers: { by: ['account'], sends: [{ call: 'accountUserList' }] },
  editUsers: {
    by: ['account'],
    sends: [
      { call: 'accountUserAdd' },
      { call: 'accountUserSet' },
      { call: 'accountUserDelete' },
      { call: 'userEnable' },
    ],
  },
  putUsersInGroups: {
    by: ['account'],
    sends: [
      { call: 'accountUserAdd', with: { groups: [] } },
      { call: 'accountUserSet', with: { groups: [] } },
    ],
  },
  seeRoles: { by: ['account'], sends: [{ call: 'roleList' }] },
  administerAccount: {
    by: ['account'],
    sends: [{ call: 'accountNotices' }, { call: 'mailOutbox' }, { call: 'auditRefused' }],
  },
  // screens without requests of their own yet
  requestStudy: notBuilt,
  retrieveStudy: notBuilt,
  sendExams: notBuilt,
  seePendingRequests: notBuilt,
  administerGroups: notBuilt,
  administerRoutes: notBuilt,
}

/** Calls of screens that nobody is offered apart: they come with the place, the list, or the screen itself. */
const unasked: ReadonlySet<Act> = new Set(['enterPlace', 'seeGroup'])

const source = globSync('web/src/**/*.{ts,tsx}', { cwd: path.resolve(import.meta.dirname, '../../../..') })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(path.resolve(import.meta.dirname, '../../../..', file), 'utf8'))
  .join('\n')

it('every act that a screen asks about is tried here', () => {
  const asked = (Object.keys(acts) as Act[]).filter((act) => new RegExp(`'${act}'`).test(source))
  expect(asked.toSorted()).toEqual((Object.keys(offers) as Act[]).toSorted())
})

it('every call of a screen that takes a right is sent for an act that the screen asks about', () => {
  const sent = new Set(
    Object.values(offers).flatMap((offer) => offer.sends.flatMap((one) => ('call' in one ? one.call : []))),
  )
  const used = (Object.keys(calls) as CallName[]).filter((name) => {
    const { on } = calls[name]
    return 'may' in on && !unasked.has(on.may) && new RegExp(`\\b${name}\\b`).test(source)
  })
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((name) => !sent.has(name))).toEqual([])
})

/** A role of every account, of nothing but one permission, and of all but one, each for people who see studies. */
const tried: [string, PermissionSet, Act[]][] = [
  ...roleTemplates.map(({ name, holds }): (typeof tried)[0] => [`of the ${name}`, new Set(holds), offered()]),
  ...named().flatMap((one): typeof tried => [
    [`of viewers with ${one}`, new Set<Permission>(['study_view', one]), offered()],
    [`of everything but ${one}`, new Set(permissions.filter((other) => other !== one)), offered(one)],
  ]),
]

it.each(tried)(
  '[PERM-01] [PERM-15] the role %s is offered what the server grants, and no more',
  async (_who, held, some) => {
    await query(`update role set permissions = '{${[...held].join(',')}}'
    where uuid = '${organisation.roles.get(role)}'`)
    const flags = await readFlags()
    const differing: string[] = []
    for (const act of some) {
      const { by, sends } = offers[act] ?? notBuilt
      for (const whose of by) {
        const given = flags[whose]
        if (!given) continue
        const isOffered = mayDo(act, { permissions: given })
        for (const one of sends) {
          const isGranted = await isAnswered(one)
          if (isOffered !== isGranted && !(isGranted && 'serves' in one)) {
            differing.push(
              `${act} by ${whose}: ${isOffered ? 'offered' : 'hidden'}, but ${JSON.stringify(one)} is ${isGranted ? '' : 'not '}granted`,
            )
          }
        }
      }
    }
    expect(differing).toEqual([])
  },
)

/** The acts tried here; only those whose right names a permission, when there is one. */
function offered(named?: Permission): Act[] {
  const all = Object.keys(offers) as Act[]
  return named ? all.filter((act) => JSON.stringify(acts[act]).includes(`"${named}"`)) : all
}

/** Every permission that the right to an act of a screen names. */
function named(): Permission[] {
  return permissions.filter((one) => offered(one).some((act) => offers[act]?.sends.length))
}

async function readFlags(): Promise<Record<'study' | 'place' | 'account', PermissionSet | undefined>> {
  const study = await ask('study/get', { uuid: place.studyUuid })
  const places = await ask('user/namespace/list', { account_id: place.accountUuid })
  const account = await ask('session/permissions', { account_id: place.accountUuid })
  const inGroup = places.namespaces.find((one: { uuid: string }) => one.uuid === group.namespaceUuid)
  return {
    // nobody sees the screens of a study without seeing the study
    study: study.permissions && held(study.permissions),
    place: study.permissions && held(inGroup.permissions),
    account: held(account),
  }
}

function held(flags: Record<string, unknown>): PermissionSet {
  return new Set(permissions.filter((name) => flags[name] === 1))
}

async function ask(path: string, sent: Record<string, unknown>) {
  return (await call(path, { sid: person.sid, ...sent })).body
}

async function isAnswered(sent: Sent): Promise<boolean> {
  if ('storage' in sent) {
    const [study] = await query<{ study_uid: string }>(`select study_uid from study where uuid = '${place.studyUuid}'`)
    const url = `/api/v3/storage/study/${group.namespaceUuid}/${study?.study_uid}/${sent.storage}`
    const headers = { authorization: `Bearer ${person.sid}` }
    return (await app.app.inject({ method: sent.method, url, headers })).statusCode !== 403
  }
  const sample = await samples[sent.call]({ ...place, ownStudyUuid: place.studyUuid })
  const { status, body } = await call(calls[sent.call].path, { sid: person.sid, ...sample, ...sent.with })
  expect([200, 412]).toContain(status)
  expect(['NOT_FOUND', 'INVALID_FIELD', 'MISSING_FIELDS']).not.toContain(body.error_type)
  return body.error_type !== 'NOT_PERMITTED'
}
