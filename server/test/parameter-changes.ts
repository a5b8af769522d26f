import { randomUUID } from 'node:crypto'
import type { CallName, Calls } from '@hilum/contract/calls/all-calls'
import { storedFlags, storedTexts } from '@hilum/contract/calls/customfield'
import { studyDicomFields } from '@hilum/contract/entities/study'
import type * as z from 'zod/mini'
import type { Place } from './call-samples.ts'
import { routeFlags } from '@hilum/contract/routing-rule'
import { goodPassword } from './make-organisation.ts'

type Value = string | number | object | undefined | ((place: ChangedPlace) => unknown)

/** A place with the names by which its rows can be asked for. */
export interface ChangedPlace extends Place {
  /** The triplet of `studyUuid`. */
  studyUid: string
  /** Login of the person in the account with the vanity name `changed`. */
  login: string
  /** A second person of the account. */
  otherUserUuid: string
  /** A second group of the person. */
  otherGroup: { groupUuid: string; namespaceUuid: string }
  roleUuid: string
}

/** Two values of a parameter that must not be answered alike. */
export interface Change {
  /** Instead of the value in the sample of the call; undefined leaves the parameter out. */
  from?: Value
  to: Value
  /** Other parameters besides the sample, where the parameter matters only with them. */
  with?: Readonly<Record<string, Value>>
  /** SQL that makes the place one in which the parameter matters. */
  prepare?: (place: ChangedPlace) => string
}
/** A parameter that changes nothing, and why it is taken all the same. */
export interface Unused {
  unused: string
}
/** A parameter that matters only in a place that takes much to make: the test that makes one. */
export interface ShownElsewhere {
  shownBy: string
}

type FieldsOf<Name extends CallName> = Calls[Name]['input'] extends z.ZodMiniObject<infer Shape> ? keyof Shape : never

const nobody = '7a3b0c52-8f0e-4b7d-9a51-3f6f6d1c0a11'
const otherRow: Change = { to: nobody }
/** The role that one test makes: no other may name it by chance. */
const uploadsRole = '0b1d6a7e-3f52-4c5e-8a90-6d2c41f7be03'
const needed: Change = { to: undefined }
const flag: Change = { from: 0, to: 1 }
const text: Change = { to: 'Other' }
/** One mail of an account, however often the place is prepared. */
const mailTo = (accountUuid: string) => `with before as (delete from mail where account_uuid = '${accountUuid}')
  insert into mail (uuid, account_uuid, recipient, subject, body)
  values (gen_random_uuid(), '${accountUuid}', 'a@b.example', 'An exam', 'Text')`
/** Fields as they were read: of another name than the row has. */
const seen = { seen: { to: { name: 'As it was once' } } } satisfies Record<string, Change>

/** Names of the study beside its uuid: another study named by them is no study. */
const triplet = {
  study_uid: { from: ({ studyUid }: ChangedPlace) => studyUid, to: '2.25.77' },
  storage_namespace: { from: ({ namespaceUuid }: ChangedPlace) => namespaceUuid, to: nobody },
  phi_namespace: { from: ({ namespaceUuid }: ChangedPlace) => namespaceUuid, to: nobody },
} satisfies Record<string, Change>
const study = { uuid: otherRow, ...triplet }
const account = { account_id: otherRow }
/** Accounts alone share, each for itself, with one that is known. */
const canShare = {
  ...account,
  by_type: { to: 'group' },
  by_id: otherRow,
  with_type: { to: 'group' },
  with_id: otherRow,
} satisfies Record<string, Change>
/** Without a rule of retention: setting the one that is there already changes nothing. */
const noRule = ({ accountUuid }: ChangedPlace) =>
  `delete from setting where scope_uuid = '${accountUuid}' and key = 'retention_days'`
/** A patient is named instead of the exam of the sample. */
const retentionTarget = {
  study_id: otherRow,
  patientid: { from: undefined, to: 'Walked' },
  issuer: { shownBy: 'server/src/areas/retention/retention.db.test.ts' },
  reason: { to: ' ' },
} satisfies Record<string, Change | ShownElsewhere>
const member = { uuid: otherRow, user_id: otherRow }
/** The person is a system administrator, and the account lets supporters in. */
const asSystem = ({ accountUuid, person }: ChangedPlace) => `
  update app_user set sysadmin = true where uuid = '${person.userUuid}';
  update account set support_until = '2999-01-01' where uuid = '${accountUuid}'`
/** Of what in a place a person is mailed. */
const eventFlags = { event_share: flag, event_harvest: flag, event_approve: flag } satisfies Record<string, Change>
/** How a person signs in to an account. */
const signInChanges = {
  account_login: { from: undefined, to: () => `login-${randomUUID()}` },
  session_expire: { from: 0, to: 30 },
  max_sessions: { from: 0, to: 2 },
  password_reset: flag,
  pin_demanded: flag,
  sso_only: flag,
  ...eventFlags,
} satisfies Record<string, Change>
/** An account's settings of signing in, as they are at first: an audit row tells what was before. */
const asInstalled = ({ accountUuid }: ChangedPlace) =>
  `delete from session where only_account = '${accountUuid}'; update account set password_expire_days = 0, session_expire_minutes = 0, pin_required = false, support_until = null,
    vanity = 'changed' where uuid = '${accountUuid}'`
/** A setting of a place that is there already. */
const setForPlace =
  (key: string, value: string) =>
  ({ namespaceUuid }: ChangedPlace) =>
    `insert into setting (scope, scope_uuid, key, value) values ('namespace', '${namespaceUuid}', '${key}', '${value}')
      on conflict (scope, scope_uuid, key) do update set value = excluded.value, version = 1`
/** No text was ever in force: a text that is in force already is not put in force again. */
const noTexts = ({ accountUuid }: ChangedPlace) =>
  `with gone as (delete from account_text where account_uuid = '${accountUuid}')
    delete from setting where scope_uuid = '${accountUuid}' and key in ('terms_md5', 'privacy_md5')`
/** The study's patient has the MRN of the sample, and something was done to the study. */
const audited = ({ studyUuid, accountUuid }: ChangedPlace) =>
  `with patient as (update study set patientid = 'Walked', issuer = 'Here' where uuid = '${studyUuid}')
  insert into audit (account_uuid, object_uuid, action, type) values ('${accountUuid}', '${studyUuid}', 'EDIT', 'Study')`
const inRole: Change = { to: ({ roleUuid }) => roleUuid }

const roleFields = {
  name: { to: () => `Named ${randomUUID()}` },
  description: text,
  for_account: { from: 1, to: 0 },
  for_group: { from: 1, to: 0 },
  for_location: { from: 1, to: 0 },
  permissions: { to: { study_star: 1 } },
  settings: { to: { ui_json: '{}' } },
} satisfies Record<string, Change>

