import * as z from 'zod/mini'
import type { Act } from '../acts.ts'
import * as wire from '../wire.ts'

/* Groups and locations have the same calls with the same fields (api-facts §3); only paths and rights differ. */

/** A call that acts on a group, or with `of` on a location. */
export function onPlace(may: Act, of?: 'location') {
  return { kind: 'group', by: ['uuid'] as readonly string[], may, ...(of ? { of } : {}) } as const
}

export const placeFilters = {
  uuid: 'uuid',
  name: 'text',
  namespace_id: 'uuid',
  group_designation: 'text',
  role_id: 'uuid',
  role_name: 'text',
  share_code: 'text',
  must_approve: 'flag',
  must_approve_upload: 'flag',
  must_approve_harvest: 'flag',
  no_share: 'flag',
} as const
export const placeSorts = ['name', 'group_designation', 'role_name', 'user_count'] as const

/** Members by name, address and role of their own. */
export const memberList = {
  object: 'user',
  rowsKey: 'users',
  filters: {
    user_id: 'uuid',
    user_name: 'text',
    'user.first': 'text',
    'user.last': 'text',
    user_email: 'text',
    role_id: 'uuid',
    role_name: 'text',
  },
  sorts: ['user_name', 'user.first', 'user.last', 'user_email', 'role_name'],
  defaultRows: 100,
} as const

/** Settings by name; an empty value takes one back. */
export const settingsHash = wire.json(z.record(z.string(), z.unknown()))

const flag = z.optional(wire.flag())

/** The fields of a place that can be set, all of them optional. */
export const placeChange = {
  must_approve: flag,
  must_approve_upload: flag,
  must_approve_harvest: flag,
  must_approve_move: flag,
  no_share: flag,
  share_code: z.optional(wire.clearableText()),
  share_description: z.optional(wire.clearableText()),
  share_settings: z.optional(wire.json(z.record(z.string(), z.unknown()))),
  /** The role of members without one of their own; empty for the one that each has in the account. */
  role_id: z.optional(wire.idOrNone()),
  /** Ours: the keys of `inbox_config` that change. */
  inbox_config: z.optional(wire.json(z.record(z.string(), z.unknown()))),
  /** Ours: empty to let no DICOM program call the place. */
  dicom_ae_title: z.optional(wire.clearableText()),
  /** Ours: an empty list for programs of this machine alone. */
  dicom_allowed_peers: z.optional(wire.textList()),
  /** Ours: an empty list for nobody. */
  dicom_query_peers: z.optional(wire.textList()),
  /** Ours: an empty list for nobody. */
  dicom_worklist_peers: z.optional(wire.textList()),
  /** Ours: who may send orders by HL7; an empty list for programs of this machine alone. */
  hl7_senders: z.optional(wire.textList()),
}

const changeErrors = [
  'ALREADY_EXISTS',
  'CAN_NOT_PROMOTE',
  'DUP_NAMESPACE_NAME',
  'DUP_SHARE_CODE',
  'INVALID_CUSTOMFIELD',
  'INVALID_FIELD',
  'INVALID_FLAG',
  'INVALID_JSON',
  'ROLE_NAMESPACE_MISMATCH',
  'ROLE_NOT_FOUND',
] as const
export const addErrors = ['ACCOUNT_NOT_FOUND', ...changeErrors] as const
export const setErrors = [...changeErrors, 'NOT_EMPTY', 'STALE'] as const
export const memberErrors = [
  'CAN_NOT_PROMOTE',
  'INVALID_FLAG',
  'ROLE_NAMESPACE_MISMATCH',
  'ROLE_NOT_FOUND',
  'USER_NOT_FOUND',
] as const
/** Of what in the place a member is mailed; those that are not sent stay. */
export const memberEvents = {
  event_share: z.optional(wire.flag()),
  event_harvest: z.optional(wire.flag()),
  event_approve: z.optional(wire.flag()),
}
export const memberInput = { uuid: wire.id(), user_id: wire.id() }
