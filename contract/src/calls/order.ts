import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { customField } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

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
export const orderObject = z.object({
  uuid: z.string(),
  patientid: z.string(),
  patient_name: z.string(),
  accession_number: z.string(),
  order_number: z.string(),
  patient_sex: z.string(),
  patient_birth_date: z.string(),
  referring_physician: z.string(),
  sending_facility: z.string(),
  created: z.string(),
  tags: z.array(z.string()),
  customfields: z.array(customField),
  sps: z.array(orderStep),
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
    },
    sorts: ['created', 'patient_name', 'patientid', 'accession_number', 'patient_birth_date'],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ orders: z.array(z.partial(orderObject)), page: wire.page }),
  errors: [],
})

export const orderGet = defineCall({
  path: 'order/get',
  reads: true,
  summary: 'Reads one order.',
  on: { kind: 'account', by: ['uuid'], owner: 'imaging_order', may: 'seeOrders' },
  input: z.object({ uuid: wire.id() }),
  output: orderObject,
  errors: [],
})
