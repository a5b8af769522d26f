import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { heldMrn, otherPatientsStudy } from '../entities/mrn-holder.ts'
import * as wire from '../wire.ts'
import { byTriplet, byUuid } from './study.ts'

/** Most other people that are named under one MRN. */
export const maxMrnHolders = 20
/** Most patients that one upload asks about at once. */
export const maxUploadPeople = 1000

export const studyMrnHolders = defineCall({
  path: 'study/mrn/holders',
  reads: true,
  summary: 'Tells which other people of the account hold the MRN of a study.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'viewStudy' },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: heldMrn,
  errors: [],
})

export const studyUploadPeople = defineCall({
  path: 'study/upload/people',
  reads: true,
  summary:
    'Tells for each patient of an upload which other people of the account hold the same MRN, and which of the studies are here under a different patient.',
  ours: true,
  on: { kind: 'namespace', by: ['namespace_id'], may: 'uploadStudy' },
  input: z.object({
    namespace_id: wire.id(),
    people: wire.json(
      z
        .array(
          z.object({
            patient_name: z.string(),
            patient_birth_date: z.string(),
            patient_sex: z.string(),
            patientid: z.string(),
            /** The issuer in the images. Without it the MRN was typed, and becomes one of the account. */
            issuer: z.optional(z.string()),
            /** Studies of the upload: their own records in this namespace are no other person's. */
            study_uids: z.array(z.string()),
          }),
        )
        .check(z.maxLength(maxUploadPeople)),
    ),
  }),
  output: z.object({ people: z.array(z.extend(heldMrn, { studies: z.array(otherPatientsStudy) })) }),
  errors: ['INVALID_JSON'],
})
