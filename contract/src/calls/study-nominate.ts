import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { customField } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'
import { byUuid } from './study.ts'

/** A gatekeeper group that a study can be nominated to, with the fields that its form asks for. */
export const gatekeeper = z.object({
  uuid: z.string(),
  name: z.string(),
  customfields: z.array(customField),
  /** Fields that its configuration names and that are gone: nothing can be nominated to it until that is mended. */
  missing_fields: z.number(),
  /** Fields that its form requires and that the role of the caller hides or only shows: the caller nominates nothing to it. */
  closed_fields: z.number(),
})
export type Gatekeeper = z.infer<typeof gatekeeper>

export const studyNominateForm = defineCall({
  path: 'study/nominate/form',
  reads: true,
  summary:
    'Lists the gatekeeper groups that the place of a study nominates to, with the custom fields that their forms ask for.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'nominateStudy' },
  input: z.object(byUuid),
  output: z.object({ gatekeepers: z.array(gatekeeper) }),
  errors: [],
})

export const studyPushConfirm = defineCall({
  path: 'study/push/confirm',
  once: {},
  summary:
    'Sends a nominated study to the destination that its custom field push_destination names, with the corrections of its record, and so ends the nomination. MISSING_FIELDS where it names none, and with the subtype patientid where the exam has no MRN and mrn_reason does not say why; LOCKED while somebody else holds the study; STALE when it changed since row_version, or was rejected, and with the subtype order_id when the order does not name its patient (any more), order_cancelled when it was cancelled, order_changed when it reads otherwise than order_seen, issuer when its MRN is of another assigning authority (the names that account/set keeps in issuer and other_issuers are one, and so is a number that comes without a name), mrn_merged when its MRN has ended in another, which error_data gives as patientid and issuer to a caller who may see the MRN, question as for study/push, seen_mrns when an image carries an MRN that is not among these, accession_number when the accession number of the study, however its letters are written, is that of an order of the organisation for another patient; PENDING when somebody else has sent it, unless that, or the push to the destination that the study names now, has failed; FOREIGN_MRN, NOT_READY and NOT_SUPPORTED as for study/push. From the risk line of the group on, the call of one person is kept and answered SECOND_PERSON, and the same call of another person sends, as long as neither the study nor the order changes; where images came in between, the call of the other person is kept in its place.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'sendToPacs' },
  input: z.object({
    ...byUuid,
    row_version: z.optional(wire.integer()),
    /** The order that the study leaves under. */
    order_id: z.optional(wire.id()),
    /** Fields of that order as the caller read them with order/get. */
    order_seen: wire.seen(),
    /** Why the exam is sent without an MRN, or, as of study/push, although its last push was held with a question. */
    mrn_reason: z.optional(wire.clearableText()),
    /** MRNs of the images as the caller saw them; where nobody wrote the MRN of the study, an image under another one ends the call. */
    seen_mrns: z.optional(wire.textList()),
    /** The question that the last push was held with, as of study/push. */
    question: z.optional(wire.clearableText()),
  }),
  output: z.object({ uuid: z.string() }),
  errors: [
    'FOREIGN_MRN',
    'INVALID_FIELD',
    'INVALID_INTEGER',
    'INVALID_JSON',
    'LOCKED',
    'NOT_READY',
    'NOT_SUPPORTED',
    'PENDING',
    'SECOND_PERSON',
    'STALE',
  ],
})
