import * as z from 'zod/mini'

/** Another person under the same MRN, with one of their studies to open. Texts may be empty, dates are `YYYYMMDD`. */
const mrnHolder = z.object({
  study_uuid: z.string(),
  /** Studies of this person that the caller may see. */
  study_count: z.number(),
  patient_name: z.string(),
  patient_birth_date: z.string(),
  patient_sex: z.string(),
  issuer: z.string(),
  verdict: z.enum(['likely', 'different']),
  reasons: z.array(z.string()),
})
export type MrnHolder = z.infer<typeof mrnHolder>

/** Other holders of an MRN. `error_data` of MRN_HELD has this shape too. */
export const heldMrn = z.object({
  patientid: z.string(),
  holders: z.array(mrnHolder),
  /** 1 where somebody else holds the MRN in studies that the caller may not see; nothing more is told of them. */
  elsewhere: z.number(),
  /** Other people whom the caller may see and who are not among the holders: only so many are named. */
  more: z.number(),
})
export type HeldMrn = z.infer<typeof heldMrn>

/** The number in which the MRN of an exam has ended: `error_data` of STALE with the subtype mrn_merged. */
export const numberInUse = z.object({ patientid: z.string(), issuer: z.string() })
export type NumberInUse = z.infer<typeof numberInUse>

/** A study of an upload whose record in the namespace names a different patient; '' and no date where the caller may not see the record. */
export const otherPatientsStudy = z.object({
  study_uid: z.string(),
  patient_name: z.string(),
  patient_birth_date: z.string(),
  patient_sex: z.string(),
})
export type OtherPatientsStudy = z.infer<typeof otherPatientsStudy>
