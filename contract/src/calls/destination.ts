import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import { maxDestinationAssociations } from '../limits.ts'
import * as wire from '../wire.ts'

/** Kinds of destinations; of the wire's, DICOM nodes alone are there. */
const destinationTypes = ['DICOM'] as const
/** How studies come from a destination: by whichever way the peer takes, or by one alone. */
export const retrieveMethods = ['auto', 'move', 'get'] as const

/** The steps of a destination's test, in this order. */
const testSteps = ['connect', 'echo', 'search', 'worklist', 'retrieve', 'store', 'commit', 'image'] as const
/** `refused`: the peer answers and does not offer it. `failed`: something went wrong; the message says what. */
const testOutcomes = ['ok', 'refused', 'failed'] as const

/** The outcome of a test. A step that the one before made pointless is left out. */
const destinationHealth = z.object({
  tested_at: z.string(),
  ok: flagOut,
  steps: z.array(
    z.object({
      step: z.enum(testSteps),
      outcome: z.enum(testOutcomes),
      /** Words of the server about the peer's answer; empty when there is nothing to say. */
      message: z.string(),
    }),
  ),
})
export type DestinationHealth = z.infer<typeof destinationHealth>

const destinationEcho = z.object({
  asked_at: z.string(),
  ok: flagOut,
  /** Since when it answers, or does not. */
  since: z.string(),
  /** Why it does not answer, in words; empty where it does. */
  message: z.string(),
})

const destinationObject = z.object({
  uuid: z.string(),
  account_id: z.string(),
  name: z.string(),
  type: z.enum(destinationTypes),
  node_id: z.string(),
  node_aetitle: z.string(),
  aetitle: z.string(),
  /** Empty, with port 0 and no certificate, for whoever uses destinations in places of the account alone. */
  address: z.string(),
  port: z.number(),
  uses_tls: flagOut,
  /** PEM; public, as every peer shows it. Empty where a certificate must be one that this machine trusts. */
  tls_certificate: z.string(),
  can_search: flagOut,
  can_search_mwl: flagOut,
  can_query_retrieve: flagOut,
  can_push: flagOut,
  /** Exams are sent although it could not be asked first whether it holds them under another patient. */
  push_unchecked: flagOut,
  /** Exams are sent also where another assigning authority than the organisation gave their MRN. */
  push_foreign: flagOut,
  /** Asked after each push to commit itself to the storage of the images. */
  can_commit: flagOut,
  retrieve_method: z.enum(retrieveMethods),
  /** Groups and locations that may use it; null: every place of the account. */
  group_ids: z.nullable(z.array(z.string())),
  max_associations: z.number(),
  sort_order: z.nullable(z.number()),
  /** The last test; null before the first, and after a change of the address. */
  health: z.nullable(destinationHealth),
  /** The last C-ECHO, which the server sends every few minutes; null before the first, and after a change of the address. */
  echo: z.nullable(destinationEcho),
})
export type Destination = z.infer<typeof destinationObject>

export const destinationList = defineCall({
  path: 'destination/list',
  reads: true,
  summary:
    "Lists an account's destinations: DICOM nodes that studies are searched at, retrieved from and pushed to. Whoever uses destinations in places of the account alone is listed those that are open to these places, without address, port, certificate, test and sign of life.",
  on: { kind: 'account', by: ['account_id'], may: 'seeDestinations', mayInPlace: 'useDestinations' },
  list: {
    object: 'destination',
    rowsKey: 'destinations',
    filters: {
      uuid: 'uuid',
      name: 'text',
      aetitle: 'exact',
      node_id: 'uuid',
      // addresses and ports are not told to all who see the list, so that nobody finds by them
      type: 'exact',
      can_search: 'flag',
      can_search_mwl: 'flag',
      can_query_retrieve: 'flag',
      can_push: 'flag',
      sort_order: 'integer',
    },
    sorts: ['name', 'sort_order', 'aetitle', 'type'],
    defaultRows: 1000,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ destinations: z.array(destinationObject), page: wire.page }),
  errors: [],
})

