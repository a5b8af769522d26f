import { isRestriction, type Permission, permissions } from './permissions.ts'

interface RoleTemplate {
  name: string
  type: 'admin' | 'user' | ''
  holds: readonly Permission[]
}

const read = [
  'study_view',
  'study_browse',
  'study_download',
  'study_star',
  'study_tag',
  'study_report_view',
  'study_report_view_approved',
  'study_send_status_view',
  'study_status_view',
  'annotation_view',
  'keyimage_view',
  'channel_study',
  'channel_activity',
  'job_view',
  'customfield_view',
  'audit_view',
  'destination_view',
  'user_modify_notifications',
  'user_modify_sharecode',
  'user_modify_defaults',
] as const satisfies readonly Permission[]

const exchange = [
  'study_share',
  'study_share_user',
  'study_share_group',
  'study_share_account',
  'study_share_email',
  'study_share_share_code',
] as const satisfies readonly Permission[]

const clinician = [
  ...read,
  ...exchange,
  'study_upload',
  'study_report_upload',
  'study_edit',
  'study_status_edit',
  'order_view',
  'link_view',
  'study_manual_route',
] as const satisfies readonly Permission[]

/**
 * The roles that every new account starts with (OPEN-05). An account's administrators may change all of them;
 * only the two of type admin and user are the system's own.
 */
export const roleTemplates: readonly RoleTemplate[] = [
  // every grant; a restriction is none
  { name: 'Administrator', type: 'admin', holds: permissions.filter((name) => !isRestriction(name)) },
  { name: 'Clinician', type: 'user', holds: clinician },
  {
    name: 'Staff',
    type: '',
    holds: [
      ...clinician,
      'study_delete',
      'study_duplicate',
      'study_report_delete',
      'link_edit',
      'link_edit_upload',
      'destination_search',
      'study_request_edit',
      'study_push',
    ],
  },
  {
    name: 'Gatekeeper reviewer',
    type: '',
    holds: [
      ...read,
      'study_edit',
      'study_approve',
      'study_push',
      'study_report_upload',
      'order_view',
      'destination_search',
      'destination_search_mwl',
    ],
  },
  { name: 'Viewer', type: '', holds: read.filter((name) => name !== 'study_download' && name !== 'study_tag') },
  { name: 'Uploader', type: '', holds: ['study_upload', 'channel_study', 'job_view', 'user_modify_notifications'] },
]

/** Permissions that make an administrator: an account always has somebody who may use all of these. */
export const administratorHolds = [
  'account_edit',
  'account_user_edit',
  'role_edit',
] as const satisfies readonly Permission[]
