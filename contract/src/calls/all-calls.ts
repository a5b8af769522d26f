import * as account from './account.ts'
import * as accountUser from './account-user.ts'
import * as audit from './audit.ts'
import * as customfield from './customfield.ts'
import * as filter from './filter.ts'
import * as group from './group.ts'
import * as job from './job.ts'
import * as link from './link.ts'
import * as mail from './mail.ts'
import * as namespace from './namespace.ts'
import * as order from './order.ts'
import * as session from './session.ts'
import * as setting from './setting.ts'
import * as study from './study.ts'
import * as studyActs from './study-acts.ts'
import * as studyConflicts from './study-conflicts.ts'
import * as studyMrn from './study-mrn.ts'
import * as studyDuplicate from './study-duplicate.ts'
import * as studyShare from './study-share.ts'
import * as tag from './tag.ts'
import * as user from './user.ts'
import * as userEvent from './user-event.ts'
import * as webhook from './webhook.ts'

/** Every call by name. A name without a handler does not compile on the server. */
export const calls = {
  sessionLogin: session.sessionLogin,
  sessionOauthToken: session.sessionOauthToken,
  sessionKeyAdd: session.sessionKeyAdd,
  sessionKeyList: session.sessionKeyList,
  sessionKeyEnd: session.sessionKeyEnd,
  sessionToken: session.sessionToken,
  sessionUser: session.sessionUser,
  sessionPermissions: session.sessionPermissions,
  sessionTtl: session.sessionTtl,
  sessionLogout: session.sessionLogout,
  sessionUuid: session.sessionUuid,
  sessionDerive: session.sessionDerive,
  sessionList: session.sessionList,
  sessionEnd: session.sessionEnd,
  userGet: user.userGet,
  userSet: user.userSet,
  userPasswordLost: user.userPasswordLost,
  userPasswordReset: user.userPasswordReset,
  userPasswordResetCheck: user.userPasswordResetCheck,
  userEnable: accountUser.userEnable,
  userEvent: userEvent.userEvent,
  userEventSet: userEvent.userEventSet,
  userNamespaceList: user.userNamespaceList,
  accountList: account.accountList,
  accountGet: account.accountGet,
  accountNotices: account.accountNotices,
  accountUserList: accountUser.accountUserList,
  accountUserGet: accountUser.accountUserGet,
  accountUserAdd: accountUser.accountUserAdd,
  accountUserSet: accountUser.accountUserSet,
  accountUserDelete: accountUser.accountUserDelete,
  roleList: account.roleList,
  groupList: group.groupList,
  groupGet: group.groupGet,
  namespaceSettings: namespace.namespaceSettings,
  namespaceShareCode: namespace.namespaceShareCode,
  namespaceEngineFqdn: namespace.namespaceEngineFqdn,
  settingGet: setting.settingGet,
  settingSet: setting.settingSet,
  settingGetAll: setting.settingGetAll,
  studyList: study.studyList,
  studyCount: study.studyCount,
  studyGet: study.studyGet,
  studyAdd: study.studyAdd,
  studySet: study.studySet,
  studySync: study.studySync,
  studyUploadCheck: study.studyUploadCheck,
  studyLock: study.studyLock,
  studyUnlock: study.studyUnlock,
  studyStar: studyActs.studyStar,
  studyDelete: studyActs.studyDelete,
  studyRevive: studyActs.studyRevive,
  studyDuplicate: studyDuplicate.studyDuplicate,
  studyShare: studyShare.studyShare,
  studyShareStop: studyShare.studyShareStop,
  studyShareList: studyShare.studyShareList,
  studyShareWho: studyShare.studyShareWho,
  studyShareAccess: studyShare.studyShareAccess,
  studyAudit: studyActs.studyAudit,
  studyTimingEvent: studyActs.studyTimingEvent,
  studyTimingLog: studyActs.studyTimingLog,
  studyManualRoute: studyActs.studyManualRoute,
  studyRelated: studyActs.studyRelated,
  studyConflicts: studyConflicts.studyConflicts,
  studyConflictSettle: studyConflicts.studyConflictSettle,
  studyEditLimits: studyActs.studyEditLimits,
  studyElsewhere: studyActs.studyElsewhere,
  studyMrnHolders: studyMrn.studyMrnHolders,
  studyUploadPeople: studyMrn.studyUploadPeople,
  tagList: tag.tagList,
  tagAdd: tag.tagAdd,
  tagDelete: tag.tagDelete,
  filterList: filter.filterList,
  filterAdd: filter.filterAdd,
  filterGet: filter.filterGet,
  filterSet: filter.filterSet,
  filterDelete: filter.filterDelete,
  filterShare: filter.filterShare,
  filterShareStop: filter.filterShareStop,
  filterShareList: filter.filterShareList,
  customfieldList: customfield.customfieldList,
  customfieldGet: customfield.customfieldGet,
  customfieldAdd: customfield.customfieldAdd,
  customfieldSet: customfield.customfieldSet,
  customfieldDelete: customfield.customfieldDelete,
  customfieldLookup: customfield.customfieldLookup,
  orderList: order.orderList,
  orderGet: order.orderGet,
  auditObject: audit.auditObject,
  auditRefused: audit.auditRefused,
  linkAdd: link.linkAdd,
  linkList: link.linkList,
  linkGet: link.linkGet,
  linkSet: link.linkSet,
  linkDelete: link.linkDelete,
  linkStatus: link.linkStatus,
  linkSession: link.linkSession,
  linkStudies: link.linkStudies,
  mailOutbox: mail.mailOutbox,
  webhookEvent: webhook.webhookEvent,
  jobList: job.jobList,
  jobCancel: job.jobCancel,
  jobRetry: job.jobRetry,
  jobGet: job.jobGet,
} as const

export type Calls = typeof calls
export type CallName = keyof Calls
