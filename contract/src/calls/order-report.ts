import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { maxListedReports } from '../limits.ts'
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
  summary: `Lists reports by HL7 that came before their exam, of places whose orders the caller sees, those with a reason first, then those that wait longest; at most ${maxListedReports}.`,
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'seeOrders' },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ reports: z.array(waitingReport) }),
  errors: [],
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
