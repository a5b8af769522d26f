import * as z from 'zod/mini'
import { designations, inboxConfig } from '../inbox-config.ts'
import { customField, flagOut } from './page-fields.ts'

/** A group or a location, as the wire gives it. */
export const placeObject = z.object({
  uuid: z.string(),
  name: z.string(),
  account_id: z.string(),
  namespace_id: z.string(),
  must_approve: flagOut,
  must_approve_upload: flagOut,
  must_approve_harvest: flagOut,
  must_approve_move: flagOut,
  no_share: flagOut,
  share_code: z.string(),
  share_description: z.string(),
  share_settings: z.unknown(),
  role_id: z.string(),
  role_name: z.string(),
  tags: z.array(z.string()),
  customfields: z.array(customField),
  group_designation: z.enum(designations),
  user_count: z.number(),
})
export type Place = z.infer<typeof placeObject>

/** Besides, to those who run the place: how its inbox works, and which DICOM programs may send to it. */
export const placeDetail = z.extend(placeObject, {
  inbox_config: z.optional(inboxConfig),
  /** The AE title by which DICOM programs call the place; empty where none can. */
  dicom_ae_title: z.optional(z.string()),
  /** Hosts that may send: `CT_1`, `10.1.0.0/16` or `CT_1@10.1.0.0/16`; empty for programs of this machine alone. */
  dicom_allowed_peers: z.optional(z.array(z.string())),
  /** 1 where nobody may send, not even programs of this machine; an empty list leaves it so. */
  is_closed_to_senders: z.optional(z.number()),
  /** DICOM peers that may query and retrieve all studies of the place, in the same words; empty for nobody. */
  dicom_query_peers: z.optional(z.array(z.string())),
  /** DICOM peers that may ask for the worklist of the place's orders, in the same words; empty for nobody. */
  dicom_worklist_peers: z.optional(z.array(z.string())),
  /** Sending applications (MSH-3) and addresses that may send orders by HL7, in the same words; empty for programs of this machine alone. */
  hl7_senders: z.optional(z.array(z.string())),
})
export type PlaceDetail = z.infer<typeof placeDetail>

/** A person of a group or a location. */
export const placeMember = z.object({
  user_id: z.string(),
  user_name: z.string(),
  user_email: z.string(),
  /** Disabled altogether, or in the account. */
  disabled: flagOut,
  /** A role of the person's own here; empty where the default holds. */
  role_id: z.string(),
  role_name: z.string(),
  /** The role that holds: the own one, else the default here, else the one in the account. */
  held_role_id: z.string(),
  held_role_name: z.string(),
  /** Of what in the place the person is mailed. */
  event_share: flagOut,
  event_harvest: flagOut,
  event_approve: flagOut,
})
export type PlaceMember = z.infer<typeof placeMember>
