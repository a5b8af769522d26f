import { randomUUID } from 'node:crypto'
import { type Act, acts, factsOf, mayDo } from '@hilum/contract/acts'
import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import { type Permission, type PermissionSet, permissions } from '@hilum/contract/permissions'
import { roleTemplates } from '@hilum/contract/roles'
import { expect, it } from 'vitest'
import { listAskedActs, readWebSources } from '../../../test/asked-by-screens.ts'
import { makeSamples, type Place } from '../../../test/call-samples.ts'
import { makeOrganisation, makeStudy, type Person } from '../../../test/make-organisation.ts'
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
/** Holds the role in the group alone. */
const uploader = await organisation.addPerson({ role: 'Uploader', groups: [group] })
await query(
  `update group_user set role_uuid = '${organisation.roles.get(role)}' where user_uuid = '${uploader.userUuid}'`,
)
const colleague = await organisation.addPerson()
const place: Place = {
  accountUuid: organisation.accountUuid,
  ...group,
  studyUuid: (await makeStudy(services.db, { ...group, accountUuid: organisation.accountUuid })).uuid,
  ownStudyUuid: '',
  person,
}
const samples = makeSamples(app, 'NONE1')
/** An organisation that is connected, with a group that takes studies in by a share code. */
const partner = await makeOrganisation(services.db)
await query(`insert into account_connection (uuid, asking_account, asked_account, connected_at)
  values (gen_random_uuid(), '${partner.accountUuid}', '${organisation.accountUuid}', now())`)
await partner.addGroup({ name: 'Offered' })
await query(`update app_group set share_code = 'OFFERED' where name = 'Offered'`)
/** A location of the organisation, which takes shares. */
const location = randomUUID()
await query(`with made as (
    insert into app_group (uuid, kind, account_uuid, name, namespace_uuid, designation)
    values ('${location}', 'location', '${organisation.accountUuid}', 'Offered', gen_random_uuid(), 'CLOUD')
    returning *
  )
  insert into namespace (uuid, kind, owner_uuid, account_uuid, name)
  select namespace_uuid, 'location', uuid, account_uuid, name from made`)
