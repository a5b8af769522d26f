import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'
import { byUuid } from './study.ts'

export const studyPush = defineCall({
  path: 'study/push',
  once: {},
  summary:
    'Sends a study to a destination by C-STORE, with the corrections of its record; study_push_status of the study tells how far it is. PENDING while it is on its way there already; NOT_READY without images, while it awaits approval, and while its images name several patients; with late_images, only the images that came since the last push there; NOT_FOUND also where a gatekeeper group names its destinations and this is none of them; NOT_SUPPORTED where nothing is pushed to the destination, and with the subtype inbox_config in a gatekeeper group whose configuration cannot be read; FOREIGN_MRN where another assigning authority than the organisation gave the MRN, as the issuer of the study says, and the destination does not take such (push_foreign); SECOND_PERSON where the gatekeeper group wants its patient confirmed by two people, and two have not confirmed it as it is. The destination is asked first whom it holds under the Study Instance UID and under the MRN. Where somebody who is not plainly the same patient has the MRN there or in the organisation, and where images of the exam went there under another patient and it cannot be asked, the push fails with wants_reason, and mrn_reason of the next one, with question as study_push_status gives it, sends it, unless something else is found by then; STALE with the subtype question where the exam was asked for anew since.',
  on: { kind: 'study', by: ['uuid'], may: 'pushStudy' },
  input: z.object({
    uuid: byUuid.uuid,
    destination_id: wire.id(),
    late_images: z.optional(wire.flag()),
    /** Ours: why the exam goes although the last push there was held with a question; answers that question alone, and is put on record. */
    mrn_reason: z.optional(wire.clearableText()),
    /** Ours: the question that the person read, as study_push_status gives it; wanted beside mrn_reason. */
    question: z.optional(wire.clearableText()),
  }),
  output: z.object({ uuid: z.string() }),
  errors: [
    'FOREIGN_MRN',
    'INVALID_FIELD',
    'INVALID_FLAG',
    'NOT_NOMINATED',
    'NOT_READY',
    'NOT_SUPPORTED',
    'PENDING',
    'SECOND_PERSON',
    'STALE',
  ],
})
