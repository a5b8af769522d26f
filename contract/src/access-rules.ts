import type { Permission, PermissionSet } from './permissions.ts'

export type Needs = Permission | { all: readonly Needs[] } | { any: readonly Needs[] }

/** What a person may do on the screen, and the flags that it takes (PERM, B§6). The server decides each call again. */
export const accessRules = {
  viewStudy: { any: ['study_view', 'study_browse'] },
  uploadStudy: 'study_upload',
  requestStudy: { any: ['link_edit', 'link_edit_upload'] },
  retrieveStudy: 'destination_search',
  downloadExam: 'study_download',
  shareExam: { all: ['study_share', { any: ['study_share_user', 'study_share_group'] }] },
  shareWithUser: { all: ['study_share', 'study_share_user'] },
  shareWithGroup: { all: ['study_share', 'study_share_group'] },
  sendExams: { all: ['study_share', { any: ['study_share_account', 'study_share_email', 'study_share_share_code'] }] },
  sendToConnection: { all: ['study_share', 'study_share_account'] },
  sendByEmail: { all: ['study_share', 'study_share_email'] },
  sendByShareCode: { all: ['study_share', 'study_share_share_code'] },
  editStudy: 'study_edit',
  setWorkStatus: { any: ['study_edit', 'study_status_edit'] },
  deleteStudy: 'study_delete',
  tagStudy: 'study_tag',
  starStudy: 'study_star',
  seeAttachments: 'study_report_view',
  attachFile: 'study_report_upload',
  removeAttachment: 'study_report_delete',
  approveStudy: 'study_approve',
  routeManually: 'study_manual_route',
  seeHistory: 'audit_view',
  seePendingRequests: { any: ['link_edit', 'link_edit_upload'] },
  seeOrders: 'order_view',
  administerUsers: { any: ['account_user_view', 'account_user_edit'] },
  administerGroups: { any: ['group_view', 'group_edit'] },
  administerRoutes: { any: ['route_view', 'route_edit'] },
  administerAccount: 'account_edit',
} as const satisfies Record<string, Needs>

export type Action = keyof typeof accessRules

export function meets(needs: Needs, held: PermissionSet): boolean {
  if (typeof needs === 'string') return held.has(needs)
  return 'all' in needs ? needs.all.every((need) => meets(need, held)) : needs.any.some((need) => meets(need, held))
}

/** An action on several studies is allowed only if every one of them grants it (PERM-01). */
export function mayActOnAll(action: Action, heldPerStudy: readonly PermissionSet[]): boolean {
  return heldPerStudy.length > 0 && heldPerStudy.every((held) => meets(accessRules[action], held))
}
