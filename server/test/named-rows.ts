import type { CallName, Calls } from '@hilum/contract/calls/all-calls'
import type { NamesRow } from '@hilum/contract/wire'
import type * as z from 'zod/mini'

/** Kinds of rows that an input field of a call can name. */
export type RowKind =
  | 'account'
  | 'connection'
  | 'customfield'
  | 'destination'
  | 'destinationSearch'
  | 'delivery'
  | 'group'
  | 'identityProvider'
  | 'job'
  | 'key'
  | 'link'
  | 'location'
  | 'namespace'
  | 'node'
  | 'order'
  | 'orderStep'
  | 'role'
  | 'route'
  | 'search'
  | 'session'
  | 'separation'
  | 'share'
  | 'study'
  | 'studyUid'
  | 'user'
  | 'webhook'
  | 'work'

type ShapeOf<Name extends CallName> = Calls[Name]['input'] extends z.ZodMiniObject<infer Shape> ? Shape : never
type IsNaming<Schema> = Schema extends NamesRow
  ? true
  : Schema extends z.ZodMiniOptional<infer Inner>
    ? Inner extends NamesRow
      ? true
      : false
    : false
/** The fields of a call that are marked as naming a row. */
export type NamingField<Name extends CallName> = {
  [Field in keyof ShapeOf<Name>]: IsNaming<ShapeOf<Name>[Field]> extends true ? Field : never
}[keyof ShapeOf<Name>]

const study = {
  uuid: 'study',
  study_uid: 'studyUid',
  storage_namespace: 'namespace',
  phi_namespace: 'namespace',
} as const
const account = { account_id: 'account' } as const
const target = {
  account_id: 'account',
  location_id: 'location',
  group_id: 'group',
  user_id: 'user',
  role_id: 'role',
} as const

const member = { uuid: 'account', user_id: 'user' } as const
const rulePlace = {
  account_id: 'account',
  group_id: 'group',
  location_id: 'location',
  namespace_id: 'namespace',
} as const
const recipient = { user_id: 'user', group_id: 'group', location_id: 'location', account_id: 'account' } as const

/**
 * The kind of row in each naming field of each call, so that the permission walk can put a foreign row there. A call
 * without an entry, or an entry without one of its naming fields, does not compile.
 */
