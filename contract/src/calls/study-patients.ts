import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { byTriplet, byUuid } from './study.ts'

/** Most images whose headers are read for one answer. */
export const maxReadImages = 20_000
/** Most series that are named of one patient. */
export const maxPatientSeries = 500

const patientSeries = z.object({
  series_uid: z.string(),
  modality: z.string(),
  series_number: z.nullable(z.number()),
  description: z.string(),
  /** Images of the series that name this patient, every version of each counted. */
  images: z.number(),
  /** 1 where other images of the series name somebody else of this answer. */
  is_shared: z.number(),
  /** An image to look at: its SOP Instance UID and version. */
  sop_uid: z.string(),
  version: z.string(),
})

/** One patient as images name him, without corrections. Texts may be empty, dates are as the images write them. */
const imagePatient = z.object({
  /** Names this patient to study/split, as long as the images stay the same. */
  key: z.string(),
  patient_name: z.string(),
  patientid: z.string(),
  issuer: z.string(),
  patient_birth_date: z.string(),
  patient_sex: z.string(),
  /** In how many ways the images write this patient; the one of most images stands above. */
  spellings: z.number(),
  /** 1 where the images say too little to tell which patient of this answer is meant. */
  is_unclear: z.number(),
  images: z.number(),
  series: z.array(patientSeries),
  /** Series beyond those that are named. */
  more_series: z.number(),
})
export type ImagePatient = z.infer<typeof imagePatient>

export const studyPatients = defineCall({
  path: 'study/patients',
  reads: true,
  summary:
    'Tells whom the images of a study name: the patients as the identity comparison separates them, without corrections, each with the series of these images.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'editStudy' },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: z.object({
    /** The patient of most images first, the unclear ones last. */
    patients: z.array(imagePatient),
    /** Images of whom nothing is told: their headers are damaged, or they are too many. */
    unread: z.number(),
  }),
  errors: [],
})
