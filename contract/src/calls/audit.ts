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
  summary: 'Lists what happened to a study, newest first; reverse=1 flips the order.',
  on: { kind: 'study', by: ['uuid'], needs: ['audit_view'], deletedToo: true },
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