export const destinationGet = defineCall({
  path: 'destination/get',
  reads: true,
  summary: 'Reads a destination.',
  on: { kind: 'account', by: ['uuid'], may: 'seeDestinations', owner: 'destination' },
  input: z.object({ uuid: wire.id() }),
  output: destinationObject,
  errors: [],
})

const fields = {
  type: z.optional(wire.oneOf(destinationTypes, 'INVALID_TYPE')),
  node_id: z.optional(wire.id()),
  uses_tls: z.optional(wire.flag()),
  tls_certificate: z.optional(wire.clearableText()),
  can_search: z.optional(wire.flag()),
  can_search_mwl: z.optional(wire.flag()),
  can_query_retrieve: z.optional(wire.flag()),
  can_push: z.optional(wire.flag()),
  /** Ours: 1 sends exams that could not be looked up there first; 0, the default, stops them. */
  push_unchecked: z.optional(wire.flag()),
  /** Ours: 1 sends exams too whose MRN another assigning authority gave, for an archive that keeps numbers by authority; 0, the default, stops them. */
  push_foreign: z.optional(wire.flag()),
  /** Ours: 1 asks it after each push to commit itself to the images (storage commitment). */
  can_commit: z.optional(wire.flag()),
  retrieve_method: z.optional(wire.oneOf(retrieveMethods, 'INVALID_VALUE')),
  /** As JSON; empty: every group of the account. */
  group_ids: z.optional(wire.textList()),
  max_associations: z.optional(wire.integer()),
  sort_order: z.optional(wire.integer()),
}

const errors = [
  'DUP_AETITLE',
  'INVALID_FLAG',
  'INVALID_INTEGER',
  'INVALID_JSON',
  'INVALID_TYPE',
  'INVALID_VALUE',
  'NODE_NOT_FOUND',
] as const

export const destinationAdd = defineCall({
  path: 'destination/add',
  once: {},
  summary: `Adds a destination. Without node_id the account's first node calls it; an account without one gets one. group_ids are the groups that may use it, none for all; max_associations is 1 to ${maxDestinationAssociations}.`,
  on: { kind: 'account', by: ['account_id'], may: 'administerDestinations' },
  input: z.object({
    account_id: wire.id(),
    name: wire.text(),
    aetitle: wire.text(),
    address: wire.text(),
    port: wire.integer(),
    ...fields,
  }),
  output: z.object({ uuid: z.string() }),
  errors,
})

export const destinationSet = defineCall({
  path: 'destination/set',
  summary:
    'Changes a destination. Whatever tells another place or another title forgets the last test. With seen, fields as they were read, a change by somebody else meanwhile answers STALE.',
  on: { kind: 'account', by: ['uuid'], may: 'administerDestinations', owner: 'destination' },
  input: z.object({
    uuid: wire.id(),
    name: z.optional(wire.text()),
    aetitle: z.optional(wire.text()),
    address: z.optional(wire.text()),
    port: z.optional(wire.integer()),
    ...fields,
    seen: wire.seen(),
  }),
  output: wire.statusOnly,
  errors: [...errors, 'STALE'],
})

export const destinationDelete = defineCall({
  path: 'destination/delete',
  summary:
    'Deletes a destination. Work that waits for it ends as failed; pushes that were made stay on record. IN_USE with the names in error_data where routing rules push to it (routes), or gatekeeper groups name it (groups).',
  on: { kind: 'account', by: ['uuid'], may: 'administerDestinations', owner: 'destination' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['IN_USE'],
})

export const destinationTest = defineCall({
  path: 'destination/test',
  summary:
    'Tests a destination: connects, asks for a sign of life (C-ECHO), searches for nothing, and asks whether images may be retrieved and stored. Stores nothing there, but with `send_image` one test image of a patient called TEST IMAGE^HILUM, where images are sent to the destination. The outcome is remembered.',
  ours: true,
  on: { kind: 'account', by: ['uuid'], may: 'administerDestinations', owner: 'destination' },
  input: z.object({ uuid: wire.id(), send_image: z.optional(wire.flag()) }),
  output: destinationHealth,
  errors: [],
})
