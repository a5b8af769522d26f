import type { StoredOrder, StoredStep } from './order-write.sql.ts'

/** An order that says nothing yet. */
export const emptyOrder: Omit<StoredOrder, 'uuid' | 'account_uuid' | 'namespace_uuid'> = {
  order_number: '',
  accession_number: '',
  patientid: '',
  issuer: '',
  patient_name: '',
  search: '',
  patient_sex: '',
  patient_birth_date: '',
  referring_physician: '',
  sending_facility: '',
  study_uid: '',
  source: '',
  is_cancelled: false,
  customfields: {},
}

/** A step that says nothing yet. */
export const emptyStep: Omit<StoredStep, 'uuid' | 'account_uuid' | 'order_uuid'> = {
  modality: '',
  scheduled_procedure_step_id: '',
  requested_procedure_id: '',
  requested_procedure_description: '',
  scheduled_station_aetitle: '',
  scheduled_procedure_step_start_date: '',
  scheduled_procedure_step_start_time: '',
  scheduled_procedure_step_description: '',
}
