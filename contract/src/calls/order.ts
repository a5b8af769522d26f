import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { customField } from '../entities/page-fields.ts'
import { maxFoundOrders } from '../limits.ts'
import * as wire from '../wire.ts'

/** How far a step is, in the wire's words. */
const stepStatuses = ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'DISCONTINUED'] as const
export type StepStatus = (typeof stepStatuses)[number]

/** One scheduled procedure step of an order. Dates YYYYMMDD, times as DICOM writes them. */
export const orderStep = z.object({
  uuid: z.string(),
  modality: z.string(),
  scheduled_procedure_step_id: z.string(),
  requested_procedure_id: z.string(),
  requested_procedure_description: z.string(),
  scheduled_station_aetitle: z.string(),
  scheduled_procedure_step_start_date: z.string(),
  scheduled_procedure_step_start_time: z.string(),
  scheduled_procedure_step_description: z.string(),
  mpps_status: z.string(),
  mpps_uid: z.string(),
})

/** A scheduled exam (ENTITY-27). */
const orderObject = z.object({
  uuid: z.string(),
  patientid: z.string(),
  /** Ours: the assigning authority of the MRN, as messages and worklists name it; empty where nobody did. */
  issuer: z.string(),
  patient_name: z.string(),
  accession_number: z.string(),
  order_number: z.string(),
  patient_sex: z.string(),
  patient_birth_date: z.string(),
  referring_physician: z.string(),
  sending_facility: z.string(),
  created: z.string(),
  /** Ours: when the order was cancelled; null while it holds. */
  cancelled_at: z.nullable(z.string()),
  /** Ours: the namespace of the group that the order is for. */
  namespace_id: z.nullable(z.string()),
  /** Ours: a message of HL7, a person, a program by a key or call, or the worklist of a destination; empty for orders of before. */
  source: z.enum(['', 'hl7', 'person', 'program', 'worklist']),
  tags: z.array(z.string()),
  customfields: z.array(customField),
  sps: z.array(orderStep),
  /** Exams of the order, of those that the caller may list. */
  study_count: z.number(),
})
/** Exams of an order, at most a hundred: under the Study Instance UID of its worklist, or with its accession number and MRN. */
const orderWithExams = z.extend(orderObject, {
  studies: z.array(z.object({ uuid: z.string(), study_uid: z.string(), phi_namespace: z.string() })),
})
export type Order = z.infer<typeof orderObject>

export const orderList = defineCall({
  path: 'order/list',
  reads: true,
  summary:
    "Lists the orders of the caller's groups in an account, newest first; those of no group for who may edit orders.",
  on: { kind: 'account', by: ['account_id'], may: 'seeOrders' },
  list: {
    object: 'order',
    rowsKey: 'orders',
    filters: {
      uuid: 'uuid',
      patientid: 'text',
      patient_name: 'text',
      accession_number: 'exact',
      order_number: 'exact',
      patient_sex: 'text',
      patient_birth_date: 'date',
      referring_physician: 'text',
      sending_facility: 'text',
      created: 'stamp',
      is_cancelled: 'flag',
      namespace_id: 'uuid',
      // of the steps: orders with a step that fits
      modality: 'exact',
      scheduled_station_aetitle: 'exact',
      scheduled_procedure_step_start_date: 'date',
      mpps_status: 'exact',
      // of the exams that the caller may list: 0 finds orders that wait for theirs
      study_count: 'integer',
    },
    sorts: [
      'created',
      'patient_name',
      'patientid',
      'accession_number',
      'patient_birth_date',
      'scheduled_procedure_step_start_date',
    ],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ orders: z.array(z.partial(orderObject)), page: wire.page }),
  errors: [],
})

export const orderGet = defineCall({
  path: 'order/get',
  reads: true,
  summary: 'Reads one order, with the exams that belong to it.',
  on: { kind: 'account', by: ['uuid'], owner: 'imaging_order', may: 'seeOrders' },
  input: z.object({ uuid: wire.id() }),
  output: orderWithExams,
  errors: [],
})

