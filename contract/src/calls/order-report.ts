import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

/** A report by HL7 that waits for its exam. */
const waitingReport = z.object({
  uuid: z.string(),
  namespace_id: z.string(),
  received: z.string(),
  /** Application and facility of the system that sent it. */
  sender: z.string(),
  patient_name: z.string(),
  patientid: z.string(),
  patient_birth_date: z.string(),
  number: z.string(),
  accession_number: z.string(),
  status: z.enum(['preliminary', 'final', 'corrected', 'withdrawn']),
  documents: z.number(),
  /** Why an exam that came did not take it; empty while none came. */
  reason: z.string(),
})
export type WaitingReport = z.infer<typeof waitingReport>

export const orderReportList = defineCall({
  path: 'order/report/list',
  reads: true,
  summary:
    'Lists reports by HL7 that came before their exam, of places whose orders the caller sees, those with a reason first, then those that wait longest.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'seeOrders' },
  list: {
    object: 'report',
    rowsKey: 'reports',
    filters: {
      namespace_id: 'uuid',
      patientid: 'text',
      patient_name: 'text',
      accession_number: 'exact',
      number: 'exact',
      received: 'stamp',
    },
    sorts: ['received', 'patient_name', 'patientid', 'reason'],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ reports: z.array(z.partial(waitingReport)), page: wire.page }),
  errors: [],
})

/** A report with the exam that it names, and its documents. */
const openedReport = z.extend(waitingReport, {
  study_uid: z.string(),
  /** The texts of the report as they came; of a PDF only the size, until `document` asks for one. */
  texts: z.array(z.string()),
  /** Size in bytes of each PDF. */
  pdfs: z.array(z.number()),
  /** The PDF that `document` asked for, in Base64. */
  pdf: z.nullable(z.string()),
})
export type OpenedReport = z.infer<typeof openedReport>

export const orderReportGet = defineCall({
  path: 'order/report/get',
  reads: true,
  summary:
    'Reads a report that waits for its exam, on record: its texts, and of its PDFs the size. document asks for one of them in Base64, from 0.',
  ours: true,
  on: { kind: 'account', owner: 'waiting_report', by: ['uuid'], may: 'seeOrders' },
  input: z.object({ uuid: wire.id(), document: z.optional(wire.integer()) }),
  output: openedReport,
  errors: ['INVALID_INTEGER'],
})

export const orderReportAttach = defineCall({
  path: 'order/report/attach',
  summary:
    'Attaches a report that waits to an exam of its place, whatever Study UID and accession number the report names; the patient must be the same. NOT_AVAILABLE says by error_subtype why not: other-patient, several-patients, or store where its documents cannot be stored.',
  ours: true,
  on: { kind: 'account', owner: 'waiting_report', by: ['uuid'], may: 'editOrders' },
  decides: { study_id: 'attachFile' },
  input: z.object({ uuid: wire.id(), study_id: wire.id() }),
  output: wire.statusOnly,
  errors: ['NOT_AVAILABLE'],
})

export const orderReportDelete = defineCall({
  path: 'order/report/delete',
  summary: 'Removes a report that waits for its exam, with its documents.',
  ours: true,
  on: { kind: 'account', owner: 'waiting_report', by: ['uuid'], may: 'editOrders' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: [],
})