export const namedRows: { [Name in CallName]: { readonly [Field in NamingField<Name>]: RowKind } } = {
  sessionLogin: {},
  sessionToken: {},
  sessionOauthToken: {},
  sessionKeyAdd: { namespace_id: 'namespace' },
  sessionKeyList: {},
  sessionKeyEnd: { uuid: 'key' },
  sessionUser: {},
  sessionPermissions: { account_id: 'account', namespace_id: 'namespace' },
  sessionTtl: {},
  sessionLogout: {},
  sessionUuid: {},
  sessionDerive: { studies: 'study' },
  sessionList: {},
  sessionEnd: { session_id: 'session' },
  sessionPin: {},
  sessionPinBegin: {},
  sessionPinConfirm: {},
  sessionPinState: {},
  sessionPinCodes: {},
  sessionPinRemove: {},
  sessionProve: {},
  userPinReset: { uuid: 'user' },
  userGet: { uuid: 'user', account_id: 'account' },
  userSet: { uuid: 'user', account_id: 'account' },
  userPasswordLost: {},
  userPasswordReset: {},
  userPasswordResetCheck: {},
  userEnable: { uuid: 'user' },
  userEvent: { namespace_id: 'namespace', uuid: 'user' },
  userEventSet: { namespace_id: 'namespace', uuid: 'user' },
  userNamespaceList: account,
  accountList: {},
  accountGet: { uuid: 'account' },
  accountAdd: {},
  systemAccountList: {},
  systemAccountUsers: account,
  systemUserList: {},
  systemUserSet: {},
  sessionProxy: { account_id: 'account', user_id: 'user' },
  accountSet: { uuid: 'account', role_id: 'role' },
  accountNotices: { account_id: 'account' },
  accountStuck: { account_id: 'account' },
  accountFirstSteps: { account_id: 'account' },
  accountTexts: account,
  accountTextsSet: account,
  accountTextsVersions: account,
  accountConnectList: account,
  accountConnectAsk: account,
  accountConnectAccept: { ...account, uuid: 'connection' },
  accountConnectEnd: { ...account, uuid: 'connection' },
  accountConnectDefaults: account,
  accountUserList: { uuid: 'account' },
  accountUserGet: member,
  accountUserAdd: { ...member, role_id: 'role' },
  accountUserSet: { ...member, role_id: 'role' },
  accountUserDelete: member,
  accountUserHoldings: member,
  accountUserLeavers: { uuid: 'account' },
  accountUserHandOver: { ...member, to_user_id: 'user' },
  roleList: account,
  roleGet: { uuid: 'role' },
  roleAdd: account,
  roleSet: { uuid: 'role' },
  roleDelete: { uuid: 'role' },
  roleUserList: { uuid: 'role' },
  roleDefaultPermissions: account,
  groupList: account,
  groupGet: { uuid: 'group' },
  groupAdd: { ...account, role_id: 'role' },
  groupSet: { uuid: 'group', role_id: 'role' },
  groupDelete: { uuid: 'group' },
  groupUserList: { uuid: 'group' },
  groupUserAdd: { uuid: 'group', user_id: 'user', role_id: 'role' },
  groupUserDelete: { uuid: 'group', user_id: 'user' },
  locationList: account,
  locationGet: { uuid: 'location' },
  locationAdd: { ...account, role_id: 'role' },
  locationSet: { uuid: 'location', role_id: 'role' },
  locationDelete: { uuid: 'location' },
  locationUserList: { uuid: 'location' },
  locationUserAdd: { uuid: 'location', user_id: 'user', role_id: 'role' },
  locationUserDelete: { uuid: 'location', user_id: 'user' },
  namespaceSettings: { uuid: 'namespace', namespace_id: 'namespace' },
  namespaceShareCode: { namespace_id: 'namespace' },
  namespaceShareCodeOpen: {},
  namespaceEngineFqdn: {
    namespace_id: 'namespace',
    study_id: 'study',
    study_uid: 'studyUid',
    storage_namespace: 'namespace',
  },
  settingGet: { user_id: 'user' },
  settingSet: { user_id: 'user' },
  settingGetAll: {},
  studyList: { filter_id: 'search' },
  studyCount: { filter_id: 'search' },
  studyGet: study,
  studyAdd: { study_uid: 'studyUid', storage_namespace: 'namespace', phi_namespace: 'namespace' },
  studySet: { ...study, study_id: 'study' },
  studySync: { ...study, study_id: 'study' },
  studyUploadCheck: { namespace_id: 'namespace' },
  studyLock: study,
  studyUnlock: study,
  studyStar: study,
  studyDelete: study,
  studyRevive: study,
  studyApprove: study,
  studyReject: study,
  studyRetract: study,
  studyUploadRetracted: { namespace_id: 'namespace' },
  studyDeidentifyPreview: { uuid: 'study' },
  studyDeidentifyAdd: { uuid: 'study' },
  studyDeidentifyList: { uuid: 'study' },
  studyDuplicate: { uuid: 'study', namespace_id: 'namespace' },
  studyShare: { ...study, ...recipient },
  studyShareStop: { ...study, ...recipient, user_invite_share_id: 'link' },
  studyShareExtend: { ...study, ...recipient },
  studyShareList: study,
  studyShareWho: study,
  studyShareAccess: study,
  studyShareTrack: study,
  studyAudit: study,
  studyTimingEvent: { study_uid: 'studyUid', storage_namespace: 'namespace' },
  studyTimingLog: { uuid: 'study' },
  studyManualRoute: { uuid: 'study', route_id: 'route' },
  studyRelated: study,
  studyConflicts: study,
  studyConflictSettle: study,
  studyEditLimits: study,
  studyElsewhere: study,
  studyMrnHolders: study,
  studyPatients: study,
  studyRequests: study,
  studySplitPreview: { uuid: 'study' },
  studySplit: { uuid: 'study', namespace_id: 'namespace' },
  studySplitList: { uuid: 'study' },
  studySplitUndo: { uuid: 'study', separation_id: 'separation' },
  studyUploadPeople: { namespace_id: 'namespace' },
  tagList: {},
  tagAdd: { object_id: 'study' },
  tagDelete: { object_id: 'study' },
  customfieldList: account,
  customfieldGet: { uuid: 'customfield' },
  customfieldAdd: account,
  customfieldSet: { uuid: 'customfield' },
  customfieldDelete: { uuid: 'customfield' },
  customfieldUsage: { uuid: 'customfield' },
  customfieldLookup: account,
  nodeList: account,
  nodeGet: { uuid: 'node' },
  nodeAdd: account,
  nodeSet: { uuid: 'node' },
  nodeDelete: { uuid: 'node' },
  destinationList: account,
  destinationGet: { uuid: 'destination' },
  destinationAdd: { ...account, node_id: 'node' },
  destinationSet: { uuid: 'destination', node_id: 'node' },
  destinationDelete: { uuid: 'destination' },
  destinationTest: { uuid: 'destination' },
  destinationSearch: { uuid: 'destination', copy_to: 'namespace' },
  destinationSearchGet: { uuid: 'destinationSearch' },
  destinationRetrieve: { destination_search_id: 'destinationSearch', study_uid: 'studyUid' },
  studyPushConfirm: { uuid: 'study', order_id: 'order' },
  studyNominateForm: { uuid: 'study' },
  studyPush: { uuid: 'study', destination_id: 'destination' },
  orderList: account,
  orderGet: { uuid: 'order' },
  orderHistory: { uuid: 'order' },
  orderAdd: { ...account, namespace_id: 'namespace' },
  orderSet: { uuid: 'order', namespace_id: 'namespace' },
  orderDelete: { uuid: 'order' },
  orderTake: { destination_search_id: 'destinationSearch' },
  orderSpsFind: account,
  orderSpsAdd: { order_id: 'order' },
  orderSpsSet: { uuid: 'orderStep' },
  orderSpsDelete: { uuid: 'orderStep' },
  filterList: account,
  filterAdd: { account_id: 'account', namespace_id: 'namespace' },
  filterGet: { uuid: 'search' },
  filterSet: { uuid: 'search', account_id: 'account', namespace_id: 'namespace' },
  filterDelete: { uuid: 'search' },
  filterShare: { uuid: 'search', ...target },
  filterShareStop: { uuid: 'search', ...target },
  filterShareList: { uuid: 'search' },
  auditAccount: account,
  auditUser: { ...account, user_id: 'user' },
  auditDeleted: account,
  auditCheck: account,
  auditPatient: account,
  auditRefused: account,
  auditObject: { uuid: 'study' },
  outsideList: account,
  outsideEnd: { ...account, share_id: 'share', link_id: 'link' },
  retentionGet: account,
  retentionSet: { ...account, namespace_id: 'namespace' },
  retentionKept: account,
  retentionBin: account,
  retentionPurged: account,
  retentionPatient: account,
  retentionHold: { ...account, study_id: 'study' },
  retentionRelease: { ...account, study_id: 'study' },
  retentionDate: { ...account, study_id: 'study' },
  linkAdd: { study_id: 'study', namespace_id: 'namespace' },
  linkList: { study_id: 'study', namespace_id: 'namespace', account_id: 'account' },
  linkGet: { uuid: 'link' },
  linkSet: { uuid: 'link' },
  linkMail: { uuid: 'link' },
  linkDelete: { uuid: 'link' },
  linkStatus: {},
  linkPinSend: {},
  linkSession: {},
  linkStudies: {},
  linkBrand: {},
  linkRequest: {},
  linkUploadBegin: {},
  linkUploadCheck: {},
  linkUploadEnd: {},
  mailOutbox: account,
  mailTest: account,
  jobGet: { id: 'job' },
  jobList: account,
  jobCancel: { uuid: 'work' },
  jobRetry: { uuid: 'work' },
  routeList: account,
  routeGet: { uuid: 'route' },
  routeAdd: rulePlace,
  routeSet: { uuid: 'route', namespace_id: 'namespace' },
  routeDelete: { uuid: 'route' },
  routeMove: { uuid: 'route' },
  routeRuns: { uuid: 'route' },
  routeTest: { ...rulePlace, uuid: 'route' },
  routeTargets: account,
  webhookEvent: { namespace_id: 'namespace' },
  identityProviderGet: account,
  identityProviderSet: { account_id: 'account', unmapped_role_id: 'role' },
  identityProviderDelete: account,
  identityProviderTest: account,
  identityOffer: {},
  identityBegin: {},
  identityLinkBegin: { provider: 'identityProvider' },
  identityFinish: {},
  identityList: {},
  identityEnd: { provider: 'identityProvider' },
  webhookList: account,
  webhookGet: { uuid: 'webhook' },
  webhookAdd: account,
  webhookSet: { uuid: 'webhook' },
  webhookDelete: { uuid: 'webhook' },
  webhookTest: { uuid: 'webhook' },
  webhookTrigger: { uuid: 'webhook', study_id: 'study' },
  webhookDeliveries: { uuid: 'webhook' },
  webhookTryAgain: { uuid: 'webhook', delivery_id: 'delivery' },
}