/** One line of the history of an order. */
const orderEvent = z.object({
  uuid: z.string(),
  action: z.string(),
  /** Empty for what a message of HL7 or the installation did. */
  who: z.string(),
  when: z.string(),
  /** `{field: [old, new]}` of a change. */
  detail: z.record(z.string(), z.unknown()),
  /** The message of HL7 that did it: its kind, sender and control id. */
  message: z.nullable(z.object({ type: z.string(), sender: z.string(), control_id: z.string() })),
})
export type OrderEvent = z.infer<typeof orderEvent>

export const orderHistory = defineCall({
  path: 'order/history',
  reads: true,
  summary: 'Lists what happened to an order that the caller sees, newest first, with the messages of HL7 that did it.',
  ours: true,
  on: { kind: 'account', by: ['uuid'], owner: 'imaging_order', may: 'seeOrders' },
  input: z.object({ uuid: wire.id() }),
  output: z.object({ events: z.array(orderEvent) }),
  errors: [],
})

const fields = {
  patientid: z.optional(wire.clearableText()),
  /** Ours: the assigning authority of the MRN; empty for the organisation's own, which another MRN is that comes without it. */
  issuer: z.optional(wire.clearableText()),
  patient_name: z.optional(wire.clearableText()),
  accession_number: z.optional(wire.clearableText()),
  patient_sex: z.optional(wire.clearableText()),
  patient_birth_date: z.optional(wire.clearableText()),
  referring_physician: z.optional(wire.clearableText()),
  sending_facility: z.optional(wire.clearableText()),
  /** Ours. */
  order_number: z.optional(wire.clearableText()),
  /** Ours: the namespace of the group that the order is for; empty for none, which only those see who may edit orders. */
  namespace_id: z.optional(wire.idOrNone()),
}
const ofOrder = { kind: 'account', owner: 'imaging_order', may: 'editOrders' } as const

export const orderAdd = defineCall({
  path: 'order/add',
  once: {},
  takesCustomFields: true,
  summary: 'Enters an order: a patient and an exam to come, for a group. It takes a name or an MRN.',
  on: { kind: 'account', by: ['account_id'], may: 'editOrders' },
  input: z.object({ account_id: wire.id(), ...fields }),
  output: z.object({ uuid: z.string() }),
  errors: ['INVALID_CUSTOMFIELD', 'INVALID_FIELD'],
})

export const orderSet = defineCall({
  path: 'order/set',
  takesCustomFields: true,
  summary:
    'Changes an order that the caller sees; what is not sent stays. With seen, fields as they were read, a change by somebody else meanwhile answers STALE.',
  on: { ...ofOrder, by: ['uuid'] },
  input: z.object({ uuid: wire.id(), ...fields, seen: wire.seen() }),
  output: wire.statusOnly,
  errors: ['INVALID_CUSTOMFIELD', 'INVALID_FIELD', 'INVALID_JSON', 'STALE'],
})

export const orderDelete = defineCall({
  path: 'order/delete',
  summary: 'Deletes an order that the caller sees, with its steps.',
  on: { ...ofOrder, by: ['uuid'] },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: [],
})

export const orderCancel = defineCall({
  path: 'order/cancel',
  summary:
    'Cancels an order that the caller sees: it leaves the worklists and is chosen for no exam any more, and stays on record; an exam that was to leave under it is not sent. With undo the order holds again.',
  ours: true,
  on: { ...ofOrder, by: ['uuid'] },
  input: z.object({ uuid: wire.id(), undo: z.optional(wire.flag()) }),
  output: wire.statusOnly,
  errors: ['INVALID_FLAG'],
})

export const orderTake = defineCall({
  path: 'order/take',
  once: {},
  summary:
    "Makes an order of an item that one's own search found in the worklist of a destination, for the group of that search; taken again, the order is brought up to date.",
  ours: true,
  on: { kind: 'namespace', by: ['destination_search_id'], may: 'sendToPacs', owner: 'destination_search' },
  input: z.object({ destination_search_id: wire.id(), item: wire.integer() }),
  output: z.object({ uuid: z.string() }),
  errors: ['INVALID_FIELD', 'INVALID_INTEGER'],
})

