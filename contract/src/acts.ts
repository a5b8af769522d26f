import type { Permission, PermissionSet } from './permissions.ts'

/** Facts about the object of an act, beside the caller's role. */
export type Fact =
  /** A study without pixels here. */
  | 'thin'
  /** A study that the caller's own upload began. */
  | 'ownUpload'
  /** A study that waits for approval. */
  | 'awaitsApproval'
  /** A study that did not come to its place by a share. */
  | 'original'
  /** A study that its owner took back from a place that had it by a share. */
  | 'takenBack'
  /** A study in the bin. */
  | 'deleted'
  /** A group or location of which the caller is a member. */
  | 'member'
  /** A saved search of the caller's. */
  | 'ownSearch'
  /** Work that the caller's own request began. */
  | 'ownWork'

/**
 * A right: a permission of the caller's role in the place of the object (`phi_namespace` of a study), or in the account of
 * the place; a fact; all, any or none of such.
 */
export type Right =
  | Permission
  | { inAccount: Right }
  | { is: Fact }
  | { not: Right }
  | { all: readonly Right[] }
  | { any: readonly Right[] }

const anyMember: Right = { all: [] }
const viewStudy = { any: ['study_view', 'study_browse'] } as const
const editPlace = { any: ['account_edit', 'group_edit'] } as const
const editUsers = { any: ['account_user_edit', 'user_edit'] } as const
const changeThinStudy = { all: ['study_thin', { is: 'thin' }] } as const

/**
 * Every act, and the right to do it: the one table that calls and routes name their right in, the server decides by, and
 * screens ask about what to offer (PERM, B§6). On their own place people hold all that an administrator does.
 */
export const acts = {
  enterPlace: anyMember,
  chooseNotices: 'user_modify_notifications',
  seeOthersNotices: 'user_view_others_notifications',
  chooseOthersNotices: 'user_modify_others_notifications',

  // a study
  findStudy: {
    all: [
      { any: [{ not: { is: 'awaitsApproval' } }, 'study_approve'] },
      { any: [{ not: { is: 'deleted' } }, 'study_delete'] },
      { not: { is: 'takenBack' } },
    ],
  },
  viewStudy,
  uploadStudy: 'study_upload',
  // a measurement report becomes an instance of the study
  storeMeasurements: { all: [viewStudy, 'study_upload'] },
  addStudy: { any: ['study_upload', 'study_thin'] },
  syncStudy: 'study_sync',
  completeStudy: { any: ['study_sync', 'study_upload'] },
  requestStudy: { any: ['link_edit', 'link_edit_upload'] },
  retrieveStudy: 'destination_search',
  downloadExam: 'study_download',
  editStudy: 'study_edit',
  // the call study/set as a whole, which asks for the right to each change besides
  setStudy: { any: [viewStudy, 'study_edit', 'study_thin', 'study_status_edit', 'study_upload'] },
  changeStudy: { any: ['study_edit', changeThinStudy] },
  describeOwnUpload: { all: ['study_upload', { is: 'ownUpload' }] },
  setWorkStatus: { any: ['study_edit', 'study_status_edit', changeThinStudy] },
  lockStudy: { any: ['study_edit', 'study_upload', 'study_approve'] },
  deleteStudy: 'study_delete',
  // the owner, or an administrator of the account
  retractStudy: { all: [{ is: 'original' }, { any: ['study_delete', { inAccount: 'account_edit' }] }] },
  deleteImages: 'study_delete_image',
  // images of another patient go to a study of their own, in the same place
  splitStudy: { all: ['study_split', 'study_edit', 'study_upload'] },
  holdStudy: 'purge_edit',
  redrawStudy: { any: ['study_edit', 'study_upload'] },
  tagStudy: 'study_tag',
  starStudy: 'study_star',
  approveStudy: 'study_approve',
  routeManually: 'study_manual_route',
  pushStudy: 'study_push',
  nominateStudy: { all: ['study_share', 'study_share_group'] },
  // a nomination is decided by sending it, or by rejecting it
  sendToPacs: { all: ['study_approve', 'study_push'] },
  seeTiming: 'study_timing_view',
  seeHistory: 'audit_view',
  hearStudies: 'channel_study',

  // attachments of a study
  seeAttachments: 'study_report_view',
  attachFile: 'study_report_upload',
  removeAttachment: 'study_report_delete',
  // pictures made of a file are shown to all who may see images: the right to see the file is part of making them
  wrapAttachment: { all: ['study_upload', 'study_report_view'] },

  // giving a study away
  // a copy belongs to the place that it is kept in
  duplicateStudy: { all: ['study_duplicate', 'study_upload'] },
  // approving needs the sight of whom a study came from
  seeShares: { any: ['study_share', 'study_approve'] },
  // the call study/share as a whole, which asks for the right to each kind of recipient besides
  giveExam: {
    all: [
      'study_share',
      {
        any: [
          'study_share_user',
          'study_share_group',
          'study_share_location',
          'study_share_account',
          'study_share_email',
          'study_share_share_code',
        ],
      },
    ],
  },
  shareWithUser: { all: ['study_share', 'study_share_user'] },
  shareWithLocation: { all: ['study_share', 'study_share_location'] },
  shareWithGroup: { all: ['study_share', 'study_share_group'] },
  sendToConnection: { all: ['study_share', 'study_share_account'] },
  sendByEmail: { all: ['study_share', 'study_share_email'] },
  sendByShareCode: { all: ['study_share', 'study_share_share_code'] },

  // a copy without names, to be given away
  makeNameless: { all: [viewStudy, { any: ['study_share', 'link_edit'] }] },

  // links to a study for people without a login
  makeLinks: { all: [viewStudy, 'link_edit'] },
  seeLinks: { all: [viewStudy, 'link_view'] },

  // a place
  seePendingRequests: { any: ['link_edit', 'link_edit_upload'] },
  seeOrders: 'order_view',
  seeOrdersWithoutGroup: 'order_edit',
  seeOperatorSettings: { any: [editPlace, { inAccount: editPlace }] },
  shareSearch: 'filter_share',
  editSearch: {
    any: [{ is: 'ownSearch' }, { all: ['user_edit_shared_filter', { not: 'filter_edit_only_own' }] }],
  },

  // an account
  seeGroup: { any: [{ is: 'member' }, 'group_view'] },
  seeLocation: { any: [{ is: 'member' }, 'location_view'] },
  seeRoles: 'role_view',
  editRoles: 'role_edit',
  setRoleSettings: 'role_setting_edit',
  editOrders: 'order_edit',
  seeCustomFields: { any: ['customfield_view', 'customfield_list', 'role_view'] },
  editCustomFields: 'customfield_edit',
  administerUsers: { any: ['account_user_view', 'account_user_edit'] },
  // the specification names both permissions for the same buttons
  editUsers,
  inviteUsers: { any: ['account_user_invite', editUsers] },
  putUsersInGroups: { all: [editUsers, 'group_edit'] },
  administerGroups: { any: ['group_view', 'group_edit'] },
  // people who retrieve, push or administer choose among destinations
  seeDestinations: { any: ['destination_view', 'destination_edit', 'destination_search'] },
  // of a place: whoever searches at destinations for the place, or sends its studies there
  useDestinations: { any: ['destination_view', 'destination_edit', 'destination_search', 'study_push'] },
  administerDestinations: 'destination_edit',
  seeNodes: { any: ['node_view', 'node_edit'] },
  administerNodes: 'node_edit',
  editGroups: 'group_edit',
  administerLocations: { any: ['location_view', 'location_edit'] },
  editLocations: 'location_edit',
  administerRoutes: { any: ['route_view', 'route_edit'] },
  editRoutes: 'route_edit',
  administerWebhooks: { any: ['webhook_view', 'webhook_edit'] },
  editWebhooks: 'webhook_edit',
  administerAccount: 'account_edit',
  // the setting decides as whom one can sign in, so that it takes all that makes an administrator
  administerSignIn: { all: ['account_edit', 'account_user_edit', 'role_edit'] },
  // the records of all places of the account: for auditors, and administrators of the account who may see histories
  seeAudit: { any: ['account_audit_view', { all: ['audit_view', 'account_edit'] }] },
  seeRefusedAccess: { any: ['account_audit_view', 'account_edit'] },
  // a list of patients that leaves as a file
  reportStudies: 'study_report_detail',
  // rules, holds and the bin of all places of the account
  seeRetention: { any: ['purge_view', 'purge_edit', 'account_edit'] },
  administerRetention: { any: ['purge_edit', 'account_edit'] },
  tendWork: { any: [{ is: 'ownWork' }, 'account_edit'] },
} as const satisfies Record<string, Right>