/** A location that has the study by a share code. */
const byCode = randomUUID()
await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state, by_code, minutes, expires_at)
  values (gen_random_uuid(), '${group.namespaceUuid}', '${place.studyUuid}', 'location', '${byCode}', 'delivered', true, 60,
    now() + interval '1 hour')`)
const connecting = [
  { call: 'accountConnectList' },
  { call: 'accountConnectAsk' },
  { call: 'accountConnectAccept' },
  { call: 'accountConnectEnd' },
  { call: 'accountConnectDefaults' },
] as const

/**
 * The request for an act: a call with its sample and more, or a request to the storage API about a study. One that
 * `serves` other acts too is granted to more people than are offered this one; one that `finds` nothing is answered so
 * to whoever may; one that `takes` an act besides is offered to those who may do both.
 */
type Sent =
  | { call: CallName; with?: Record<string, unknown>; serves?: 'others too'; finds?: 'nothing'; takes?: Act }
  | { method: 'GET' | 'POST' | 'DELETE'; storage: string }
  | { method: 'POST'; dicomweb: string }

interface Offer {
  /** The flags that screens ask: those of a study, of a place, of the account. */
  by: readonly ('study' | 'place' | 'account')[]
  sends: readonly Sent[]
}

const none = '00000000-0000-4000-8000-000000000000'
const ofStudy = (...sends: Sent[]): Offer => ({ by: ['study'], sends })
/** Calls that name images, or a second exam, of which there are none here: whoever may is told so. */
const ofImages: ReadonlySet<CallName> = new Set(['studySplitPreview', 'studySplit', 'studyMergePreview', 'studyMerge'])
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
  setStudy: ofStudy({ call: 'studySet' }),
  changeStudy: ofStudy({ call: 'studySet', with: { study_description: 'Walked' } }),
  editStudy: ofStudy(
    { call: 'studyLock', serves: 'others too' },
    { call: 'studyUnlock', serves: 'others too' },
    { call: 'studyConflictSettle' },
    { call: 'studyPatients' },
  ),
  setWorkStatus: ofStudy({ call: 'studySet', with: { work_status: 'done' } }),
  deleteStudy: {
    by: ['study', 'place'],
    sends: [{ call: 'studyRevive' }, { call: 'studyDelete' }, { call: 'studyDeletePeople' }],
  },
  tagStudy: ofStudy({ call: 'tagAdd' }, { call: 'tagDelete' }),
  starStudy: ofStudy({ call: 'studyStar' }),
  routeManually: ofStudy({ call: 'studyManualRoute' }),
  downloadExam: ofStudy({ method: 'GET', storage: 'download?bundle=dicom' }),
  seeAttachments: ofStudy({ method: 'GET', storage: `attachment/${none}/version/${none}` }),
  attachFile: ofStudy({ method: 'POST', storage: 'attachment' }),
  removeAttachment: ofStudy({ method: 'DELETE', storage: `attachment/${none}/version/${none}` }),
  storeMeasurements: ofStudy({ method: 'POST', dicomweb: 'measurements' }),
  // a line that is opened over no call: inbound/channel/channel.db.test.ts
  hearStudies: { by: ['place'], sends: [] },
  seeHistory: { by: ['place'], sends: [{ call: 'auditObject' }] },
  uploadStudy: {
    by: ['place'],
    sends: [
      { call: 'studyAdd', serves: 'others too' },
      { call: 'studyUploadCheck' },
      { call: 'studyUploadPeople' },
      { call: 'studyUploadRetracted' },
      { call: 'studySync', with: { image_count: 1 }, serves: 'others too' },
      { call: 'webhookEvent' },
    ],
  },
  retractStudy: ofStudy({ call: 'studyRetract' }),
  approveStudy: ofStudy({ call: 'studyApprove' }, { call: 'studyReject' }),
  duplicateStudy: ofStudy({ call: 'studyDuplicate' }),
  shareWithUser: ofStudy(
    { call: 'studyShareWho' },
    { call: 'studyShare', with: { user_id: colleague.userUuid, group_id: undefined } },
    { call: 'studyShareStop', with: { user_id: person.userUuid, group_id: undefined } },
    { call: 'studyShareExtend', with: { user_id: person.userUuid, group_id: undefined } },
  ),
  shareWithGroup: ofStudy(
    { call: 'studyShareWho', with: { type: 'group' } },
    { call: 'studyShare' },
    { call: 'studyShareStop' },
    { call: 'studyShareExtend' },
  ),
  shareWithLocation: ofStudy(
    { call: 'studyShareWho', with: { type: 'location' } },
    { call: 'studyShare', with: { location_id: location, group_id: undefined } },
    { call: 'studyShareStop', with: { location_id: location, group_id: undefined } },
    { call: 'studyShareExtend', with: { location_id: location, group_id: undefined } },
  ),
  seeShares: ofStudy({ call: 'studyShareAccess' }, { call: 'studyShareTrack' }),
  sendToConnection: ofStudy(
    { call: 'studyShareWho', with: { type: 'account' } },
    { call: 'studyShare', with: { account_id: partner.accountUuid, group_id: undefined } },
    { call: 'studyShareStop', with: { account_id: organisation.accountUuid, group_id: undefined } },
    { call: 'studyShareExtend', with: { account_id: organisation.accountUuid, group_id: undefined } },
  ),
  sendByEmail: ofStudy(
    { call: 'studyShare', with: { email: 'a@clinic.example', group_id: undefined } },
    { call: 'studyShareStop', with: { user_invite_share_id: none, group_id: undefined }, finds: 'nothing' },
  ),
  sendByShareCode: ofStudy(
    { call: 'studyShare', with: { share_code: 'OFFERED', group_id: undefined } },
    { call: 'studyShareStop', with: { share_code: 'NOBODYS', group_id: undefined }, finds: 'nothing' },
    { call: 'studyShareExtend', with: { location_id: byCode, group_id: undefined } },
  ),
  pushStudy: ofStudy({ call: 'studyPush' }, { call: 'destinationList', serves: 'others too' }),
  nominateStudy: ofStudy({ call: 'studyNominateForm' }),
  sendToPacs: ofStudy(
    { call: 'studyPushConfirm' },
    { call: 'orderTake' },
    { call: 'destinationList', serves: 'others too' },
  ),
  splitStudy: {
    by: ['place'],
    sends: [
      { call: 'studyMergePreview' },
      { call: 'studyMerge' },
      { call: 'studySplitPreview' },
      { call: 'studySplit' },
      { call: 'studySplitList' },
      { call: 'studySplitUndo' },
    ],
  },
  makeNameless: {
    by: ['place'],
    sends: [
      { call: 'studyDeidentifyPreview' },
      { call: 'studyDeidentifyAdd' },
      { call: 'studyDeidentifyList' },
      { call: 'studyDeidentifyKey' },
    ],
  },
  makeLinks: {
    by: ['place'],
    sends: [
      { call: 'linkAdd' },
      { call: 'linkPriors' },
      { call: 'linkSet' },
      { call: 'linkMail' },
      { call: 'linkDelete' },
    ],
  },
  seeLinks: { by: ['place'], sends: [{ call: 'linkList' }, { call: 'linkGet' }] },
  requestStudy: {
    by: ['place'],
    sends: [{ call: 'linkAdd', with: { study_id: undefined, namespace_id: group.namespaceUuid } }],
  },
  seePendingRequests: {
    by: ['place'],
    sends: [
      { call: 'linkList', with: { study_id: undefined, namespace_id: group.namespaceUuid } },
      { call: 'studyRequests' },
    ],
  },
  retrieveStudy: {
    by: ['place'],
    sends: [
      { call: 'destinationSearch' },
      { call: 'destinationSearchGet' },
      { call: 'destinationRetrieve' },
      { call: 'destinationList', serves: 'others too' },
    ],
  },
  seeCustomFields: { by: ['account'], sends: [{ call: 'customfieldList' }] },
  editCustomFields: {
    by: ['account'],
    sends: [
      { call: 'customfieldAdd' },
      { call: 'customfieldSet' },
      { call: 'customfieldUsage' },
      { call: 'customfieldDelete' },
    ],
  },
  administerDestinations: {
    by: ['account'],
    sends: [
      { call: 'destinationList', serves: 'others too' },
      { call: 'destinationAdd' },
      { call: 'destinationSet' },
      { call: 'destinationTest' },
      { call: 'destinationDelete' },
    ],
  },
  administerNodes: {
    by: ['account'],
    sends: [{ call: 'nodeAdd' }, { call: 'nodeSet' }, { call: 'nodeDelete' }],
  },
  setRoleSettings: {
    by: ['account'],
    sends: [{ call: 'roleAdd', with: { settings: '{"ui_json":"{}"}' }, takes: 'editRoles' }],
  },
  shareSearch: {
    by: ['place'],
    sends: [
      { call: 'filterAdd', with: { namespace_id: group.namespaceUuid } },
      { call: 'filterSet', with: { namespace_id: group.namespaceUuid } },
      { call: 'filterShare', with: { group_id: group.groupUuid, user_id: undefined } },
    ],
  },
  seeOrders: {
    by: ['account'],
    sends: [
      { call: 'orderList' },
      { call: 'orderGet' },
      { call: 'orderHistory' },
      { call: 'orderReportList' },
      { call: 'orderReportGet' },
    ],
  },
  editOrders: {
    by: ['account'],
    sends: [
      { call: 'orderAdd' },
      { call: 'orderSet' },
      { call: 'orderDelete' },
      { call: 'orderCancel' },
      { call: 'orderSpsAdd' },
      { call: 'orderSpsSet' },
      { call: 'orderSpsDelete' },
      { call: 'orderReportAttach', takes: 'attachFile' },
      { call: 'orderReportDelete' },
    ],
  },
  seeDestinations: { by: ['account'], sends: [{ call: 'destinationList', serves: 'others too' }] },
  useDestinations: { by: ['place'], sends: [{ call: 'destinationList' }] },
  seeNodes: { by: ['account'], sends: [{ call: 'nodeList' }, { call: 'nodeCalled' }] },
  administerUsers: { by: ['account'], sends: [{ call: 'accountUserList' }] },
  editUsers: {
    by: ['account'],
    sends: [
      { call: 'accountUserAdd' },
      { call: 'accountUserSet' },
      { call: 'accountUserDelete' },
      { call: 'userEnable' },
      { call: 'userPinReset' },
      { call: 'userAdd' },
    ],
  },
  inviteUsers: { by: ['account'], sends: [{ call: 'userWelcome' }, { call: 'userInvite' }] },
  putUsersInGroups: {
    by: ['account'],
    sends: [
      { call: 'accountUserAdd', with: { groups: [] } },
      { call: 'accountUserSet', with: { groups: [] } },
      { call: 'userInvite', with: { groups: {} } },
    ],
  },
  seeRoles: { by: ['account'], sends: [{ call: 'roleList' }, { call: 'roleGet' }, { call: 'roleUserList' }] },
  editRoles: { by: ['account'], sends: [{ call: 'roleAdd' }, { call: 'roleSet' }, { call: 'roleDelete' }] },
  administerGroups: { by: ['account'], sends: [{ call: 'groupUserList' }] },
  editGroups: {
    by: ['account'],
    sends: [
      { call: 'groupAdd' },
      { call: 'groupSet' },
      { call: 'groupDelete' },
      { call: 'groupUserAdd' },
      { call: 'groupUserDelete' },
    ],
  },
  administerLocations: { by: ['account'], sends: [{ call: 'locationUserList' }] },
  editLocations: {
    by: ['account'],
    sends: [
      { call: 'locationAdd' },
      { call: 'locationSet' },
      { call: 'locationDelete' },
      { call: 'locationUserAdd' },
      { call: 'locationUserDelete' },
      { call: 'userInvite', with: { locations: {} }, takes: 'inviteUsers' },
    ],
  },
  seeAudit: {
    by: ['account'],
    sends: [
      { call: 'auditAccount' },
      { call: 'auditUser' },
      { call: 'auditDeleted' },
      { call: 'auditPatient' },
      { call: 'auditCheck' },
      { call: 'auditCheckGet' },
    ],
  },
  seeRefusedAccess: { by: ['account'], sends: [{ call: 'auditRefused' }] },
  administerAccount: {
    by: ['account'],
    sends: [
      { call: 'accountNotices' },
      { call: 'accountStuck' },
      { call: 'accountStuckRetry' },
      { call: 'accountStuckDismiss' },
      { call: 'accountFirstSteps' },
      { call: 'accountIssuers' },
      { call: 'accountUserHoldings' },
      { call: 'accountUserLeavers' },
      { call: 'accountUserHandOver' },
      { call: 'mailTest' },
      { call: 'accountTextsSet' },
      { call: 'accountTextsVersions' },
      { call: 'accountSet' },
      { call: 'mailCancel' },
      { call: 'mailOutbox' },
      { call: 'mailRetry' },
      { call: 'outsideList', with: { everyone: 1 } },
      ...connecting,
    ],
  },
  seeRetention: {
    by: ['account'],
    sends: [{ call: 'retentionGet' }, { call: 'retentionKept' }, { call: 'retentionBin' }, { call: 'retentionPurged' }],
  },
  administerRetention: {
    by: ['account'],
    sends: [
      { call: 'retentionSet' },
      { call: 'retentionPatient' },
      { call: 'retentionHold' },
      { call: 'retentionRelease' },
      { call: 'retentionDate' },
    ],
  },
  administerRoutes: { by: ['account'], sends: [{ call: 'routeList' }, { call: 'routeTargets' }] },
  editRoutes: {
    by: ['account'],
    sends: [
      { call: 'routeAdd' },
      { call: 'routeAdd', with: { actions: [{ share_code: 'OFFERED' }] }, takes: 'sendByShareCode' },
      { call: 'routeGet', serves: 'others too' },
      { call: 'routeSet' },
      { call: 'routeSet', with: { actions: [{ share_code: 'OFFERED' }] }, takes: 'sendByShareCode' },
      { call: 'routeDelete' },
      { call: 'routeMove' },
      { call: 'routeRuns', serves: 'others too' },
      { call: 'routeRunAgain' },
      { call: 'routeRunsAgain' },
      { call: 'routeTest' },
    ],
  },
  administerSignIn: {
    by: ['account'],
    sends: [
      { call: 'identityProviderGet' },
      { call: 'identityProviderSet' },
      { call: 'identityProviderTest' },
      { call: 'identityProviderDelete' },
    ],
  },
  administerWebhooks: { by: ['account'], sends: [{ call: 'webhookList' }, { call: 'webhookDeliveries' }] },
  editWebhooks: {
    by: ['account'],
    sends: [
      { call: 'webhookAdd' },
      { call: 'webhookSet' },
      { call: 'webhookDelete' },
      { call: 'webhookTest' },
      { call: 'webhookTryAgain' },
    ],
  },
}

/** Calls of screens that nobody is offered apart: they come with the place, the list, or the screen itself. */
const unasked: ReadonlySet<Act> = new Set([
  'enterPlace',
  // an upload announces its studies: who is offered the upload may
  'addStudy',
  'seeGroup',
  'seeLocation',
  'chooseNotices',
  'seeOthersNotices',
  'chooseOthersNotices',
])

const source = [...readWebSources().values()].join('\n')

it('every act that a screen asks about is tried here', () => {
  expect([...listAskedActs()].toSorted()).toEqual((Object.keys(offers) as Act[]).toSorted())
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

/** Parts that no screen sends alone, each with the test of its right. */
const elsewhere: ReadonlySet<string> = new Set([
  // a nomination is found by those alone who may approve (areas/nomination/nomination.db.test.ts)
  'studySet rejection',
])

it('every part that a call decides by an act of its own is sent for that act', () => {
  const parts = Object.entries(calls).flatMap(([name, { decides }]) =>
    Object.entries<Act>(decides ?? {}).map(([part, act]) => ({ name, part, act })),
  )
  expect(parts.length).toBeGreaterThan(20)
  const untried = parts.filter(
    ({ name, part, act }) =>
      !elsewhere.has(`${name} ${part}`) &&
      !Object.entries(offers).some(([offered, { sends }]) =>
        sends.some((one) => 'call' in one && one.call === name && [offered, one.takes].includes(act)),
      ),
  )
  expect(untried).toEqual([])
})

/**
 * A role of every account, tried with all acts; of nothing but one permission, and of all but one, tried with the acts that
 * name it; and of everything that an act does not name, tried with that act: no other permission opens it.
 */
const tried: [string, PermissionSet, Act[]][] = [
  ...roleTemplates.map(({ name, holds }): (typeof tried)[0] => [`of the ${name}`, new Set(holds), offered()]),
  ...named().flatMap((one): typeof tried => [
    [`of viewers with ${one}`, new Set<Permission>(['study_view', one]), offered(one)],
    [`of everything but ${one}`, new Set(permissions.filter((other) => other !== one)), offered(one)],
  ]),
  ...offered().map((act): (typeof tried)[0] => [
    `of everything that says nothing of ${act}`,
    new Set(permissions.filter((one) => one === 'study_view' || !names(act, one))),
    [act],
  ]),
]

it.each(tried)(
  '[PERM-01] [PERM-15] the role %s is offered what the server grants, and no more',
  async (_who, held, some) => {
    await holdInGroup(held)
    expect(await findDiffering(person, some)).toEqual([])
  },
)

it.each(roleTemplates.filter(({ name }) => name !== 'Uploader'))(
  '[PERM-01] [PERM-15] an uploader of the account with the role $name in the group is offered what the server grants, and no more',
  async ({ holds }) => {
    await holdInGroup(new Set(holds))
    expect(await findDiffering(uploader, offered())).toEqual([])
  },
)

async function holdInGroup(held: PermissionSet) {
  await query(`update role set permissions = '{${[...held].join(',')}}'
    where uuid = '${organisation.roles.get(role)}'`)
}

/** Acts that screens offer and the server refuses, or the other way round. */
async function findDiffering(who: Person, some: readonly Act[]): Promise<string[]> {
  const flags = await readFlags(who)
  const differing: string[] = []
  for (const act of some) {
    const { by, sends } = offers[act] ?? notBuilt
    for (const whose of by) {
      const given = flags[whose]
      if (!given) continue
      for (const one of sends) {
        const taken = 'call' in one && one.takes ? [act, one.takes] : [act]
        const its = { permissions: given, facts: factsOf({ original: true }) }
        const isOffered = taken.every((each) => mayDo(each, flags.account ? { ...its, inAccount: flags.account } : its))
        const isGranted = await isAnswered(one, who)
        if (isOffered !== isGranted && !(isGranted && 'serves' in one)) {
          differing.push(
            `${act} by ${whose}: ${isOffered ? 'offered' : 'hidden'}, but ${JSON.stringify(one)} is ${isGranted ? '' : 'not '}granted`,
          )
        }
      }
    }
  }
  return differing
}

/** The acts tried here; only those whose right names a permission, when there is one. */
function offered(named?: Permission): Act[] {
  const all = Object.keys(offers) as Act[]
  return named ? all.filter((act) => names(act, named)) : all
}

/** Whether the right to an act names a permission. */
function names(act: Act, permission: Permission): boolean {
  return JSON.stringify(acts[act]).includes(`"${permission}"`)
}

/** Every permission that the right to an act of a screen names. */
function named(): Permission[] {
  return permissions.filter((one) => offered(one).some((act) => offers[act]?.sends.length))
}

async function readFlags(who: Person): Promise<Record<'study' | 'place' | 'account', PermissionSet | undefined>> {
  const study = await ask(who, 'study/get', { uuid: place.studyUuid })
  const places = await ask(who, 'user/namespace/list', { account_id: place.accountUuid })
  const account = await ask(who, 'session/permissions', { account_id: place.accountUuid })
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

async function ask({ sid }: Person, path: string, sent: Record<string, unknown>) {
  return (await call(path, { sid, ...sent })).body
}

async function shareWithLocation() {
  await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state)
    values (gen_random_uuid(), '${group.namespaceUuid}', '${place.studyUuid}', 'location', '${location}', 'delivered')
    on conflict do nothing`)
}

