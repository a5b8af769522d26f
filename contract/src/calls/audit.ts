import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

/** One line of a history (ENTITY-11). detail of EDIT is `{field: [old, new]}`. */
export const auditEvent = z.object({
  uuid: z.string(),
  action: z.string(),
  type: z.string(),
  what: z.string(),
  who: z.string(),
  proxy: z.string(),
  when: z.string(),
  detail: z.unknown(),
  with: z.string(),
  client_address: z.string(),
})
export type AuditEvent = z.infer<typeof auditEvent>

export const auditObject = defineCall({
  path: 'audit/object',
  reads: true,
  summary: 'Lists what happened to a study, newest first; reverse=1 flips the order.',
  on: { kind: 'study', by: ['uuid'], may: 'seeHistory', deletedToo: true },
  list: {
    object: 'event',
    rowsKey: 'events',
    filters: { action: 'exact', type: 'exact', when: 'stamp' },
    sorts: [],
    defaultRows: 100,
  },
  input: z.object({ uuid: wire.id(), reverse: z.optional(wire.flag()) }),
  output: z.object({ events: z.array(auditEvent), page: wire.page }),
  errors: ['INVALID_FLAG'],
})

export const auditRefused = defineCall({
  path: 'audit/refused',
  reads: true,
  summary:
    "Lists who was refused the account's things, for its administrators: a line for each hour, person, address or DICOM sender, act and kind of thing, the latest first. filter.asker.like looks in names, AE titles and addresses. Kept for 180 days.",
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  list: {
    object: 'refusal',
    rowsKey: 'refusals',
    filters: { asker: 'text', act: 'exact', last: 'stamp' },
    sorts: [],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({
    refusals: z.array(
      z.object({
        /** Empty without a session; `client_address` tells the lines apart then. */
        user_id: z.string(),
        user_name: z.string(),
        /** Of a DICOM sender: the calling AE title; empty otherwise. */
        ae_title: z.string(),
        /** Whether the person belongs to the account. */
        is_member: z.number(),
        /** The path of the call, or the door: `storage`, `dicomweb`, `channel`; of a DICOM sender `C-STORE`, `C-FIND`, `C-MOVE`, `C-GET`, `C-ECHO` or `DICOM`. */
        act: z.string(),
        /** The kind of thing that was asked for: Study, Order, Namespace, Group, User, Account; Title for an AE title that nothing has. */
        kind: z.string(),
        count: z.number(),
        first: z.string(),
        last: z.string(),
        last_object: z.string(),
        /** The last one; empty where further addresses of an hour became one line. */
        client_address: z.string(),
      }),
    ),
    page: wire.page,
  }),
  errors: [],
})
