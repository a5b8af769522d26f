import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { maxFoundOrders, maxFoundStudies } from '../limits.ts'
import * as wire from '../wire.ts'

/** How far the fetching of a study is; `partial`: some of its images did not come. */
const retrievalStates = ['waiting', 'running', 'done', 'partial', 'failed'] as const
export type RetrievalState = (typeof retrievalStates)[number]

/** A study that a destination has (ENTITY-25). */
const foundStudy = z.object({
  study_uid: z.string(),
  patient_name: z.string(),
  /** 1 where the name is not written in the character set that the peer names, so that no exam is given it. */
  name_unread: z.number(),
  /** YYYYMMDD, as far as the peer tells. */
  patient_birth_date: z.string(),
  patient_sex: z.string(),
  patientid: z.string(),
  issuer: z.string(),
  accession_number: z.string(),
  study_date: z.string(),
  study_time: z.string(),
  /** Of all its series, joined by commas. */
  modality: z.string(),
  study_description: z.string(),
  referring_physician: z.string(),
  /** AE title that has it. */
  source_ae: z.string(),
  /** Null where the peer does not tell. */
  image_count: z.nullable(z.number()),
})

/** A scheduled step of the worklist of a destination. Dates YYYYMMDD, times as DICOM writes them. */
const worklistItem = z.object({
  /** By which `order/take` names it in its search. */
  item: z.number(),
  /** U+FFFD stands for each character that could not be read; an order taken has no such name. */
  patient_name: z.string(),
  patient_birth_date: z.string(),
  patient_sex: z.string(),
  patientid: z.string(),
  issuer: z.string(),
  accession_number: z.string(),
  order_number: z.string(),
  referring_physician: z.string(),
  study_uid: z.string(),
  requested_procedure_id: z.string(),
  requested_procedure_description: z.string(),
  modality: z.string(),
  scheduled_station_aetitle: z.string(),
  scheduled_procedure_step_start_date: z.string(),
  scheduled_procedure_step_start_time: z.string(),
  scheduled_procedure_step_description: z.string(),
  scheduled_procedure_step_id: z.string(),
})

export const destinationSearch = defineCall({
  path: 'destination/search',
  once: {},
  summary: `Searches a destination for studies (C-FIND), for people of the place copy_to, or without copy_to of the organisation; destination/search/get gives what was found, at most ${maxFoundStudies} studies. Names and descriptions match parts, with % for anything; MRN and accession number match as they are. start_datetime is the first moment, end_datetime the first one after: a date stands for its midnight, and whole days are searched, of exams none that is still to come (INVALID_VALUE). It takes a name, an MRN, an accession number, a description or a modality. With worklist (ours) the destination's worklist is asked instead, at most ${maxFoundOrders} steps, by all but the description; the dates are those of the steps.`,
  on: { kind: 'namespace', by: ['copy_to'], elseAccountOf: 'destination', may: 'retrieveStudy' },
  input: z.object({
    uuid: wire.id(),
    copy_to: z.optional(wire.id()),
    patient_name: z.optional(wire.clearableAnyText()),
    patientid: z.optional(wire.clearableAnyText()),
    accession_number: z.optional(wire.clearableAnyText()),
    study_description: z.optional(wire.clearableAnyText()),
    modality: z.optional(wire.clearableText()),
    start_datetime: z.optional(wire.clearableText()),
    end_datetime: z.optional(wire.clearableText()),
    worklist: z.optional(wire.flag()),
  }),
  output: z.object({ uuid: z.string() }),
  errors: ['INSUFFICIENT_CRITERIA', 'INVALID_FLAG', 'INVALID_VALUE', 'NOT_SUPPORTED'],
})

export const destinationSearchGet = defineCall({
  path: 'destination/search/get',
  reads: true,
  summary:
    "Reads a search of one's own: whether it was answered, what was found, which of it is here already, and how far its studies are that are fetched. It is known for a day.",
  ours: true,
  on: { kind: 'namespace', by: ['uuid'], may: 'retrieveStudy', owner: 'destination_search' },
  input: z.object({ uuid: wire.id() }),
  output: z.object({
    uuid: z.string(),
    destination_id: z.string(),
    state: z.enum(['waiting', 'done', 'failed']),
    /** Why it failed, in words. */
    message: z.string(),
    /** 1 where the destination has more than are given. */
    more: z.number(),
    /** Of a search of the worklist. */
    orders: z.array(worklistItem),
    results: z.array(
      z.extend(foundStudy, {
        /** The record of the study in the place that it would be fetched for, and its images; empty, 0 where it is not there. */
        here_id: z.string(),
        here_image_count: z.number(),
        /** Null where it is not fetched by this search. */
        retrieval: z.nullable(
          z.object({
            state: z.enum(retrievalStates),
            message: z.string(),
            /** Images that have come, and that are to come; null while the peer does not tell. */
            completed: z.number(),
            total: z.nullable(z.number()),
          }),
        ),
      }),
    ),
  }),
  errors: [],
})

export const destinationRetrieve = defineCall({
  path: 'destination/retrieve',
  once: {},
  summary:
    'Fetches a study that a search found into the place of that search; destination/search/get tells how far it is. Asked for again, it goes on as it is, or begins anew where it had ended.',
  on: { kind: 'namespace', by: ['destination_search_id'], may: 'retrieveStudy', owner: 'destination_search' },
  input: z.object({ destination_search_id: wire.id(), study_uid: wire.naming(wire.text()) }),
  output: wire.statusOnly,
  errors: ['NOT_SUPPORTED'],
})