async function isAnswered(sent: Sent, who: Person): Promise<boolean> {
  if ('method' in sent) {
    const [study] = await query<{ study_uid: string }>(`select study_uid from study where uuid = '${place.studyUuid}'`)
    const url =
      'storage' in sent
        ? `/api/v3/storage/study/${group.namespaceUuid}/${study?.study_uid}/${sent.storage}`
        : `/dicomweb/${group.namespaceUuid}/studies/${study?.study_uid}/${sent.dicomweb}`
    const headers = { authorization: `Bearer ${who.sid}` }
    const { statusCode } = await app.app.inject({ method: sent.method, url, headers })
    // DICOMweb names no study to whoever may not look at it
    return statusCode !== 403 && ('storage' in sent || statusCode !== 404)
  }
  if (sent.call === 'studyShareStop' || sent.call === 'studyShareExtend') await shareWithLocation()
  const sample = await samples[sent.call]({ ...place, person: who, ownStudyUuid: place.studyUuid })
  // a request about the person of these tests is about whoever asks
  const toOneself = sent.with?.['user_id'] === person.userUuid ? { user_id: who.userUuid } : {}
  const fields = { sid: who.sid, ...sample, ...sent.with, ...toOneself }
  const { status, body } = await call(calls[sent.call].path, fields)
  expect([200, 412]).toContain(status)
  const misread = [
    ...('finds' in sent ? [] : ['NOT_FOUND']),
    'MISSING_FIELDS',
    ...(ofImages.has(sent.call) ? [] : ['INVALID_FIELD']),
  ]
  expect(misread).not.toContain(body.error_type)
  return body.error_type !== 'NOT_PERMITTED'
}
