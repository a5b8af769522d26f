import { actorName } from '@hilum/contract/audit-actors'
import type { AccountAuditEvent, AuditEvent } from '@hilum/contract/calls/audit'

const words = ['when', 'who', 'proxy', 'client_address', 'action', 'type', 'what', 'object_name', 'with'] as const
const ofStudy = ['patient_name', 'patientid', 'issuer', 'accession_number', 'study_description', 'study_date'] as const

/** Columns of a file of audit events, by the names of the wire; a new one comes last, for programs that read by place. Times are in UTC. */
export const auditHead = [...words, ...ofStudy, 'detail', 'actor_kind']

type Event = AuditEvent & Partial<Pick<AccountAuditEvent, 'object_name'>> & { study?: Study | null }
type Study = Partial<Record<(typeof ofStudy)[number], string>>

export function auditLine(event: Event): string[] {
  return [
    ...words.map((word) => (word === 'who' ? actorName(event) : (event[word] ?? ''))),
    ...ofStudy.map((field) => event.study?.[field] ?? ''),
    JSON.stringify(event.detail),
    event.actor_kind,
  ]
}
