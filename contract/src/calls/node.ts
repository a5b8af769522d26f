import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
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
    filters: { uuid: 'uuid', name: 'text', aetitle: 'exact' },
    sorts: ['name'],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ nodes: z.array(nodeObject), page: wire.page }),
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
  summary: `Changes a DICOM node of our own. ${aeTitleRule}`,
  on: { kind: 'account', by: ['uuid'], may: 'administerNodes', owner: 'node' },
  input: z.object({ uuid: wire.id(), name: z.optional(wire.text()), aetitle: z.optional(wire.text()) }),
  output: wire.statusOnly,
  errors: ['DUP_AETITLE', 'INVALID_VALUE'],
})

export const nodeDelete = defineCall({
  path: 'node/delete',
  summary: 'Deletes a DICOM node of our own that no destination uses.',
  on: { kind: 'account', by: ['uuid'], may: 'administerNodes', owner: 'node' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['HAS_DESTINATIONS'],
})
