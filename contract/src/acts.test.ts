import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Act, acts, type Fact, factsOf, mayDo, mayDoOnAll, type Right, wordsOfRight } from './acts.ts'
import { type Permission, permissions, withinScope } from './permissions.ts'

const may = (act: Act, ...held: Permission[]) => mayDo(act, { permissions: new Set(held) })

/** Acts whose right depends on more than permissions; described below. */
type Plain = Exclude<
  Act,
  | 'enterPlace'
  | 'findStudy'
  | 'describeOwnUpload'
  | 'retractStudy'
  | 'changeStudy'
  | 'setWorkStatus'
  | 'seeOperatorSettings'
  | 'editSearch'
  | 'seeGroup'
  | 'seeLocation'
  | 'tendWork'
>

/** Every set of flags that is just enough for an act (PERM, B§6). */
const enough: Record<Plain, readonly (readonly Permission[])[]> = {
  viewStudy: [['study_view'], ['study_browse']],
  uploadStudy: [['study_upload']],
  storeMeasurements: [
    ['study_view', 'study_upload'],
    ['study_browse', 'study_upload'],
  ],
  requestStudy: [['link_edit'], ['link_edit_upload']],
  retrieveStudy: [['destination_search']],
  downloadExam: [['study_download']],
  giveExam: [
    ['study_share', 'study_share_user'],
    ['study_share', 'study_share_group'],
    ['study_share', 'study_share_location'],
    ['study_share', 'study_share_account'],
    ['study_share', 'study_share_email'],
    ['study_share', 'study_share_share_code'],
  ],
  shareWithUser: [['study_share', 'study_share_user']],
  shareWithLocation: [['study_share', 'study_share_location']],
  shareWithGroup: [['study_share', 'study_share_group']],
  sendToConnection: [['study_share', 'study_share_account']],
  sendByEmail: [['study_share', 'study_share_email']],
  sendByShareCode: [['study_share', 'study_share_share_code']],
  editStudy: [['study_edit']],
  deleteStudy: [['study_delete']],
  tagStudy: [['study_tag']],
  starStudy: [['study_star']],
  seeAttachments: [['study_report_view']],
  attachFile: [['study_report_upload']],
  removeAttachment: [['study_report_delete']],
  approveStudy: [['study_approve']],
  routeManually: [['study_manual_route']],
  inviteUsers: [['account_user_invite'], ['account_user_edit'], ['user_edit']],
  seeHistory: [['audit_view']],
  splitStudy: [['study_split', 'study_edit', 'study_upload']],
  makeNameless: [
    ['study_view', 'study_share'],
    ['study_view', 'link_edit'],
    ['study_browse', 'study_share'],
    ['study_browse', 'link_edit'],
  ],
  makeLinks: [
    ['study_view', 'link_edit'],
    ['study_browse', 'link_edit'],
  ],
  seeLinks: [
    ['study_view', 'link_view'],
    ['study_browse', 'link_view'],
  ],
  seePendingRequests: [['link_edit'], ['link_edit_upload']],
  seeOrders: [['order_view']],
  administerUsers: [['account_user_view'], ['account_user_edit']],
  administerGroups: [['group_view'], ['group_edit']],
  editGroups: [['group_edit']],
  administerLocations: [['location_view'], ['location_edit']],
  editLocations: [['location_edit']],
  administerRoutes: [['route_view'], ['route_edit']],
  editRoutes: [['route_edit']],
  administerWebhooks: [['webhook_view'], ['webhook_edit']],
  editWebhooks: [['webhook_edit']],
  administerAccount: [['account_edit']],
  administerSignIn: [['account_edit', 'account_user_edit', 'role_edit']],
  seeAudit: [['account_audit_view'], ['audit_view', 'account_edit']],
  seeRefusedAccess: [['account_audit_view'], ['account_edit']],
  reportStudies: [['study_report_detail']],
  addStudy: [['study_upload'], ['study_thin']],
  syncStudy: [['study_sync']],
  completeStudy: [['study_sync'], ['study_upload']],
  setStudy: [['study_view'], ['study_browse'], ['study_edit'], ['study_thin'], ['study_status_edit'], ['study_upload']],
  lockStudy: [['study_edit'], ['study_upload'], ['study_approve']],
  deleteImages: [['study_delete_image']],
  holdStudy: [['purge_edit']],
  redrawStudy: [['study_edit'], ['study_upload']],
  seeTiming: [['study_timing_view']],
  hearStudies: [['channel_study']],
  wrapAttachment: [['study_upload', 'study_report_view']],
  duplicateStudy: [['study_duplicate', 'study_upload']],
  seeShares: [['study_share'], ['study_approve']],
  seeOrdersWithoutGroup: [['order_edit']],
  editOrders: [['order_edit']],
  shareSearch: [['filter_share']],
  editUsers: [['account_user_edit'], ['user_edit']],
  putUsersInGroups: [
    ['account_user_edit', 'group_edit'],
    ['user_edit', 'group_edit'],
  ],
  seeRoles: [['role_view']],
  editRoles: [['role_edit']],
  setRoleSettings: [['role_setting_edit']],
  seeCustomFields: [['customfield_view'], ['customfield_list'], ['role_view']],
  chooseNotices: [['user_modify_notifications']],
  seeOthersNotices: [['user_view_others_notifications']],
  chooseOthersNotices: [['user_modify_others_notifications']],
  editCustomFields: [['customfield_edit']],
  pushStudy: [['study_push']],
  nominateStudy: [['study_share', 'study_share_group']],
  sendToPacs: [['study_approve', 'study_push']],
  seeDestinations: [['destination_view'], ['destination_edit'], ['destination_search']],
  useDestinations: [['destination_view'], ['destination_edit'], ['destination_search'], ['study_push']],
  administerDestinations: [['destination_edit']],
  seeNodes: [['node_view'], ['node_edit']],
  administerNodes: [['node_edit']],
  seeRetention: [['purge_view'], ['purge_edit'], ['account_edit']],
  administerRetention: [['purge_edit'], ['account_edit']],
}

