import type { StepStatus } from '@hilum/contract/calls/order'

/** Sender and identifiers of a message, none of which names a patient. */
export interface OrderSender {
  /** The sending application and facility, as the message names them. */
  sender: string
  controlId: string
  /** Of the whole message: another message under the same id is another one. */
  digest: Buffer
  /** e.g. `ORM^O01` */
  type: string
  address: string
}

/** A patient as an order message names one; what is undefined was not said, what is empty is said not to be. */
export interface SentPatient {
  patientid: string
  /** The assigning authority of the number; empty where none is named. */
  issuer: string
  patient_name?: string | undefined
  /** YYYYMMDD or empty. */
  patient_birth_date?: string | undefined
  /** M, F, O or empty. */
  patient_sex?: string | undefined
}

export interface SentStep {
  modality?: string | undefined
  scheduled_procedure_step_id?: string | undefined
  requested_procedure_id?: string | undefined
  requested_procedure_description?: string | undefined
  scheduled_station_aetitle?: string | undefined
  scheduled_procedure_step_start_date?: string | undefined
  scheduled_procedure_step_start_time?: string | undefined
  scheduled_procedure_step_description?: string | undefined
  /** How far the step is (PS3.4 F.7.2). */
  status?: Exclude<StepStatus, 'PENDING'> | undefined
}

/** An act on an order, by the number that its maker gave it. */
export interface SentOrder {
  /** `put` makes or changes; `status` changes what is known; `cancel` takes away a step, or cancels the order with its last one. */
  act: 'put' | 'status' | 'cancel' | 'cancel-step'
  order_number: string
  accession_number?: string | undefined
  referring_physician?: string | undefined
  sending_facility?: string | undefined
  /** The study that the images shall be. */
  study_uid?: string | undefined
  step: SentStep
}

/** A report about an exam, as another system sends it. */
export interface SentReport {
  /** The number of the report with its sender: what is corrected or withdrawn comes under the same one. */
  number: string
  /** The accession number where the message names one as such. */
  accession_number?: string | undefined
  /** Numbers of the order and of what filled it; without an accession number the exam is found by these. */
  order_numbers: readonly string[]
  study_uid?: string | undefined
  status: 'preliminary' | 'final' | 'corrected' | 'withdrawn'
  documents: readonly SentDocument[]
}

export interface SentDocument {
  ending: 'pdf' | 'txt'
  bytes: Uint8Array
}

/** A message about orders, as another system sends it. */
export type SentMessage =
  | { kind: 'orders'; patient: SentPatient | undefined; orders: readonly SentOrder[] }
  | { kind: 'reports'; patient: SentPatient; reports: readonly SentReport[] }
  | { kind: 'patient'; patient: SentPatient }
  | { kind: 'merge'; patient: SentPatient; prior: { patientid: string; issuer: string } }
  | { kind: 'unlink'; patients: readonly [SentPatient, SentPatient] }

/** Why a message changes nothing. */
export type RefusalOfMessage =
  | 'unknown-order'
  | 'unknown-step'
  | 'unknown-exam'
  | 'too-many-reports'
  | 'several-patients'
  | 'other-patient'
  | 'no-patient'
  | 'same-number'

/** A message that was understood and changes nothing. The words hold no patient data. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused'
  readonly reason: RefusalOfMessage

  constructor(reason: RefusalOfMessage, words: string) {
    super(words)
    this.reason = reason
  }
}
