import { type DateFormat, formatDate, formatStamp } from '../../../../format/dates.ts'
import { nameText } from '../../../../format/person-name.ts'
import { t } from '../../../../labels/label.ts'
import type { HeldThing, HoldingKind } from '../../../../queries/leavers.ts'

/** Things in words, as "2 open links, 1 routing rule". */
export function heldText(holdings: readonly { kind: HoldingKind; count: number }[]): string {
  return holdings.map(({ kind, count }) => t(`leavers.kind.${kind}`, { count })).join(', ')
}

/** Kinds of things whose name is that of a receiver. */
const given: readonly HoldingKind[] = ['links', 'requests', 'nominations']

/** One thing by what it is told from others, as "to gp@practice.example · Doe, Jane · M-1 · Emergency". */
export function thingText(kind: HoldingKind, thing: HeldThing, dateFormat: DateFormat, timeZone: string): string {
  const { name, expires_at: end } = thing
  const parts = [
    name && given.includes(kind) ? t('leavers.given', { name }) : name,
    nameText(thing.patient_name),
    thing.patientid,
    thing.study_description,
    formatDate(thing.study_date, dateFormat),
    // the place of personal exams is the leaver's own
    kind === 'studies' ? '' : thing.namespace_name,
    end === null ? '' : t('leavers.until', { when: formatStamp(end, dateFormat, timeZone) }),
  ]
  return parts.filter(Boolean).join(' · ') || t('leavers.unnamed')
}
