import type { CallName, Calls } from '@hilum/contract/calls/all-calls'
import type { NamesRow } from '@hilum/contract/wire'
import type * as z from 'zod/mini'

/** Kinds of rows that an input field of a call can name. */
export type RowKind =
  | 'account'
  | 'customfield'
  | 'group'
  | 'job'
  | 'key'
  | 'link'
  | 'location'
  | 'namespace'
  | 'order'
  | 'role'
  | 'route'
  | 'search'
  | 'session'
  | 'study'
  | 'studyUid'
  | 'user'
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
const recipient = { user_id: 'user', group_id: 'group' } as const

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
  userGet: { uuid: 'user', account_id: 'account' },
  userSet: { uuid: 'user', account_id: 'account' },
  userPasswordLost: {},
  userPasswordReset: {},
  userPasswordResetCheck: {},
  userEnable: { uuid: 'user' },
  userEvent: { namespace_id: 'namespace' },
  userEventSet: { namespace_id: 'namespace' },
  userNamespaceList: account,
  accountList: {},
  accountGet: { uuid: 'account' },
  accountNotices: { account_id: 'account' },
  accountUserList: { uuid: 'account' },
  accountUserGet: member,
  accountUserAdd: { ...member, role_id: 'role' },
  accountUserSet: { ...member, role_id: 'role' },
  accountUserDelete: member,
  roleList: account,
  groupList: account,
  groupGet: { uuid: 'group' },
  namespaceSettings: { uuid: 'namespace', namespace_id: 'namespace' },
  namespaceShareCode: { namespace_id: 'namespace' },
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
  studyDuplicate: { uuid: 'study', namespace_id: 'namespace' },
  studyShare: { ...study, ...recipient },
  studyShareStop: { ...study, ...recipient },
  studyShareList: study,
  studyShareWho: study,
  studyShareAccess: study,
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
  studyUploadPeople: { namespace_id: 'namespace' },
  tagList: {},
  tagAdd: { object_id: 'study' },
  tagDelete: { object_id: 'study' },
  customfieldList: account,
  customfieldGet: { uuid: 'customfield' },
  customfieldAdd: account,
  customfieldSet: { uuid: 'customfield' },
  customfieldDelete: { uuid: 'customfield' },
  customfieldLookup: account,
  orderList: account,
  orderGet: { uuid: 'order' },
  filterList: account,
  filterAdd: { account_id: 'account', namespace_id: 'namespace' },
  filterGet: { uuid: 'search' },
  filterSet: { uuid: 'search', account_id: 'account', namespace_id: 'namespace' },
  filterDelete: { uuid: 'search' },
  filterShare: { uuid: 'search', ...target },
  filterShareStop: { uuid: 'search', ...target },
  filterShareList: { uuid: 'search' },
  auditRefused: account,
  auditObject: { uuid: 'study' },
  linkAdd: { study_id: 'study' },
  linkList: { study_id: 'study' },
  linkGet: { uuid: 'link' },
  linkSet: { uuid: 'link' },
  linkDelete: { uuid: 'link' },
  linkStatus: {},
  linkSession: {},
  linkStudies: {},
  mailOutbox: account,
  jobGet: { id: 'job' },
  jobList: account,
  jobCancel: { uuid: 'work' },
  jobRetry: { uuid: 'work' },
  webhookEvent: { namespace_id: 'namespace' },
}
