import { toCsv } from '@hilum/contract/csv'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import { type AccountAuditEvent, actText, kindText } from '../../../queries/audit.ts'
import { changeTexts, objectText, whoText } from './event-words.ts'

/** Events as CSV: words for people, and the wire's own names and details for programs. Times are in UTC. */
export function auditTable(events: readonly AccountAuditEvent[]): string {
  const head = [
    t('audit.when'),
    t('audit.who'),
    t('audit.proxyColumn'),
    t('audit.address'),
    t('audit.what'),
    'action',
    t('audit.kind'),
    t('audit.whom'),
    'what',
    t('audit.patientName'),
    t('audit.mrn'),
    t('audit.issuer'),
    t('audit.accession'),
    t('audit.description'),
    t('audit.changes'),
    t('audit.detail'),
    // a new column comes last, for programs that read by place
    'actor_kind',
  ]
  const stampText = (stamp: string) => `${stamp.slice(0, 19)}Z`
  const rows = events.map((event) => {
    const { study } = event
    return [
      stampText(event.when),
      whoText(event),
      event.proxy,
      event.client_address,
      actText(event.action),
      event.action,
      kindText(event.type),
      // a patient has columns of the own
      study ? '' : objectText(event),
      event.what,
      nameText(study?.patient_name),
      study?.patientid ?? '',
      study?.issuer ?? '',
      study?.accession_number ?? '',
      study?.study_description ?? '',
      changeTexts(event, stampText, Number.POSITIVE_INFINITY).join('; '),
      JSON.stringify(event.detail),
      event.actor_kind,
    ]
  })
  return toCsv([head, ...rows])
}
