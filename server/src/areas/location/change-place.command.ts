import type { groupSet } from '@hilum/contract/calls/group'
import type { InputOf } from '@hilum/contract/call'
import { ApiError } from '@hilum/contract/errors'
import { type InboxConfig, inboxConfig } from '@hilum/contract/inbox-config'
import { readShareSettings, uploadsByKey } from '@hilum/contract/share-settings'
import type { Tx } from '../../db/database.ts'
import { demandRole, isRoleWithin, type Own } from '../account/promotion.policy.ts'
import { listCustomFieldUuids } from '../customfield/customfield.sql.ts'
import { presentNamespaceSettings } from '../namespace/namespace-settings.ts'
import { changePeers } from '../node/change-peers.command.ts'
import { findRole } from '../role/role.sql.ts'
import { listSettings, putSetting } from '../setting/setting.sql.ts'
import { isShareCodeTaken } from '../user/user.sql.ts'
import { withGateFields } from '../group/with-gate-fields.command.ts'
import { listRolesByDefault } from '../group/group-member.sql.ts'
import { findGroupByName, type GroupRow, hasStudies, listGatekeepers, type PlaceKind } from '../group/group.sql.ts'
import { type StoredGroup, updateGroup } from '../group/group-write.sql.ts'
import { readInboxConfig, readPlaceName, readWords } from '../group/place.policy.ts'

/** The fields that are sent to change a place; all others stay. */
export type PlaceInput = Omit<InputOf<typeof groupSet>, 'uuid'>

interface Changed {
  row: GroupRow
  kind: PlaceKind
  /** The caller's permissions in the account: nobody gives more as the default role. */
  own: Own
  byUser: string
}

/**
 * Changes a group or location inside a transaction that holds the account.
 * @returns old and new value by field, empty when nothing changed
 * @throws ApiError as the calls group/add and group/set declare
 */
export async function changePlace(
  tx: Tx,
  { row, kind, own, byUser }: Changed,
  input: PlaceInput,
): Promise<{ detail: Record<string, [unknown, unknown]> }> {
  const settings = await listSettings(tx, 'namespace', row.namespace_uuid)
  const before = presentNamespaceSettings(settings, false).inbox_config ?? emptyConfig(row)
  const config = input.inbox_config
    ? await withGateFields(tx, row.account_uuid, readInboxConfig(before, input.inbox_config, kind))
    : before
  if (input.inbox_config) await demandKnown(tx, row.account_uuid, config)
  if (config.group_designation !== row.designation && (await hasStudies(tx, row.namespace_uuid))) {
    throw new ApiError('NOT_EMPTY', { subtype: 'group_designation' })
  }
  const after: StoredGroup = {
    uuid: row.uuid,
    name: await readName(tx, row, input),
    designation: config.group_designation,
    ...flagsOf(row, input, config),
    share_code: await readShareCode(tx, row, input),
    share_description:
      input.share_description === undefined
        ? row.share_description
        : readWords('share_description', input.share_description),
    share_settings: input.share_settings
      ? settingsBy(row.share_settings, input.share_settings, byUser)
      : row.share_settings,
    default_role_uuid: await readRole(tx, { row, kind, own, byUser }, input),
  }
  const peers = await changePeers(tx, row.namespace_uuid, settings, {
    ...(input.dicom_ae_title === undefined ? {} : { title: input.dicom_ae_title.trim() }),
    ...(input.dicom_allowed_peers ? { allowedPeers: input.dicom_allowed_peers } : {}),
    ...(input.dicom_query_peers ? { queryPeers: input.dicom_query_peers } : {}),
    ...(input.dicom_worklist_peers ? { worklistPeers: input.dicom_worklist_peers } : {}),
    ...(input.hl7_senders ? { orderSenders: input.hl7_senders } : {}),
  })
  const detail = { ...changesBetween(row, after), ...configChanges(before, config), ...peers }
  await updateGroup(tx, after)
  if (input.inbox_config) await putSetting(tx, 'namespace', row.namespace_uuid, 'inbox_config', JSON.stringify(config))
  return { detail }
}

/** The settings that were sent, and who let everybody with the share code upload. */
function settingsBy(before: Record<string, unknown>, sent: Record<string, unknown>, byUser: string) {
  const { [uploadsByKey]: _said, ...settings } = sent
  if (!readShareSettings(sent).takesUploads) return settings
  const known = readShareSettings(before).takesUploads ? before[uploadsByKey] : undefined
  return { ...settings, [uploadsByKey]: known ?? byUser }
}

