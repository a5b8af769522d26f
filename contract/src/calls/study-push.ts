import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'
import { byUuid } from './study.ts'

export const studyPush = defineCall({
  path: 'study/push',
  once: {},
  summary:
    'Sends a study to a destination by C-STORE, with the corrections of its record; study_push_status of the study tells how far it is. PENDING while it is on its way there already; NOT_READY without images, while it awaits approval, and while its images name several patients; with late_images, only the images that came since the last push there; NOT_FOUND also where a gatekeeper group names its destinations and this is none of them; NOT_SUPPORTED where nothing is pushed to the destination; FOREIGN_MRN where another assigning authority than the organisation gave the MRN, as the issuer of the study says, and the destination does not take such (push_foreign); SECOND_PERSON where the gatekeeper group wants its patient confirmed by two people, and two have not confirmed it as it is.',
  on: { kind: 'study', by: ['uuid'], may: 'pushStudy' },
  input: z.object({ uuid: byUuid.uuid, destination_id: wire.id(), late_images: z.optional(wire.flag()) }),
  output: z.object({ uuid: z.string() }),
  errors: ['FOREIGN_MRN', 'INVALID_FLAG', 'NOT_READY', 'NOT_SUPPORTED', 'PENDING', 'SECOND_PERSON'],
})