describe.each(Object.entries(enough) as [Plain, readonly (readonly Permission[])[]][])('%s', (act, sets) => {
  it('takes just these flags', () => {
    for (const held of sets) {
      expect(may(act, ...held)).toBe(true)
      for (const left of held) expect(may(act, ...held.filter((one) => one !== left))).toBe(false)
    }
  })

  it('is not granted by all other flags together', () => {
    const named = new Set(sets.flat())
    expect(may(act, ...permissions.filter((one) => !named.has(one)))).toBe(false)
  })

  it('is granted by whatever holds enough', () => {
    fc.assert(
      fc.property(fc.subarray([...permissions]), (held) => {
        expect(may(act, ...held)).toBe(sets.some((needed) => needed.every((one) => held.includes(one))))
      }),
      { numRuns: 30 },
    )
  })
})

describe('an act whose right depends on more', () => {
  const tryWith = (act: Act, held: Permission[], ...facts: Fact[]) =>
    mayDo(act, { permissions: new Set(held), facts: new Set(facts) })

  it.each<[Act, Permission[], Fact[], boolean]>([
    ['enterPlace', [], [], true],
    ['findStudy', [], [], true],
    ['findStudy', ['study_delete'], ['awaitsApproval'], false],
    ['findStudy', ['study_approve'], ['awaitsApproval'], true],
    ['findStudy', ['study_approve'], ['deleted'], false],
    ['findStudy', ['study_delete'], ['deleted'], true],
    ['findStudy', ['study_delete'], ['deleted', 'awaitsApproval'], false],
    ['findStudy', ['study_approve'], ['deleted', 'awaitsApproval'], false],
    ['findStudy', ['study_delete', 'study_approve'], ['deleted', 'awaitsApproval'], true],
    ['describeOwnUpload', ['study_upload'], ['ownUpload'], true],
    ['describeOwnUpload', ['study_upload'], ['thin'], false],
    ['describeOwnUpload', ['study_edit'], ['ownUpload'], false],
    ['findStudy', ['study_delete'], ['deleted', 'takenBack'], false],
    ['retractStudy', ['study_delete'], ['original'], true],
    ['retractStudy', ['study_delete'], [], false],
    ['retractStudy', ['study_edit'], ['original'], false],
    ['changeStudy', ['study_edit'], [], true],
    ['changeStudy', ['study_thin'], ['thin'], true],
    ['changeStudy', ['study_thin'], [], false],
    ['changeStudy', ['study_status_edit', 'study_upload', 'study_view'], ['thin', 'ownUpload'], false],
    ['setWorkStatus', ['study_edit'], [], true],
    ['setWorkStatus', ['study_status_edit'], [], true],
    ['setWorkStatus', ['study_thin'], ['thin'], true],
    ['setWorkStatus', ['study_thin', 'study_view', 'study_upload'], ['ownUpload'], false],
    ['tendWork', [], ['ownWork'], true],
    ['tendWork', ['account_edit'], [], true],
    ['tendWork', ['account_view'], [], false],
    ['seeGroup', [], ['member'], true],
    ['seeGroup', ['group_view'], [], true],
    ['seeGroup', ['group_edit'], [], false],
    ['editSearch', [], ['ownSearch'], true],
    ['editSearch', ['filter_edit_only_own'], ['ownSearch'], true],
    ['editSearch', ['user_edit_shared_filter'], [], true],
    ['editSearch', ['user_edit_shared_filter', 'filter_edit_only_own'], [], false],
    ['editSearch', ['filter_share'], [], false],
  ])('%s, holding %j, of what is %j: %j', (act, held, facts, expected) => {
    expect(tryWith(act, held, ...facts)).toBe(expected)
  })

  it.each(['account_edit', 'group_edit'] as const)('%s shows the settings of operators', (permission) => {
    const held: ReadonlySet<Permission> = new Set([permission])
    const nothing: ReadonlySet<Permission> = new Set(['account_view'])
    expect(mayDo('seeOperatorSettings', { permissions: held })).toBe(true)
    expect(mayDo('seeOperatorSettings', { permissions: nothing, inAccount: held })).toBe(true)
    expect(mayDo('seeOperatorSettings', { permissions: nothing, inAccount: nothing })).toBe(false)
    expect(mayDo('seeOperatorSettings', { permissions: nothing })).toBe(false)
  })
})

