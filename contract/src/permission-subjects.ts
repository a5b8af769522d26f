import { type Permission, permissions } from './permissions.ts'

/** Permissions that decide something here, by subject, in the order of the form. Each has a sentence in the labels. */
export const permissionSubjects = {
  look: [
    'study_view',
    'study_browse',
    'study_download',
    'study_report_view',
    'study_star',
    'study_tag',
    'study_timing_view',
    'study_report_detail',
    'audit_view',
    'channel_study',
  ],
  change: [
    'study_upload',
    'study_sync',
    'study_edit',
    'study_status_edit',
    'study_thin',
    'study_report_upload',
    'study_report_delete',
    'study_approve',
    'study_duplicate',
    'study_split',
    'study_delete',
    'study_delete_image',
    'purge_view',
    'purge_edit',
  ],
  exchange: [
    'study_share',
    'study_share_user',
    'study_share_group',
    'study_share_location',
    'study_share_account',
    'study_share_email',
    'study_share_share_code',
    'link_view',
    'link_edit',
    'link_edit_upload',
    'study_request_edit',
  ],
  pacs: [
    'destination_view',
    'destination_edit',
    'destination_search',
    'destination_search_mwl',
    'study_push',
    'node_view',
    'node_edit',
    'study_manual_route',
    'order_view',
    'order_edit',
  ],
  search: ['filter_share', 'user_edit_shared_filter', 'filter_edit_only_own', 'user_modify_notifications'],
  organisation: [
    'account_edit',
    'account_audit_view',
    'account_user_view',
    'account_user_edit',
    'account_user_invite',
    'user_edit',
    'user_view_others_notifications',
    'user_modify_others_notifications',
    'role_view',
    'role_edit',
    'role_setting_edit',
    'group_view',
    'group_edit',
    'location_view',
    'location_edit',
    'route_view',
    'route_edit',
    'webhook_view',
    'webhook_edit',
    'customfield_view',
    'customfield_list',
    'customfield_edit',
  ],
} as const satisfies Record<string, readonly Permission[]>

export type PermissionSubject = keyof typeof permissionSubjects
export type DescribedPermission = (typeof permissionSubjects)[PermissionSubject][number]

const described: ReadonlySet<string> = new Set(Object.values(permissionSubjects).flat())

/** Permissions of the public interface that nothing here asks for; other programs may read them. */
export const otherPermissions: readonly Permission[] = permissions.filter((one) => !described.has(one))