const stepFields = {
  modality: z.optional(wire.clearableText()),
  scheduled_procedure_step_id: z.optional(wire.clearableText()),
  requested_procedure_id: z.optional(wire.clearableText()),
  requested_procedure_description: z.optional(wire.clearableText()),
  scheduled_station_aetitle: z.optional(wire.clearableText()),
  scheduled_procedure_step_start_date: z.optional(wire.clearableText()),
  scheduled_procedure_step_start_time: z.optional(wire.clearableText()),
  scheduled_procedure_step_description: z.optional(wire.clearableText()),
}
const ofStep = { kind: 'account', by: ['uuid'], owner: 'order_step', may: 'editOrders' } as const

export const orderSpsAdd = defineCall({
  path: 'order/sps/add',
  once: {},
  summary: 'Adds a scheduled procedure step to an order that the caller sees.',
  on: { ...ofOrder, by: ['order_id'] },
  input: z.object({ order_id: wire.id(), ...stepFields }),
  output: z.object({ uuid: z.string() }),
  errors: ['INVALID_FIELD'],
})

export const orderSpsSet = defineCall({
  path: 'order/sps/set',
  summary:
    'Changes a scheduled procedure step; what is not sent stays. With seen, fields as they were read, a change by somebody else meanwhile answers STALE.',
  on: ofStep,
  input: z.object({ uuid: wire.id(), ...stepFields, seen: wire.seen() }),
  output: wire.statusOnly,
  errors: ['INVALID_FIELD', 'INVALID_JSON', 'STALE'],
})

export const orderSpsDelete = defineCall({
  path: 'order/sps/delete',
  summary:
    'Takes a scheduled procedure step off its order. With seen, fields as they were read, a change by somebody else meanwhile answers STALE.',
  on: ofStep,
  input: z.object({ uuid: wire.id(), seen: wire.seen() }),
  output: wire.statusOnly,
  errors: ['INVALID_JSON', 'STALE'],
})

export const orderSpsStatus = defineCall({
  path: 'order/sps/status',
  summary:
    'Says how far a scheduled procedure step is, as a modality tells it (MPPS); a step that is COMPLETED or DISCONTINUED leaves the worklist.',
  on: ofStep,
  input: z.object({
    uuid: wire.id(),
    mpps_uid: z.optional(wire.clearableText()),
    mpps_status: wire.oneOf(stepStatuses, 'INVALID_STATUS'),
  }),
  output: wire.statusOnly,
  errors: ['INVALID_FIELD', 'INVALID_STATUS'],
})

/** A step with its order, as modalities ask for it. */
const foundStep = z.object({
  patientid: z.string(),
  patient_name: z.string(),
  accession_number: z.string(),
  patient_sex: z.string(),
  patient_birth_date: z.string(),
  referring_physician: z.string(),
  modality: z.string(),
  study_uid: z.string(),
  scheduled_procedure_step_id: z.string(),
  requested_procedure_id: z.string(),
  requested_procedure_description: z.string(),
  scheduled_station_aetitle: z.string(),
  scheduled_procedure_step_start_date: z.string(),
  scheduled_procedure_step_start_time: z.string(),
  scheduled_procedure_step_description: z.string(),
  mpps_status: z.string(),
  mpps_uid: z.string(),
})

export const orderSpsFind = defineCall({
  path: 'order/sps/find',
  reads: true,
  summary: `Finds scheduled procedure steps in the orders that the caller sees, the earliest first; at most ${maxFoundOrders}. Filters of orders begin with ord., those of steps with order_sps.`,
  on: { kind: 'account', by: ['account_id'], may: 'seeOrders' },
  list: {
    object: 'order',
    rowsKey: 'sps',
    filters: {
      'ord.patientid': 'text',
      'ord.patient_name': 'text',
      'ord.accession_number': 'exact',
      'ord.patient_sex': 'text',
      'ord.patient_birth_date': 'date',
      'ord.referring_physician': 'text',
      'order_sps.modality': 'exact',
      'order_sps.scheduled_procedure_step_id': 'exact',
      'order_sps.requested_procedure_id': 'exact',
      'order_sps.scheduled_station_aetitle': 'exact',
      'order_sps.scheduled_procedure_step_start_date': 'date',
      'order_sps.mpps_status': 'exact',
    },
    sorts: [],
    defaultRows: maxFoundOrders,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ sps: z.array(z.partial(foundStep)), page: wire.page }),
  errors: [],
})
