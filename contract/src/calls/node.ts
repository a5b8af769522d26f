import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

/** Kinds of nodes of our own. The wire has more, for programs of its vendor. */
const nodeTypes = ['VIRTUAL'] as const

/** A DICOM node of our own: the AE title that we call other nodes by, and that retrieved studies are sent to. */
const nodeObject = z.object({
  uuid: z.string(),
  account_id: z.string(),
  name: z.string(),
  type: z.enum(nodeTypes),
  serial_no: z.number(),
  aetitle: z.string(),
})
export type NodeObject = z.infer<typeof nodeObject>

export const nodeList = defineCall({
  path: 'node/list',
  reads: true,
  summary: "Lists an account's own DICOM nodes.",
  on: { kind: 'account', by: ['account_id'], may: 'seeNodes' },
  list: {
    object: 'node',
    rowsKey: 'nodes',
    filters: { uuid: 'uuid', name: 'text', aetitle: 'exact', type: 'exact', serial_no: 'integer' },
    sorts: ['name', 'aetitle', 'type', 'serial_no'],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ nodes: z.array(nodeObject), page: wire.page }),
  errors: [],
})

/** Places that DICOM programs can call, at most; an installation with more is told to look at its groups. */
export const mostCalledPlaces = 500

const calledPlace = z.object({
  kind: z.enum(['account', 'group', 'location']),
  /** Of the organisation, the group or the location. */
  uuid: z.string(),
  name: z.string(),
  ae_title: z.string(),
  /** As people write them: `CT_1`, `10.1.0.0/16`, `CT_1@10.1.0.0/16`. None where programs of this machine alone may send. */
  senders: z.array(z.string()),
  /** 1 where nobody may send, not even programs of this machine. */
  is_closed_to_senders: z.number(),
  /** Peers that may query and retrieve; an empty list lets nobody. */
  query_peers: z.array(z.string()),
  /** Peers that may ask for the worklist; an empty list lets nobody. */
  worklist_peers: z.array(z.string()),
})
export type CalledPlace = z.infer<typeof calledPlace>

const calledNodes = z.object({
  /** By AE title; of the organisation itself, its groups and its locations. */
  places: z.array(calledPlace),
  /** 1 where there are more than are told. */
  more: flagOut,
  /** Address of the listener; empty where it listens at all addresses of the machine. */
  host: z.string(),
  /** 1 where programs of the same machine alone reach the listener, as HILUM_DICOM_HOST says. */
  is_local: flagOut,
  /** Port of the settings; 0 where the system chooses one. */
  port: z.number(),
  /** Port for TLS; 0 without. */
  tls_port: z.number(),
  /** 1 where senders over TLS have to show a certificate of a named authority. */
  tls_asks_certificate: flagOut,
})
export type CalledNodes = z.infer<typeof calledNodes>

export const nodeCalled = defineCall({
  path: 'node/called',
  reads: true,
  summary: 'Tells by which AE titles, at which ports, and by whom the places of an account can be called over DICOM.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'seeNodes' },
  input: z.object({ account_id: wire.id() }),
  output: calledNodes,
  errors: [],
})

export const nodeGet = defineCall({
  path: 'node/get',
  reads: true,
  summary: 'Reads a DICOM node of our own.',
  on: { kind: 'account', by: ['uuid'], may: 'seeNodes', owner: 'node' },
  input: z.object({ uuid: wire.id() }),
  output: nodeObject,
  errors: [],
})

const aeTitleRule =
  'An AE title has 1 to 16 characters of ASCII and no backslash; no group and no other node may have it.'

export const nodeAdd = defineCall({
  path: 'node/add',
  once: {},
  summary: `Makes a DICOM node of our own. ${aeTitleRule}`,
  on: { kind: 'account', by: ['account_id'], may: 'administerNodes' },
  input: z.object({
    account_id: wire.id(),
    name: wire.text(),
    type: z.optional(wire.oneOf(nodeTypes, 'INVALID_TYPE')),
    aetitle: wire.text(),
  }),
  output: z.object({ uuid: z.string(), serial_no: z.number() }),
  errors: ['ACCOUNT_NOT_FOUND', 'DUP_AETITLE', 'INVALID_TYPE', 'INVALID_VALUE'],
})

export const nodeSet = defineCall({
  path: 'node/set',
  summary: `Changes a DICOM node of our own. ${aeTitleRule} With seen, fields as they were read, a change by somebody else meanwhile answers STALE.`,
  on: { kind: 'account', by: ['uuid'], may: 'administerNodes', owner: 'node' },
  input: z.object({
    uuid: wire.id(),
    name: z.optional(wire.text()),
    aetitle: z.optional(wire.text()),
    seen: wire.seen(),
  }),
  output: wire.statusOnly,
  errors: ['DUP_AETITLE', 'INVALID_VALUE', 'STALE'],
})

export const nodeDelete = defineCall({
  path: 'node/delete',
  summary:
    'Deletes a DICOM node of our own that no destination uses. HAS_DESTINATIONS names these in error_data; none, where something is fetched by the node still, or a report on what was stored is due.',
  on: { kind: 'account', by: ['uuid'], may: 'administerNodes', owner: 'node' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['HAS_DESTINATIONS'],
})