/** The fields that groups and locations are given. */
const placeFields = {
  name: { to: '' },
  must_approve: flag,
  must_approve_upload: flag,
  must_approve_harvest: flag,
  must_approve_move: flag,
  no_share: flag,
  share_code: { to: () => `CODE ${randomUUID()}` },
  share_description: text,
  share_settings: { to: { hint: 'Other' } },
  role_id: inRole,
  inbox_config: { to: { group_designation: 'LIBRARY' } },
  dicom_ae_title: { to: '\\' },
  dicom_allowed_peers: { to: ['10.0.0.0/8'] },
  dicom_query_peers: { to: ['10.0.0.0/8'] },
  dicom_worklist_peers: { to: ['10.0.0.0/8'] },
  hl7_senders: { to: ['10.0.0.0/8'] },
} satisfies Record<string, Change>
const orderFields = {
  patientid: text,
  issuer: text,
  patient_name: text,
  accession_number: text,
  patient_sex: { to: 'F' },
  patient_birth_date: { to: '19710203' },
  referring_physician: text,
  sending_facility: text,
  order_number: text,
  namespace_id: { to: ({ otherGroup }: ChangedPlace) => otherGroup.namespaceUuid },
} satisfies Record<string, Change>
const stepFields = {
  modality: { to: 'US' },
  scheduled_procedure_step_id: text,
  requested_procedure_id: text,
  requested_procedure_description: text,
  scheduled_station_aetitle: text,
  scheduled_procedure_step_start_date: { to: '20260304' },
  scheduled_procedure_step_start_time: { to: '1030' },
  scheduled_procedure_step_description: text,
} satisfies Record<string, Change>
const inGroup: Change = { to: ({ groupUuid }) => [{ uuid: groupUuid }] }

const validAttributes: Partial<Record<string, string>> = {
  patient_sex: 'F',
  patient_birth_date: '19710203',
  patient_birth_time: '010203',
  patient_age: '034Y',
  patient_weight: '70',
  patient_size: '1.7',
  study_date: '20210203',
  study_time: '010203',
  modality: 'MR',
}
const tags = changesOf(studyDicomFields, (tag) => ({ to: validAttributes[tag] ?? 'Other' }))
const columns = {
  image_count: { to: 7 },
  integration_key: text,
  source_ae_title: text,
  destination_ae_title: text,
} satisfies Record<string, Change>

const checkedTexts: Readonly<Record<string, Change>> = {
  dicom_tag: { to: '00081030' },
  hl7_segment: { to: 'NTE' },
  hl7_field: { to: '3' },
  hl7_component: { to: '1' },
}
const definition = {
  display_order: { to: 3 },
  required: flag,
  options: { to: { hint: 'Other' } },
  ui_json: { to: { show_on_pages: ['summary'] } },
  field_flag: text,
  other_dicom_tags: { to: ['00100010'] },
  ...changesOf(storedFlags, (name) =>
    name === 'load_dicom_tag' ? { ...flag, with: { dicom_tag: '00081030' } } : flag,
  ),
  ...changesOf(storedTexts, (name) => checkedTexts[name] ?? text),
} satisfies Record<string, Change>

const ofDestination = {
  name: text,
  type: { to: 'FOLDER' },
  node_id: otherRow,
  aetitle: { to: 'WALKED_2' },
  address: { to: 'pacs.example' },
  port: { to: 2 },
  uses_tls: flag,
  tls_certificate: { to: 'no certificate' },
  can_search: flag,
  can_search_mwl: flag,
  can_query_retrieve: flag,
  can_push: flag,
  push_unchecked: flag,
  push_foreign: flag,
  can_commit: flag,
  retrieve_method: { to: 'get' },
  group_ids: { to: ({ groupUuid }) => [groupUuid] },
  max_associations: { to: 3 },
  sort_order: { to: 7 },
} satisfies Record<string, Change>

/** A saved search, or the taking away of its share, with each kind of target alone. */
const shareTargets = {
  account_id: { to: ({ accountUuid }) => accountUuid, with: { user_id: undefined } },
  location_id: { to: nobody, with: { user_id: undefined } },
  group_id: { to: ({ groupUuid }) => groupUuid, with: { user_id: undefined } },
  role_id: { to: ({ roleUuid }) => roleUuid, with: { user_id: undefined } },
  user_id: { to: undefined },
} satisfies Record<string, Change>

/** A share, or its end, with each kind of recipient alone. */
const recipients = {
  user_id: { to: ({ otherUserUuid }) => otherUserUuid, with: { group_id: undefined } },
  group_id: { to: ({ otherGroup }) => otherGroup.groupUuid },
  location_id: otherRow,
  account_id: otherRow,
  share_code: { to: 'NONE1' },
} satisfies Record<string, Change>

const routeTests = 'server/src/areas/route/route-calls.db.test.ts'
const notInTest = { unused: 'a test looks at studies that are there, whatever starts the rule and when' }
const rulePlaces = {
  account_id: { from: undefined, to: nobody },
  group_id: { from: undefined, to: nobody },
  location_id: { from: undefined, to: nobody },
  namespace_id: { to: nobody },
} satisfies Record<string, Change>
const ruleValues = {
  conditions: { to: [{ lv: 'modality', op: 'equals', rv: 'CT' }] },
  actions: { from: [], to: ({ otherGroup }) => [{ namespace: otherGroup.namespaceUuid }] },
  options: { from: {}, to: { match_any: 1 } },
  schedule: { from: {}, to: { mon: 1, start: '08:00', stop: '17:00' } },
  ...changesOf(routeFlags, () => flag),
  suspended: flag,
  delay: { from: 0, to: 5 },
  delay_seconds: { from: 0, to: 30 },
  other_namespaces: { from: '', to: ({ otherGroup }) => otherGroup.namespaceUuid },
  manual_roles: { from: '', to: ({ roleUuid }) => roleUuid },
  delay_from_study_field: { from: '', to: 'created' },
  delay_from_study_seconds: { from: 0, to: 60 },
} satisfies Record<string, Change>
const webhookValues = {
  event: { to: 'STUDY_VIEW' },
  url: { to: 'https://other.example.org/' },
  method: { to: 'PUT' },
  suspended: flag,
  parameters: { to: { site: 'Other' } },
  retry: flag,
} satisfies Record<string, Change>