export type Act = keyof typeof acts

/** A caller's permissions in the place of an act's object and in its account, and the facts about that object. */
export interface Held {
  /** By the role in the place of the object. */
  permissions: PermissionSet
  /** By the role in the account of this place. */
  inAccount?: PermissionSet
  facts?: ReadonlySet<Fact>
}

/** The facts that are true. */
export function factsOf(is: Partial<Record<Fact, boolean | null>>): ReadonlySet<Fact> {
  return new Set((Object.keys(is) as Fact[]).filter((fact) => is[fact]))
}

/** Whether somebody who holds this may do an act. */
export function mayDo(act: Act, held: Held): boolean {
  return meets(acts[act], held)
}

/** An act on several studies is allowed only if every one of them grants it (PERM-01). */
export function mayDoOnAll(act: Act, heldPerStudy: readonly Held[]): boolean {
  return heldPerStudy.length > 0 && heldPerStudy.every((held) => mayDo(act, held))
}

function meets(right: Right, held: Held): boolean {
  if (typeof right === 'string') return held.permissions.has(right)
  if ('is' in right) return held.facts?.has(right.is) ?? false
  if ('not' in right) return !meets(right.not, held)
  if ('all' in right) return right.all.every((one) => meets(one, held))
  if ('any' in right) return right.any.some((one) => meets(one, held))
  return meets(right.inAccount, { permissions: held.inAccount ?? none })
}

const none: PermissionSet = new Set()

/** A right in words, for the API page: `study_view and (study_share or link_edit)`. */
export function wordsOfRight(right: Right, isInside = false): string {
  if (typeof right === 'string') return right
  if ('is' in right) return factWords[right.is]
  if ('not' in right) return `not ${wordsOfRight(right.not, true)}`
  if ('inAccount' in right) return `${wordsOfRight(right.inAccount, true)} in the account`
  const [parts, word] = 'all' in right ? [right.all, ' and '] : [right.any, ' or ']
  const words = parts.map((one) => wordsOfRight(one, parts.length > 1)).join(word)
  return isInside && parts.length > 1 ? `(${words})` : words
}

const factWords: Record<Fact, string> = {
  thin: 'the study is thin',
  ownUpload: 'the study is an upload of one’s own',
  awaitsApproval: 'the study awaits approval',
  original: 'the study did not come by a share',
  takenBack: 'the study was taken back by its owner',
  deleted: 'the study is deleted',
  member: 'one is a member of the group',
  ownSearch: 'the search is one’s own',
  ownWork: 'the work is one’s own',
}