it('[PERM-01] an act on several studies takes the right on each of them, and one study at least', () => {
  const held = (...names: Permission[]) => ({ permissions: new Set(names) })
  const [editor, reader] = [held('study_edit', 'study_view'), held('study_view')]
  expect(mayDoOnAll('editStudy', [editor, editor])).toBe(true)
  expect(mayDoOnAll('editStudy', [editor, reader])).toBe(false)
  expect(mayDoOnAll('viewStudy', [editor, reader])).toBe(true)
  expect(mayDoOnAll('viewStudy', [])).toBe(false)
})

it('a scope gives nobody more than the role does', () => {
  const named = permissions.filter((one) => JSON.stringify(acts).includes(`"${one}"`))
  fc.assert(
    fc.property(fc.subarray(named), fc.subarray(named), (role, scope) => {
      const held = new Set<Permission>(role)
      const narrowed = withinScope(held, new Set(scope))
      const gained = (Object.keys(acts) as Act[]).filter(
        (act) =>
          mayDo(act, { permissions: narrowed, inAccount: narrowed }) &&
          !mayDo(act, { permissions: held, inAccount: held }),
      )
      expect(gained).toEqual([])
    }),
    {
      examples: [[['user_edit_shared_filter', 'filter_edit_only_own'], ['user_edit_shared_filter']]],
      numRuns: 300,
    },
  )
})

it('a right reads as words', () => {
  expect(wordsOfRight(acts.enterPlace)).toBe('')
  expect(wordsOfRight(acts.makeNameless)).toBe('(study_view or study_browse) and (study_share or link_edit)')
  expect(wordsOfRight(acts.changeStudy)).toBe('study_edit or (study_thin and the study is thin)')
  expect(wordsOfRight(acts.editSearch)).toBe(
    'the search is one’s own or (user_edit_shared_filter and not filter_edit_only_own)',
  )
  expect(wordsOfRight(acts.seeOperatorSettings)).toBe(
    '(account_edit or group_edit) or (account_edit or group_edit) in the account',
  )
})

it.each<[Fact, string]>([
  ['thin', 'the study is thin'],
  ['ownUpload', 'the study is an upload of one’s own'],
  ['awaitsApproval', 'the study awaits approval'],
  ['original', 'the study did not come by a share'],
  ['takenBack', 'the study was taken back by its owner'],
  ['deleted', 'the study is deleted'],
  ['member', 'one is a member of the group'],
  ['ownSearch', 'the search is one’s own'],
  ['ownWork', 'the work is one’s own'],
])('the fact %s reads as words', (fact, words) => {
  expect(wordsOfRight({ is: fact })).toBe(words)
})

it('a right reads with brackets only where it would be ambiguous without them', () => {
  const both: Right = { all: ['study_view', 'study_edit'] }
  expect(wordsOfRight({ not: both })).toBe('not (study_view and study_edit)')
  expect(wordsOfRight({ any: [both] })).toBe('study_view and study_edit')
  expect(wordsOfRight({ all: ['study_tag', { any: ['study_view'] }] })).toBe('study_tag and study_view')
})

it('of facts those hold that are true, and none where nothing is known', () => {
  expect([...factsOf({ thin: true, deleted: false, member: null })]).toEqual(['thin'])
  expect(mayDo('seeGroup', { permissions: new Set() })).toBe(false)
  expect(mayDo('seeGroup', { permissions: new Set(), facts: factsOf({ member: true }) })).toBe(true)
})