const oneEngine = { unused: 'one engine holds everything, and an answer that differs would tell strangers what exists' }
const separations = { shownBy: 'server/src/inbound/worker/separations.db.test.ts' }
const partMerges = { shownBy: 'server/src/inbound/worker/merges-of-parts.db.test.ts' }
const merges = { shownBy: 'server/src/inbound/worker/merges.db.test.ts' }
const nameless = { shownBy: 'server/src/inbound/worker/nameless-copies.db.test.ts' }
const twoVersions = { shownBy: 'server/src/inbound/storage/conflicts.db.test.ts' }
const byProvider = { shownBy: 'server/src/areas/identity/sign-in-by-provider.db.test.ts' }
const withMail = { shownBy: 'server/src/areas/user/user.db.test.ts' }
const byPin = { shownBy: 'server/src/areas/link/link-pin.db.test.ts' }
const byRequest = { shownBy: 'server/src/areas/link/link-request.db.test.ts' }
const inThePlace = ({ namespaceUuid }: ChangedPlace) => namespaceUuid

/**
 * For each parameter of each call two values that matter. A parameter that is declared and stands not here does not
 * compile; one that is taken and ignored fails its test.
 */
export const parameterChanges: {
  readonly [Name in CallName]: { readonly [Field in FieldsOf<Name>]: Change | Unused | ShownElsewhere }
} = {
  sessionLogin: {
    login: { to: 'nobody@hospital.example', with: { password: goodPassword } },
    password: { to: goodPassword },
    vanity: { from: 'changed', to: 'elsewhere', with: { password: goodPassword, login: ({ login }) => login } },
    new_password: { to: 'other2027OK', with: { password: goodPassword } },
    short: { ...flag, with: { password: goodPassword } },
  },
  sessionToken: {},
  sessionOauthToken: {
    grant_type: { to: 'password', with: { client_secret: goodPassword } },
    client_id: { to: 'nobody@hospital.example', with: { client_secret: goodPassword } },
    client_secret: { to: goodPassword },
    duration: { to: 600, with: { client_secret: goodPassword } },
  },
  sessionKeyAdd: {
    name: { to: ' ' },
    permissions: { to: ['study_download'] },
    days: { from: 30, to: 400 },
    namespace_id: { to: inThePlace },
  },
  sessionKeyList: {},
  sessionKeyEnd: { uuid: otherRow },
  sessionUser: { settings: { to: ['rows'] } },
  sessionPermissions: {
    account_id: { from: ({ accountUuid }) => accountUuid, to: nobody },
    namespace_id: { to: inThePlace, with: { account_id: undefined } },
  },
  sessionTtl: { sid: { to: 'made up' } },
  sessionLogout: {},
  sessionUuid: {},
  sessionList: {},
  sessionEnd: { session_id: otherRow, others: flag },
  sessionDerive: { studies: { to: [nobody] } },
  sessionDeviceList: {},
  sessionDeviceForget: { device_id: otherRow },
  sessionPin: {
    sid: { shownBy: 'server/src/areas/session/two-factor.db.test.ts' },
    pin: { shownBy: 'server/src/areas/session/two-factor.db.test.ts' },
    remember_device: { shownBy: 'server/src/areas/session/remembered-device.db.test.ts' },
  },
  sessionPinBegin: { sid: { shownBy: 'server/src/areas/session/two-factor.db.test.ts' } },
  sessionPinConfirm: {
    sid: { to: 'made up' },
    pin: { shownBy: 'server/src/areas/session/two-factor.db.test.ts' },
  },
  sessionPinState: {},
  sessionPinCodes: {},
  sessionPinRemove: {},
  sessionProve: {
    password: { to: 'not the right 1' },
    pin: { shownBy: 'server/src/areas/session/two-factor.db.test.ts' },
  },
  userPinReset: { uuid: otherRow },
  userGet: {
    uuid: { to: ({ otherUserUuid }) => otherUserUuid, with: { account_id: ({ accountUuid }) => accountUuid } },
    account_id: { to: nobody },
  },
  userSet: {
    uuid: otherRow,
    ...account,
    email: { to: 'other@hospital.example' },
    first: text,
    last: text,
    mobile_phone: { to: '+43 1 234' },
    share_code: { to: 'OTHER7' },
    share_description: text,
    time_zone: { to: 'Asia/Tokyo' },
    ui_json: { to: { other: 1 } },
    terms_md5: { to: '0'.repeat(32) },
    privacy_md5: { to: '0'.repeat(32) },
    indicator_md5: { to: '0'.repeat(32) },
    pin_required: { to: 1 },
    old_password: { to: 'wrong2026no', with: { password: 'other2027OK' } },
    password: { to: 'other2027OK', with: { old_password: goodPassword } },
    password_confirm: { to: 'another2027', with: { password: 'other2027OK', old_password: goodPassword } },
  },
  userPasswordLost: { email: { to: 'nobody@hospital.example' } },
  userPasswordReset: { token: withMail, password: withMail },
  userPasswordResetCheck: { token: withMail },
  userEnable: { uuid: otherRow, disable: flag },
  userAdd: {
    ...account,
    first: text,
    last: text,
    password: { to: 'short' },
    email: { to: 'no address' },
    mobile_phone: { to: '+43 1 234' },
  },
  userInvite: {
    ...account,
    email: { to: 'no address' },
    first: text,
    last: text,
    role_id: otherRow,
    groups: { to: ({ groupUuid }) => ({ [groupUuid]: '' }) },
    locations: { to: { [nobody]: '' } },
    link: { to: 'https://elsewhere.example/' },
    link_already: { to: 'https://elsewhere.example/' },
  },
  userWelcome: { ...account, email: { to: 'nobody@hospital.example' }, link: { to: 'https://elsewhere.example/' } },
  userDelete: { email: { to: ({ person }) => person.email } },
  userDeviceClear: {},
  userEvent: { namespace_id: otherRow, uuid: { to: nobody } },
  userEventSet: {
    namespace_id: otherRow,
    uuid: { to: nobody },
    event_share: flag,
    event_harvest: flag,
    event_approve: flag,
  },
  userNamespaceList: {
    account_id: otherRow,
    plus_phr: { ...flag, with: { account_id: ({ accountUuid }) => accountUuid } },
    name_and_id_only: flag,
  },
  accountList: { permissions: flag },
  accountAdd: {
    name: { to: ' ', prepare: asSystem },
    issuer: { to: 'WALKED', prepare: asSystem },
    administrator_email: { to: 'no address', prepare: asSystem },
    administrator_first: {
      from: 'Ada',
      to: 'Eve',
      with: { administrator_email: () => `${randomUUID()}@hospital.example`, administrator_last: 'Added' },
      prepare: asSystem,
    },
    administrator_last: {
      from: 'Added',
      to: 'Other',
      with: { administrator_email: () => `${randomUUID()}@hospital.example`, administrator_first: 'Ada' },
      prepare: asSystem,
    },
  },
  systemAccountList: {},
  systemAccountClosed: {},
  systemAccountAudit: { account_id: { ...otherRow, prepare: asSystem } },
  systemAccountUsers: {
    account_id: { ...otherRow, prepare: asSystem },
    search: { from: '', to: 'nobody at all', prepare: asSystem },
  },
  systemUserList: {},
  systemUserSet: {
    email: { to: 'nobody@hospital.example', prepare: asSystem },
    sysadmin: { ...flag, prepare: asSystem },
    support: { from: 0, to: 1, prepare: asSystem },
  },
  sessionProxy: {
    account_id: { ...otherRow, prepare: asSystem },
    user_id: { ...otherRow, prepare: asSystem },
    reason: { to: 'Other words', prepare: asSystem },
    short: { ...flag, prepare: asSystem },
  },
  accountSet: {
    uuid: { ...otherRow, prepare: asInstalled },
    password_expire: { from: 30, to: 90, prepare: asInstalled },
    session_expire: { to: 30, prepare: asInstalled },
    pin_required: { ...flag, prepare: asInstalled },
    vanity: { from: undefined, to: 'other.example', prepare: asInstalled },
    role_id: { to: ({ roleUuid }) => roleUuid, prepare: asInstalled },
    support_hours: { from: 0, to: 24, prepare: asInstalled },
    name: { to: () => `Named ${randomUUID()}` },
    issuer: text,
    setting_other_issuers: { to: 'HIS North, HIS South' },
    setting_outside_issuers: { to: 'South, West' },
    setting_help_address: { to: 'help@clinic.example' },
    setting_link_minutes: { to: '60' },
    setting_link_most_minutes: { to: '1440' },
    setting_link_reminder_hours: { to: '48' },
    setting_upload_megabytes: { to: '100' },
    setting_brand_logo: { to: 'data:image/png;base64,iVBORw0KGgo=' },
    setting_brand_color: { to: '#2f6fb0' },
    setting_tag_colors: { to: 'ER=red' },
    setting_allow_copies: { to: '1' },
    setting_inbox_allow_switch_between_modes: { to: '1' },
    setting_first_steps: { to: 'dismissed' },
    setting_enable_inbox_view: { to: '1' },
    setting_enable_dicom_wrapping: { to: '1' },
    setting_auto_wrap_images: { to: '1' },
    setting_enable_dicomdir_scan: { to: '0' },
    setting_enable_multipart_uploader: { to: '0' },
    setting_ui_json: { to: '{"theme":"dark"}' },
    settings: { to: { help_address: 'desk@clinic.example' } },
    must_approve: flag,
    must_approve_upload: flag,
    must_approve_harvest: flag,
    no_share: flag,
    share_code: { to: () => `W${randomUUID().slice(0, 8)}` },
    share_description: text,
    share_settings: { to: { must_approve: 0 } },
    ...seen,
  },
  accountDelete: { uuid: { shownBy: 'server/src/areas/account/delete.db.test.ts' } },
  accountSettings: {
    account_id: otherRow,
    vanity: { to: 'nowhere.example' },
    namespace_id: otherRow,
    settings: { from: 'help_address', to: 'enable_inbox_view' },
    brand_settings: { to: 'logo' },
  },
  accountSettingsValidate: { uuid: otherRow, settings: { to: { help_address: 'no address' } } },
  accountGet: {
    uuid: otherRow,
    permissions: flag,
    brand_settings: {
      to: 'colour',
      prepare: ({ accountUuid }) =>
        `insert into setting (scope, scope_uuid, key, value) values ('account', '${accountUuid}', 'brand_colour', 'green')
          on conflict do nothing`,
    },
  },
  accountNotices: account,
  accountStuck: account,
  accountStuckRetry: { account_id: otherRow, job: { to: 'no-such-job' } },
  accountStuckDismiss: { account_id: otherRow, destination_id: otherRow, rule_id: otherRow },
  // the reply counts people, and the walk makes some
  accountFirstSteps: { account_id: { shownBy: 'server/src/areas/account/first-steps.db.test.ts' } },
  accountIssuers: { account_id: { shownBy: 'server/src/areas/account/issuers.db.test.ts' } },
  accountTexts: account,
  accountTextsSet: {
    account_id: { ...otherRow, prepare: noTexts },
    kind: { to: 'privacy', prepare: noTexts },
    text: { to: 'Other', prepare: noTexts },
    seen: { to: { md5: 'As it was once' }, prepare: noTexts },
  },
  accountTextsVersions: { account_id: { ...otherRow, with: { 'fields._top': ['versions'] } } },
  // the sample adds people to the account with each request
  accountUserList: { uuid: { ...otherRow, with: { 'filter.user_id.equals': ({ person }) => person.userUuid } } },
  accountUserGet: member,
  accountUserAdd: {
    uuid: otherRow,
    ...signInChanges,
    user_id: { from: ({ otherUserUuid }) => otherUserUuid, to: nobody, with: { email: undefined } },
    email: { to: 'no address' },
    first: text,
    last: text,
    role_id: otherRow,
    groups: inGroup,
  },
  accountUserSet: {
    ...member,
    ...signInChanges,
    ...seen,
    role_id: { to: ({ roleUuid }) => roleUuid },
    first: text,
    last: text,
    email: { to: 'another@hospital.example' },
    groups: inGroup,
  },
  accountUserDelete: member,
  accountUserHoldings: member,
  accountUserLeavers: { uuid: otherRow },
  accountUserHandOver: {
    ...member,
    kind: { to: 'rules' },
    to_user_id: otherRow,
    end: { to: '1', with: { to_user_id: undefined } },
  },
  accountConnectList: account,
  accountCanShare: canShare,
  accountCanShareStop: canShare,
  accountCanShareList: account,
  accountConnectAsk: { ...account, account_name: { to: 'No such organisation' }, message: { to: 'x'.repeat(501) } },
  accountConnectAccept: { ...account, uuid: otherRow },
  accountConnectEnd: {
    ...account,
    uuid: otherRow,
    stop_sent: { shownBy: 'server/src/inbound/worker/sending.db.test.ts' },
  },
  accountConnectDefaults: { ...account, expires: { to: 60 }, share_code: { to: 'WALKED77' }, ...seen },
  // each request is made by a new person of the account and the group, whose people are counted
  roleList: { account_id: { ...otherRow, with: { 'fields.role': ['name'] } } },
  roleGet: { uuid: otherRow },
  roleAdd: { ...account, ...roleFields },
  roleSet: { uuid: otherRow, ...roleFields, ...seen },
  roleSettings: { uuid: otherRow, settings: { to: { ui_json: '{}' } } },
  roleDelete: { uuid: otherRow },
  roleUserList: { uuid: otherRow },
  roleDefaultPermissions: account,
  groupList: { account_id: { ...otherRow, with: { 'fields.group': ['name'] } } },
  groupGet: { uuid: { ...otherRow, with: { 'fields._top': ['name'] } } },
  groupAdd: { ...account, ...placeFields },
  groupSet: { uuid: otherRow, ...placeFields, ...seen },
  groupDelete: { uuid: otherRow },
  groupUserList: { uuid: otherRow },
  groupUserAdd: { ...member, ...eventFlags, role_id: inRole },
  groupUserDelete: member,
  locationList: account,
  locationGet: { uuid: otherRow },
  locationAdd: { ...account, ...placeFields },
  locationSet: { uuid: otherRow, ...placeFields, ...seen },
  locationDelete: { uuid: otherRow },
  locationUserList: { uuid: otherRow },
  locationUserAdd: { ...member, ...eventFlags, role_id: inRole },
  locationUserDelete: member,
  namespaceSettings: {
    uuid: otherRow,
    namespace_id: otherRow,
    // end without settings, so that other calls find the place as it was
    enable_dicom_wrapping: { from: '1', to: '', prepare: setForPlace('enable_dicom_wrapping', '1') },
    auto_wrap_images: { from: '1', to: '', prepare: setForPlace('auto_wrap_images', '1') },
    enable_multipart_uploader: { from: '1', to: '', prepare: setForPlace('enable_multipart_uploader', '1') },
    ui_json: { from: { theme: 'dark' }, to: '', prepare: setForPlace('ui_json', '{"theme":"dark"}') },
    // ends without flags, so that other calls find the place as it was
    study_field_flags: {
      from: { study_field_patient_name: 'H' },
      to: {},
      prepare: ({ namespaceUuid }) =>
        `delete from setting where scope_uuid = '${namespaceUuid}' and key = 'study_field_flags'`,
    },
  },
  namespaceShareCodeOpen: { share_code: { to: 'NONE1' } },
  namespaceShareCode: { share_code: { to: 'NONE1' }, namespace_id: otherRow },
  namespaceEngineFqdn: {
    namespace_id: needed,
    study_id: { to: ({ studyUuid }) => studyUuid, with: { namespace_id: undefined } },
    study_uid: oneEngine,
    storage_namespace: { to: nobody },
  },
  settingGet: {
    key: {
      to: 'other',
      prepare: ({ person }) =>
        `insert into setting (scope, scope_uuid, key, value) values ('user', '${person.userUuid}', 'rows', '25')`,
    },
    user_id: otherRow,
  },
  settingSet: { key: { to: 'other' }, value: { to: '50' }, user_id: otherRow },
  settingGetAll: {},
  studyList: { customfield_h: flag, filter_id: otherRow },
  studyCount: { cap: { to: 0 }, filter_id: otherRow },
  studyGet: { ...study, fields: { to: ['uuid'] }, customfield_h: flag },
  studyAdd: {
    study_uid: { to: '2.25.' },
    storage_namespace: otherRow,
    phi_namespace: otherRow,
    thin: flag,
    ...tags,
    ...columns,
  },
  studySet: {
    study_id: { from: ({ studyUuid }) => studyUuid, to: nobody },
    ...study,
    ...tags,
    ...columns,
    use_upload_permission: {
      ...flag,
      with: { study_description: 'Other' },
      prepare: ({ studyUuid, person, accountUuid }) => `
        update study set created_by = '${person.userUuid}' where uuid = '${studyUuid}';
        insert into role (uuid, account_uuid, name, permissions) values ('${uploadsRole}', '${accountUuid}', 'Uploads', '{study_view,study_upload}')
          on conflict do nothing;
        update account_user set role_uuid = '${uploadsRole}' where user_uuid = '${person.userUuid}'`,
    },
    issuer: { to: 'ELSEWHERE', with: { patientid: 'MRN-8' } },
    mrn_reason: {
      to: 'Known to be one person',
      with: { patientid: 'MRN-7', patient_name: 'OTHER^PERSON', patient_birth_date: '19500101' },
      prepare: ({ accountUuid, namespaceUuid }) => `
        insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name, search, patientid,
          patient_birth_date, patient_sex, arrival, created, updated)
        select '${namespaceUuid}', gen_random_uuid(), '2.25.4711', '${namespaceUuid}', '${accountUuid}', 'HELD^BY', 'held by',
          'MRN-7', '19800101', 'F', 'complete', now(), now()
        where not exists (select from study where study_uid = '2.25.4711' and phi_namespace = '${namespaceUuid}')`,
    },
    seen_mrns: { shownBy: 'server/src/inbound/worker/numbers-of-others.db.test.ts' },
    mrn_of_all: { shownBy: 'server/src/inbound/worker/numbers-of-others.db.test.ts' },
    rejection_code: { shownBy: 'server/src/areas/nomination/nomination.db.test.ts' },
    patient_confirmed: { ...flag, with: { patient_name: 'OTHER^PERSON' } },
    row_version: { to: 4711 },
    work_status: { to: 'done' },
    unread: { from: 0, to: 1 },
  },
  studySync: { ...study, study_id: { from: ({ studyUuid }) => studyUuid, to: nobody }, image_count: { to: 7 } },
  studyUploadCheck: {
    namespace_id: otherRow,
    instances: { to: [] },
    attachments: { to: [{ study_uid: '1.2', filename: 'report.pdf' }] },
  },
  studyLock: study,
  studyUnlock: study,
  studyStar: { ...study, star: flag },
  studyDelete: {
    uuid: otherRow,
    study_uid: { to: '2.25.77' },
    storage_namespace: otherRow,
    phi_namespace: otherRow,
  },
  studyDeletePeople: { namespace_id: { shownBy: 'server/src/areas/study/delete-people.db.test.ts' } },
  studyRevive: study,
  studyApprove: study,
  studyReject: { ...study, message: { shownBy: 'server/src/inbound/worker/approval.db.test.ts' } },
  studyRetract: {
    uuid: otherRow,
    study_uid: { to: '2.25.77' },
    storage_namespace: otherRow,
    phi_namespace: otherRow,
    reason: { to: '' },
  },
  studyUploadRetracted: {
    namespace_id: otherRow,
    study_uids: { shownBy: 'server/src/inbound/worker/retract.db.test.ts' },
  },
  studyDeidentifyPreview: { uuid: otherRow, recipient: nameless, dates: nameless },
  studyDeidentifyAdd: {
    uuid: otherRow,
    recipient: nameless,
    dates: nameless,
    digest: nameless,
    texts: nameless,
    pixels_seen: nameless,
  },
  studyDeidentifyList: { uuid: otherRow },
  studyDeidentifyKey: { uuid: otherRow, recipient: nameless },
  studyDuplicate: { uuid: otherRow, namespace_id: otherRow },
  studyShare: {
    ...study,
    ...recipients,
    email: { to: 'other@hospital.example' },
    password: { to: 'other2027OK' },
    password_is_dob: flag,
    pin_auth: { shownBy: 'server/src/inbound/worker/sending.db.test.ts' },
    attachments: { shownBy: 'server/src/inbound/worker/sending.db.test.ts' },
    mixed_patients: { shownBy: 'server/src/inbound/worker/mixed-given.db.test.ts' },
    download: { shownBy: 'server/src/areas/link/link-to-several.db.test.ts' },
    message: text,
    delay: { to: 60 },
    expires: { to: 60 },
  },
  studyShareStop: {
    ...study,
    ...recipients,
    user_invite_share_id: otherRow,
    share_id: otherRow,
    scheduled_only: flag,
    restore: flag,
  },
  studyShareExtend: { ...study, ...recipients, minutes_left: { to: 0 } },
  studyShareWho: { ...study, type: { to: 'group' }, search: { to: 'Nobody of this name' } },
  studyShareAccess: study,
  studyShareTrack: study,
  studyShareList: {
    ...study,
    name: {
      ...flag,
      prepare: ({ studyUuid, accountUuid, namespaceUuid }) =>
        `insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state)
          values (gen_random_uuid(), '${namespaceUuid}', '${studyUuid}', 'account', '${accountUuid}', 'delivered')`,
    },
  },
  studyAudit: { ...study, action: { to: 'AI_ACTION' }, detail: text },
  studyTimingEvent: { study_uid: { to: '1.3' }, storage_namespace: otherRow, event: { to: 'end' }, size: { to: 7 } },
  studyTimingLog: { uuid: otherRow },
  studyManualRoute: { uuid: otherRow, route_id: needed, email: { to: 'nobody' }, message: text },
  studyRelated: {
    ...study,
    fields: {
      to: ['uuid'],
      prepare: ({
        studyUuid,
        ownStudyUuid,
      }) => `update study set patient_name = 'ALIKE^ADA', search = 'alike ada', patientid = 'A1',
        patient_birth_date = '19800101' where uuid in ('${studyUuid}', '${ownStudyUuid}')`,
    },
  },
  studyConflicts: { ...study, sop_uid: twoVersions },
  studyConflictSettle: { ...study, sop_uid: twoVersions, series_uid: twoVersions, version: twoVersions },
  studyEditLimits: study,
  studyElsewhere: study,
  studyMrnHolders: study,
  studyPatients: study,
  studyRequests: study,
  studyMergePreview: { uuid: otherRow, secondary_uuid: otherRow, series_uids: partMerges, image_uids: partMerges },
  studyMerge: {
    uuid: otherRow,
    secondary_uuid: otherRow,
    series_uids: partMerges,
    image_uids: partMerges,
    digest: merges,
    reason: merges,
  },
  studySplitPreview: { uuid: otherRow, move: separations, image_uids: separations },
  studySplit: {
    uuid: otherRow,
    move: separations,
    image_uids: separations,
    namespace_id: separations,
    digest: separations,
    patient_name: separations,
    patientid: separations,
    patient_birth_date: separations,
    patient_sex: separations,
    accession_number: separations,
    study_description: separations,
    mrn_reason: separations,
    reason: separations,
  },
  studySplitList: { uuid: otherRow },
  studySplitUndo: { uuid: otherRow, separation_id: otherRow },
  studyUploadPeople: { namespace_id: otherRow, people: { to: [] } },
  tagList: { object: { to: 'Patient' } },
  tagAdd: { tag: text, object: { to: 'Patient' }, object_id: otherRow },
  tagDelete: {
    tag: {
      to: 'Other',
      prepare: ({ studyUuid }) => `update study set tags = array['Walked'] where uuid = '${studyUuid}'`,
    },
    object: { to: 'Patient' },
    object_id: otherRow,
  },
  customfieldList: account,
  customfieldGet: { uuid: otherRow },
  customfieldAdd: {
    ...account,
    name: text,
    object: { to: 'Order' },
    type: { to: 'number' },
    ...definition,
  },
  customfieldSet: { uuid: otherRow, name: text, ...definition, ...seen },
  customfieldDelete: { uuid: otherRow },
  customfieldUsage: { uuid: otherRow },
  customfieldLookup: { account_id: { ...otherRow, prepare: addField }, name: { to: 'Nowhere', prepare: addField } },
  nodeList: account,
  nodeCalled: account,
  nodeGet: { uuid: otherRow },
  nodeAdd: { ...account, name: text, type: { to: 'HARVESTER' }, aetitle: { to: 'WALKED_3' } },
  nodeSet: { uuid: otherRow, name: text, aetitle: { to: 'WALKED_3' }, ...seen },
  nodeDelete: { uuid: otherRow },
  destinationList: account,
  destinationGet: { uuid: otherRow },
  destinationAdd: { ...account, ...ofDestination },
  destinationSet: { uuid: otherRow, ...ofDestination, ...seen },
  destinationDelete: { uuid: otherRow },
  destinationTest: { uuid: otherRow, send_image: { shownBy: 'server/src/inbound/worker/destinations.db.test.ts' } },
  destinationSearch: {
    uuid: otherRow,
    copy_to: otherRow,
    patient_name: text,
    patientid: text,
    accession_number: text,
    study_description: text,
    modality: { to: 'CT' },
    start_datetime: { to: '2026-01-02' },
    worklist: { shownBy: 'server/src/inbound/worker/worklists-of-destinations.db.test.ts' },
    end_datetime: { to: '2026-01-02' },
  },
  destinationSearchGet: { uuid: otherRow },
  destinationRetrieve: { destination_search_id: otherRow, study_uid: { to: '1.2.4' } },
  studyPushConfirm: {
    uuid: otherRow,
    order_id: otherRow,
    order_seen: { shownBy: 'server/src/inbound/worker/orders-of-nominations.db.test.ts' },
    row_version: { from: undefined, to: 77 },
    mrn_reason: { shownBy: 'server/src/inbound/worker/patients-of-destinations.db.test.ts' },
    question: { shownBy: 'server/src/inbound/worker/patients-of-destinations.db.test.ts' },
    seen_mrns: { shownBy: 'server/src/inbound/worker/numbers-of-others.db.test.ts' },
  },
  studyNominateForm: { uuid: otherRow },
  studyPush: {
    uuid: otherRow,
    destination_id: otherRow,
    late_images: { shownBy: 'server/src/inbound/worker/destinations.db.test.ts' },
    mrn_reason: { shownBy: 'server/src/inbound/worker/patients-of-destinations.db.test.ts' },
    question: { shownBy: 'server/src/inbound/worker/patients-of-destinations.db.test.ts' },
  },
  orderList: account,
  orderGet: { uuid: otherRow },
  orderHistory: { uuid: otherRow },
  orderAdd: { ...account, ...orderFields },
  orderSet: { uuid: otherRow, ...orderFields, ...seen },
  orderDelete: { uuid: otherRow },
  orderCancel: { uuid: otherRow, undo: { to: 1 } },
  orderTake: { destination_search_id: otherRow, item: { to: 7 } },
  orderReportList: account,
  orderReportGet: { uuid: otherRow, document: { to: 7 } },
  orderReportAttach: { uuid: otherRow, study_id: otherRow },
  orderReportDelete: { uuid: otherRow },
  orderSpsFind: account,
  orderSpsAdd: { order_id: otherRow, ...stepFields },
  orderSpsSet: { uuid: otherRow, ...stepFields, ...seen },
  orderSpsDelete: { uuid: otherRow, ...seen },
  orderSpsStatus: { uuid: otherRow, mpps_uid: { to: '1.2.3' }, mpps_status: { to: 'DISCONTINUED' } },
  filterList: {
    type: { to: 'Link', prepare: addSearch },
    account_id: { from: undefined, to: nobody, prepare: addSearch },
  },
  filterAdd: {
    name: text,
    type: { to: 'Link' },
    configuration: { to: { 'modality.in': ['MR'] } },
    account_id: { to: ({ accountUuid }) => accountUuid },
    namespace_id: { to: inThePlace },
  },
  filterGet: { uuid: otherRow },
  filterSet: {
    uuid: otherRow,
    name: text,
    type: { to: 'Link' },
    configuration: { to: { 'modality.in': ['MR'] } },
    account_id: { to: ({ accountUuid }) => accountUuid },
    namespace_id: { to: inThePlace },
  },
  filterDelete: { uuid: otherRow },
  filterShare: { uuid: otherRow, ...shareTargets },
  filterShareStop: { uuid: otherRow, ...shareTargets },
  filterShareList: { uuid: otherRow },
  auditObject: {
    download: { shownBy: 'server/src/areas/report/report.db.test.ts' },
    uuid: otherRow,
    reverse: {
      ...flag,
      prepare: ({ studyUuid, accountUuid }) => `insert into audit (account_uuid, object_uuid, action, type, at)
        values ('${accountUuid}', '${studyUuid}', 'CREATE', 'Study', now() - interval '1 hour'), ('${accountUuid}', '${studyUuid}', 'EDIT', 'Study', now())`,
    },
  },
  auditAccount: {
    download: { shownBy: 'server/src/areas/report/report.db.test.ts' },
    account_id: otherRow,
    reverse: {
      ...flag,
      prepare: ({ accountUuid }) => `delete from audit where account_uuid = '${accountUuid}';
        insert into audit (account_uuid, action, type, at) values ('${accountUuid}', 'CREATE', 'Group', now() - interval '1 hour'), ('${accountUuid}', 'EDIT', 'Group', now())`,
    },
  },
  auditUser: {
    download: { shownBy: 'server/src/areas/report/report.db.test.ts' },
    study_fields: { to: ['made_up'] },
    account_id: otherRow,
    user_id: {
      ...otherRow,
      prepare: ({ accountUuid, person }) => `delete from audit where account_uuid = '${accountUuid}';
        insert into audit (account_uuid, actor, action, type) values ('${accountUuid}', '${person.userUuid}', 'CREATE', 'Group')`,
    },
    reverse: {
      ...flag,
      prepare: ({ accountUuid, person }) => `delete from audit where account_uuid = '${accountUuid}';
        insert into audit (account_uuid, actor, action, type, at) values ('${accountUuid}', '${person.userUuid}', 'CREATE', 'Group', now() - interval '1 hour'), ('${accountUuid}', '${person.userUuid}', 'EDIT', 'Group', now())`,
    },
  },
  auditDeleted: {
    account_id: otherRow,
    type: {
      to: 'Role',
      prepare: ({ accountUuid }) => `delete from audit where account_uuid = '${accountUuid}';
        insert into audit (account_uuid, object_uuid, action, type)
        values ('${accountUuid}', '${accountUuid}', 'DELETE', 'Group')`,
    },
  },
  auditCheck: {
    // one that runs is not begun again
    account_id: {
      ...otherRow,
      prepare: ({ accountUuid }) => `delete from audit_check where account_uuid = '${accountUuid}'`,
    },
  },
  auditCheckGet: account,
  auditPatient: {
    ...account,
    patientid: { ...text, prepare: audited },
    issuer: { from: 'Here', to: 'Other', prepare: audited },
  },
  auditRefused: account,
  outsideList: { ...account, everyone: { shownBy: 'server/src/areas/outside/outside.db.test.ts' } },
  outsideEnd: { ...account, share_id: otherRow, link_id: otherRow },
  retentionGet: account,
  retentionSet: {
    account_id: { ...otherRow, prepare: noRule },
    namespace_id: { ...otherRow, prepare: noRule },
    retention_days: { to: 'ten', prepare: noRule },
    check: { shownBy: 'server/src/areas/retention/retention.db.test.ts' },
    seen: { to: { name: 'As it was once' }, prepare: noRule },
  },
  retentionKept: account,
  retentionBin: account,
  retentionPurged: account,
  retentionPatient: { ...account, patientid: { ...text, prepare: audited } },
  retentionHold: { ...account, ...retentionTarget },
  retentionRelease: { ...account, ...retentionTarget },
  retentionDate: { ...account, study_id: otherRow, retain_until: { to: 'soon' }, reason: { to: ' ' }, ...seen },
  linkAdd: {
    study_id: otherRow,
    study_ids: { to: 'none' },
    include_priors: { shownBy: 'server/src/areas/link/link-to-several.db.test.ts' },
    mixed_patients: { shownBy: 'server/src/inbound/worker/mixed-given.db.test.ts' },
    action: { to: 'STUDY_UPLOAD' },
    password: { to: 'walked42' },
    password_is_dob: flag,
    max_hits: { to: 3 },
    minutes_alive: { to: 0 },
    email: { to: 'walked@clinic.example' },
    pin_auth: byPin,
    message: text,
    download: flag,
    attachments: flag,
    namespace_id: byRequest,
    notify: byRequest,
    patient_name: text,
    patient_birth_date: { to: '19800101' },
    patient_sex: { to: 'F' },
    patientid: text,
    study_date: { to: '20260301' },
    modality: { to: 'MR' },
    study_description: text,
    max_megabytes: { to: 0 },
  },
  linkList: { study_id: otherRow, namespace_id: byRequest, account_id: byRequest, ended: byRequest },
  linkGet: { uuid: otherRow },
  linkPriors: { study_id: otherRow },
  linkSet: {
    uuid: otherRow,
    minutes_left: { to: 0 },
    max_hits: { to: 3 },
    password: { to: 'walked42' },
    download: flag,
    attachments: flag,
    max_megabytes: { to: 0 },
    unlock: flag,
    restore: flag,
  },
  linkMail: { uuid: otherRow, email: { to: 'nobody' } },
  linkDelete: { uuid: otherRow },
  linkStatus: { token: { to: 'no such link' }, again: byRequest },
  linkPinSend: { token: { to: 'no such link' } },
  linkSession: { token: { to: 'no such link' }, password: { to: '19800102' }, pin: byPin, again: byRequest },
  linkStudies: {},
  linkBrand: {},
  linkRequest: {},
  linkUploadBegin: { studies: byRequest, sender: byRequest },
  linkUploadCheck: { images: byRequest },
  linkUploadEnd: { study_uid: byRequest },
  mailCancel: { account_id: otherRow, uuid: otherRow },
  mailOutbox: {
    ...account,
    left: { ...flag, prepare: ({ accountUuid }) => mailTo(accountUuid) },
    search: { from: '', to: 'nobody at all', prepare: ({ accountUuid }) => mailTo(accountUuid) },
  },
  mailRetry: { account_id: otherRow, uuid: otherRow },
  mailTest: account,
  jobGet: { id: otherRow },
  reportStatus: { report_id: otherRow },
  roleReportDetail: account,
  accountUserReportLogin: { uuid: otherRow, user_id: { to: nobody } },
  studyReportDetail: { ...account, limit: { to: 0 }, filter_id: otherRow },
  jobList: {
    account_id: {
      to: nobody,
      from: undefined,
    },
  },
  jobCancel: { uuid: otherRow },
  jobRetry: { uuid: otherRow },
  routeList: account,
  routeGet: { uuid: otherRow },
  routeAdd: { ...rulePlaces, name: text, ...ruleValues },
  routeSet: {
    uuid: otherRow,
    name: text,
    namespace_id: { to: ({ otherGroup }) => otherGroup.namespaceUuid },
    row_version: { from: 1, to: 7 },
    ...ruleValues,
  },
  routeDelete: { uuid: otherRow, undo: flag, row_version: { from: 1, to: 7 } },
  routeMove: {
    uuid: otherRow,
    sequence: {
      to: 2,
      prepare: ({ accountUuid, namespaceUuid, person }) => `insert into routing_rule
        (uuid, account_uuid, namespace_uuid, name, sequence, saved_by)
        values (gen_random_uuid(), '${accountUuid}', '${namespaceUuid}', 'Second', 2, '${person.userUuid}')`,
    },
  },
  routeRuns: { uuid: otherRow },
  routeRunAgain: { uuid: otherRow, run_id: otherRow },
  routeRunsAgain: {
    uuid: otherRow,
    after_run_id: { shownBy: 'server/src/inbound/worker/deleted-targets.db.test.ts' },
  },
  routeTest: {
    ...rulePlaces,
    uuid: { shownBy: routeTests },
    days: { from: undefined, to: 0 },
    conditions: { to: [{ lv: 'modality', op: 'equals', rv: 'Other' }] },
    actions: { from: [], to: [{ namespace: nobody }] },
    options: { from: {}, to: { round_robin: 1 } },
    schedule: { from: {}, to: { mon: 1, start: 'noon' } },
    ...changesOf(routeFlags, (name) => (name === 'on_manual_route' ? { shownBy: routeTests } : notInTest)),
    suspended: notInTest,
    delay: { from: 0, to: -1 },
    delay_seconds: { from: 0, to: -1 },
    other_namespaces: { from: '', to: nobody },
    // without that flag nobody starts the rule by hand, and roles that are gone are kept unseen
    manual_roles: { from: '', to: nobody, with: { on_manual_route: 1 } },
    delay_from_study_field: { from: '', to: 'noon' },
    delay_from_study_seconds: { from: 0, to: -1 },
  },
  routeTargets: { account_id: { shownBy: 'server/src/inbound/http/foreign-rows.db.test.ts' } },
  identityProviderGet: account,
  identityProviderSet: {
    ...account,
    is_on: { to: 0 },
    button: text,
    issuer: { to: 'https://other.example' },
    client_id: text,
    client_secret: { to: 'another' },
    scopes: { to: 'openid email' },
    email_claim: text,
    first_claim: text,
    last_claim: text,
    groups_claim: text,
    domains: { to: ['other.example'] },
    rules: { to: ({ roleUuid }) => [{ value: 'readers', role_id: roleUuid }] },
    unmapped_role_id: { to: ({ roleUuid }) => roleUuid },
    creates_people: { to: 1 },
    sso_only: byProvider,
    trusts_second_factor: { to: 1 },
    acr_values: text,
    row_version: { from: 1, to: 7 },
  },
  identityProviderDelete: account,
  identityProviderTest: account,
  identityOffer: { vanity: byProvider, provider: { to: nobody } },
  identityBegin: { provider: { to: nobody } },
  identityLinkBegin: { provider: otherRow, purpose: { to: 'other' } },
  identityFinish: { sid: byProvider, state: byProvider, code: byProvider, iss: byProvider, error: byProvider },
  identityList: {},
  identityEnd: { provider: otherRow },
  webhookList: account,
  webhookGet: { uuid: otherRow },
  webhookAdd: { ...account, name: text, ...webhookValues },
  webhookSet: { uuid: otherRow, name: text, ...webhookValues, new_secret: flag, row_version: { from: 1, to: 7 } },
  webhookDelete: { uuid: otherRow },
  webhookTest: { uuid: otherRow },
  webhookTrigger: { uuid: otherRow, study_id: otherRow },
  webhookDeliveries: { uuid: otherRow },
  webhookTryAgain: { uuid: otherRow, delivery_id: otherRow },
  webhookEvent: {
    namespace_id: otherRow,
    type: { to: 'STUDY_UPLOAD_END' },
    integration_key: text,
    study_count: { to: 7 },
  },
}

function addField({ accountUuid }: ChangedPlace): string {
  return `insert into customfield (uuid, account_uuid, name, object, type)
    select gen_random_uuid(), '${accountUuid}', 'Walked', 'Study', 'text'
    where not exists (select from customfield where account_uuid = '${accountUuid}' and name = 'Walked')`
}
function addSearch({ person, accountUuid }: ChangedPlace): string {
  return `insert into saved_search (uuid, name, type, configuration, owner_uuid, account_uuid)
    values (gen_random_uuid(), 'Mine', 'Study', '{}', '${person.userUuid}', '${accountUuid}')`
}
function changesOf<const Names extends readonly string[], One extends Change | Unused | ShownElsewhere>(
  names: Names,
  change: (name: string) => One,
): Record<Names[number], One> {
  return Object.fromEntries(names.map((name) => [name, change(name)])) as Record<Names[number], One> // one for each
}