function emptyConfig(row: GroupRow): InboxConfig {
  return inboxConfig.parse({ group_designation: row.designation })
}

/** Gatekeeper groups and custom fields that a configuration names belong to the account. */
async function demandKnown(tx: Tx, accountUuid: string, config: InboxConfig): Promise<void> {
  const [groups, fields] = [config.pacs_promote_groups, config.pacs_form_customfields]
  const gatekeepers = new Set(await listGatekeepers(tx, accountUuid, groups))
  const known = new Set(await listCustomFieldUuids(tx, accountUuid, fields))
  const isKnown = groups.every((one) => gatekeepers.has(one.toLowerCase()))
  if (!isKnown || !fields.every((one) => known.has(one.toLowerCase()))) {
    throw new ApiError('INVALID_FIELD', { subtype: 'inbox_config' })
  }
}

async function readName(tx: Tx, row: GroupRow, input: PlaceInput): Promise<string> {
  if (input.name === undefined) return row.name
  const name = readPlaceName(input.name)
  const taken = name === row.name ? undefined : await findGroupByName(tx, row.account_uuid, name)
  if (taken && taken !== row.uuid) throw new ApiError('DUP_NAMESPACE_NAME')
  return name
}

async function readShareCode(tx: Tx, row: GroupRow, input: PlaceInput): Promise<string> {
  if (input.share_code === undefined) return row.share_code
  const code = readWords('share_code', input.share_code)
  if (code !== '' && (await isShareCodeTaken(tx, code, row.uuid))) throw new ApiError('DUP_SHARE_CODE')
  return code
}

/** Nobody changes by the default role what somebody holds who may do more there, as for the role of one person. */
async function readRole(tx: Tx, { row, kind, own, byUser }: Changed, input: PlaceInput): Promise<string | null> {
  if (input.role_id === undefined || (input.role_id || null) === row.default_role_uuid) return row.default_role_uuid
  const held = await listRolesByDefault(tx, row.uuid, byUser)
  if (!held.every((role) => isRoleWithin(own, role))) throw new ApiError('NOT_PERMITTED', { subtype: 'ROLE_ABOVE' })
  if (input.role_id === '') return null
  return demandRole(own, await findRole(tx, row.account_uuid, input.role_id), kind).uuid
}

const flags = ['must_approve', 'must_approve_upload', 'must_approve_harvest', 'must_approve_move', 'no_share'] as const

/** A study that comes into a gatekeeper group always waits for approval. */
function flagsOf(row: GroupRow, input: PlaceInput, { group_designation }: InboxConfig) {
  const isGatekeeper = group_designation === 'GATEKEEPER'
  if (isGatekeeper && input.must_approve === 0) throw new ApiError('INVALID_FIELD', { subtype: 'must_approve' })
  const read = (flag: (typeof flags)[number]) => (input[flag] === undefined ? row[flag] : input[flag] === 1)
  return {
    must_approve: isGatekeeper || read('must_approve'),
    must_approve_upload: read('must_approve_upload'),
    must_approve_harvest: read('must_approve_harvest'),
    must_approve_move: read('must_approve_move'),
    no_share: read('no_share'),
  }
}

function changesBetween(before: GroupRow, after: StoredGroup): Record<string, [unknown, unknown]> {
  const keys = ['name', 'designation', ...flags, 'share_code', 'share_description'] as const
  const changed = keys.filter((key) => before[key] !== after[key]).map((key) => [key, [before[key], after[key]]])
  const role =
    before.default_role_uuid === after.default_role_uuid
      ? {}
      : { role_id: [before.default_role_uuid, after.default_role_uuid] as [unknown, unknown] }
  const settings =
    JSON.stringify(before.share_settings) === JSON.stringify(after.share_settings)
      ? {}
      : { share_settings: [before.share_settings, after.share_settings] as [unknown, unknown] }
  return { ...Object.fromEntries(changed), ...role, ...settings }
}

function configChanges(before: InboxConfig, after: InboxConfig): Record<string, [unknown, unknown]> {
  const keys = Object.keys(after).filter((key) => key !== 'group_designation')
  return Object.fromEntries(
    keys
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => [key, [before[key] ?? null, after[key]]]),
  )
}
