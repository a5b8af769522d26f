import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { maxReason } from '../limits.ts'
import * as wire from '../wire.ts'
import { byTriplet, byUuid } from './study.ts'

export const studyApprove = defineCall({
  path: 'study/approve',
  summary:
    'Approves a study that waits for approval, and shares that wait beside it: all who may see its place see it, and what follows from its coming happens now, once. Again changes nothing. A nomination is not approved by this (NOT_PERMITTED with the subtype nomination): study/push/confirm sends it.',
  on: { kind: 'study', by: ['uuid'], may: 'approveStudy' },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: wire.statusOnly,
  errors: [],
})

export const studyReject = defineCall({
  path: 'study/reject',
  summary: `Rejects what waits for approval of a study: what was shared is gone again, and its sender is told, with the words of message (at most ${maxReason} characters); what was uploaded is deleted and can be restored. Shares that wait beside an approved study go alone. error_subtype of NOT_PERMITTED is approved when nothing waits any more, hold or frozen when something keeps the study, nomination for a study that was nominated.`,
  on: { kind: 'study', by: ['uuid'], may: 'approveStudy' },
  input: z.object({ ...byUuid, ...byTriplet, message: z.optional(wire.clearableText()) }),
  output: wire.statusOnly,
  errors: ['INVALID_FIELD'],
})
