import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { maxConnectionMessage, maxShareMinutes } from '../limits.ts'
import * as wire from '../wire.ts'

/** States of a connection as one of its two accounts sees it: it asked, was asked, or both agreed. */
const connectionStates = ['asking', 'asked', 'connected'] as const
export type ConnectionState = (typeof connectionStates)[number]

/** A connection as one of its two accounts sees it. */
const connectionObject = z.object({
  uuid: z.string(),
  /** The other account. */
  account_name: z.string(),
  state: z.enum(connectionStates),
  message: z.string(),
  /** The person who asked for the connection. */
  asked_by_name: z.string(),
  created: z.string(),
  connected_at: z.nullable(z.string()),
  /** Studies that this account sent over the connection and that are open there, or are to be. */
  sent_count: z.number(),
})
export type Connection = z.infer<typeof connectionObject>

/** The account setting that holds the default of `expires` for shares with other accounts, in minutes. */
export const shareExpiresSetting = 'share_expires_minutes'

const own = { account_id: wire.id() }

export const accountConnectList = defineCall({
  path: 'account/connect/list',
  reads: true,
  summary: 'Lists the connections of an account with other accounts, and those asked for.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  list: {
    object: 'connection',
    rowsKey: 'connections',
    filters: { uuid: 'uuid', account_name: 'text', state: 'text', created: 'stamp' },
    sorts: ['account_name', 'state', 'created'],
    defaultRows: 100,
  },
  input: z.object(own),
  output: z.object({ connections: z.array(connectionObject), page: wire.page }),
  errors: [],
})

export const accountConnectAsk = defineCall({
  path: 'account/connect/ask',
  once: {},
  summary: `Asks another account of this installation, by its whole name, to exchange studies. Its administrators are told by mail. A message has at most ${maxConnectionMessage} characters. Where the other account has asked already, the two are connected.`,
  postOnly: true,
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ ...own, account_name: wire.text(), message: z.optional(wire.clearableText()) }),
  output: z.object({ uuid: z.string() }),
  errors: ['ALREADY_EXISTS', 'INVALID_FIELD', 'LOCKOUT'],
})

export const accountConnectAccept = defineCall({
  path: 'account/connect/accept',
  summary: 'Accepts a connection that another account asked for: studies can be sent both ways.',
  postOnly: true,
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ ...own, uuid: wire.id() }),
  output: wire.statusOnly,
  errors: [],
})

export const accountConnectEnd = defineCall({
  path: 'account/connect/end',
  summary:
    'Ends a connection, declines one that was asked for, or takes the asking back. Studies that were sent stay until their sender stops sharing them; with stop_sent all that this account sent over the connection is stopped in the same act, and stopped says how many. What the other account sent is its own to stop.',
  postOnly: true,
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ ...own, uuid: wire.id(), stop_sent: z.optional(wire.flag()) }),
  output: z.object({ stopped: z.number() }),
  errors: ['INVALID_FLAG'],
})

export const accountConnectDefaults = defineCall({
  path: 'account/connect/defaults',
  summary: `Sets how an account exchanges studies: expires, after how many minutes (at most ${maxShareMinutes}; 0 for never) other accounts lose access to what is sent to them unless the sender says otherwise, and share_code, by which anybody of the installation sends to its Organisation inbox; empty for none. Without either nothing changes. Answers with what holds. With seen, fields as they were read, a change by somebody else meanwhile answers STALE.`,
  postOnly: true,
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({
    ...own,
    expires: z.optional(wire.integer()),
    share_code: z.optional(wire.clearableText()),
    seen: wire.seen(),
  }),
  output: z.object({ expires: z.number(), share_code: z.string() }),
  errors: ['INVALID_FIELD', 'INVALID_INTEGER', 'INVALID_JSON', 'LOCKOUT', 'STALE'],
})
