import { actorName } from '@hilum/contract/audit-actors'
import { holdingKinds } from '@hilum/contract/calls/account-leaver'
import { storedFlags } from '@hilum/contract/calls/customfield'
import { endedBecause } from '@hilum/contract/ended-because'
import { permissions } from '@hilum/contract/permissions'
import { type DateFormat, formatDate } from '../../../format/dates.ts'
import { nameText } from '../../../format/person-name.ts'
import { hasLabel, t } from '../../../labels/label.ts'
import { doorText } from '../door-text.ts'
import { type AccountAuditEvent, kindText } from '../../../queries/audit.ts'
import { eventNotes, historyChanges, momentFields, tellsPairs } from '../../../queries/study-history.ts'

/** The actor's name, or a DICOM node's AE title; the installation itself has none. */
export function whoText(event: AccountAuditEvent): string {
  return actorName(event, { link: t('audit.byLink'), system: t('audit.system') })
}

/**
 * By whom and where to an event gave access, in words, and the key that is one for each: two people of one name have two,
 * as have a person, a program with the person's key and a supporter signed in as the person.
 */
export function accessInWords(event: AccountAuditEvent): { key: string; who: string; asides: string[] } {
  const { actor_kind: kind, actor_id: id, proxy } = event
  const asides = [...whoAsides({ ...event, client_address: '' }), ...departureTexts(event)]
  return {
    key: JSON.stringify([kind, id || whoText(event), proxy, departureTexts(event)]),
    who: whoText(event),
    asides,
  }
}

/** The destination that images went to, and who had asked for it. */
function departureTexts({ detail }: AccountAuditEvent): string[] {
  const { destination, asked_by: asker } = (detail ?? {}) as { destination?: unknown; asked_by?: Asker } // checked below
  return [
    ...(typeof destination === 'string' && destination
      ? [t('audit.fact', { field: fieldText('destination'), value: destination })]
      : []),
    ...askerTexts(asker),
  ]
}

type Asker = { name?: unknown; kind?: unknown; proxy?: unknown } | undefined

function askerTexts(asker: Asker): string[] {
  if (typeof asker?.name !== 'string') return []
  const { name, kind, proxy } = asker
  const value = [
    name,
    ...(typeof proxy === 'string' && proxy ? [t('audit.proxy', { proxy })] : []),
    ...(kind === 'key' ? [t('audit.byKey')] : []),
  ].join(' · ')
  return [t('audit.fact', { field: fieldText('asked_by'), value })]
}

/** Facts beside the actor: in whose name, by which way, from where. */
export function whoAsides(event: AccountAuditEvent): string[] {
  const { actor_kind: kind, who, proxy, client_address: address } = event
  return [
    ...(proxy ? [t('audit.proxy', { proxy })] : []),
    ...(kind === 'key' ? [t('audit.byKey')] : []),
    ...(kind === 'link' && who ? [t('audit.byLink')] : []),
    ...(kind === 'node' ? [t('audit.byNode')] : []),
    ...(address ? [address] : []),
  ]
}

/** The thing that the act was done to, by its name; an exam by its patient. */
export function objectText({ study, object_name: name, type }: AccountAuditEvent): string {
  if (study) return nameText(study.patient_name) || study.patientid || kindText(type)
  return name || kindText(type)
}

/** Facts beside the thing: its kind, and which exam. */
export function objectAsides(event: AccountAuditEvent, dateFormat: DateFormat): string[] {
  const { study, type, object_name: name, with: party } = event
  return [
    ...(study || name ? [kindText(type)] : []),
    ...(study ? examFacts(study, dateFormat) : []),
    ...(party && !handedOver(event) ? [t('audit.party', { party })] : []),
  ]
}

function examFacts(study: NonNullable<AccountAuditEvent['study']>, dateFormat: DateFormat): string[] {
  const { patient_name: name, patientid, study_description: description, modality, study_date: date } = study
  return [name ? patientid : '', description, modality, formatDate(date, dateFormat)].filter(Boolean)
}

const mostChanges = 4

/** Fields that are 1 or 0 on record. */
const flags: ReadonlySet<string> = new Set([
  'pin_required',
  'password_reset',
  'sso_only',
  'event_share',
  'event_harvest',
  'event_approve',
  'sysadmin',
  'support',
  'required',
  'pin_demanded',
  'is_on',
  'creates_people',
  'trusts_second_factor',
  'must_approve',
  'must_approve_upload',
  'must_approve_harvest',
  'must_approve_move',
  'no_share',
  'download',
  'attachments',
  'allow_copies',
  ...storedFlags,
  ...permissions,
])

/**
 * The word for a field of an organisation, of a thing or of a person; the sentence for a right of a role; of a custom field
 * its name. The wire's own name where a newer server wrote one.
 */
function fieldText(name: string): string {
  if (name.startsWith('customfield-')) return name.slice('customfield-'.length)
  const key = [`audit.field.${name}`, `roles.can.${name}`, `roles.fieldName.${name}`].find(hasLabel)
  return key ? t(key as 'audit.field.name').replace(/\.$/, '') : name // without slots
}

function valueText(name: string, value: string, stampText: (stamp: string) => string): string {
  if (momentFields.has(name) && value !== '') return stampText(value)
  if (!flags.has(name) || value === '') return value || t('field.none')
  return t(value === '1' ? 'field.yes' : 'field.no')
}

/**
 * The changes of an edit, further facts of the act and reasons that were given, in names and words.
 * @param most changes that are told one by one; further ones are counted
 */
export function changeTexts(
  event: AccountAuditEvent,
  stampText: (stamp: string) => string,
  most = mostChanges,
): string[] {
  const edits = historyChanges(event).filter(({ name }) => name !== 'fields')
  const changes = edits.map(({ name, label, before, after }) =>
    t('history.change', {
      field: label ?? fieldText(name),
      before: valueText(name, before, stampText),
      after: valueText(name, after, stampText),
    }),
  )
  const shown = changes.slice(0, most)
  return [
    ...shown,
    ...(changes.length > shown.length ? [t('audit.more', { count: changes.length - shown.length })] : []),
    ...factTexts(event),
    ...handedOverTexts(event),
    ...eventNotes(event),
  ].map((text) => withNames(text, event.names))
}

/** Things that a person who left had held, and the name of their new holder; undefined of any other act. */
function handedOver({ detail, names }: AccountAuditEvent): { things: string; to: string } | undefined {
  const facts = (detail ?? {}) as Readonly<Record<string, unknown>> // an object by the contract of the audit
  const { handed_over: given, ended, to, with: taker, count } = facts
  const kind = holdingKinds.find((one) => one === given || one === ended)
  if (!kind || typeof count !== 'number') return undefined
  return { things: t(`leavers.kind.${kind}`, { count }), to: given ? (names[String(to)] ?? String(taker)) : '' }
}

function handedOverTexts(event: AccountAuditEvent): string[] {
  const given = handedOver(event)
  if (!given) return []
  const { things, to: name } = given
  return [name ? t('audit.handedOver', { name, things }) : t('audit.ended', { things })]
}

/** Facts of an act that are no change from one value to another. */
function factTexts({ action, detail, names }: AccountAuditEvent): string[] {
  const facts = (detail ?? {}) as Readonly<Record<string, unknown>> // an object by the contract of the audit
  const { fields, act, because, by, images, may_have_left: mayHaveLeft } = facts
  // a code of programs, or a link that was given to nobody by name
  const isUnsaid = (name: string, value: unknown) =>
    codes.has(`${action} ${name}`) || (name === 'link' && names[String(value)] === undefined)
  const changed = [...(Array.isArray(fields) ? fields.map(String) : []), ...changedUnsaid(action, facts)]
  return [
    ...(changed.length > 0 ? [t('audit.fields', { fields: changed.map(fieldText).join(', ') })] : []),
    ...(action === 'ROLE_CHANGE' && by === 'operator' ? [t('audit.byOperator')] : []),
    ...endedBecause.filter((one) => one === because).map((one) => t(`audit.because.${one}`)),
    ...(action === 'ACCESS_REFUSED' && typeof act === 'string' ? [doorText(act)] : []),
    ...namedFacts.flatMap((name) => {
      const value = isUnsaid(name, facts[name]) ? '' : factValue(facts[name], tellsPairs(action))
      return value ? [t('audit.fact', { field: fieldText(name), value })] : []
    }),
    ...askerTexts(facts['asked_by'] as Asker),
    ...(action.startsWith('PUSH') && typeof images === 'number'
      ? [t('audit.fact', { field: fieldText('images'), value: String(images) })]
      : []),
    ...(action === 'PUSH_FAIL' && mayHaveLeft === true ? [t('audit.mayHaveLeft')] : []),
  ]
}

/** Names of values that changed and are not said, since they may be secret. */
function changedUnsaid(action: string, facts: Readonly<Record<string, unknown>>): string[] {
  if (action !== 'EDIT') return []
  return Object.keys(facts).filter((name) => facts[name] === 'changed' || (name === 'secret' && facts[name] === 'new'))
}

/** Facts that name people, roles and places, and what people gave as their reason. */
const namedFacts = [
  'user_id',
  'role_uuid',
  'role_id',
  'groups',
  'locations',
  'setting',
  'destination',
  'link',
  'reason',
  'text',
] as const

/** Facts that are codes of programs. */
const codes: ReadonlySet<string> = new Set(
  ['LOGIN_FAILED', 'LINK_REFUSED', 'ROUTE', 'ORDER_MESSAGE'].map((action) => `${action} reason`),
)

/** @param isPair whether a pair is told as a change */
function factValue(value: unknown, isPair: boolean): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) && !isPair ? value.filter(Boolean).join(', ') : ''
}

const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** A text with the name in place of every id. */
function withNames(text: string, names: Readonly<Record<string, string>>): string {
  return text
    .replaceAll(/,(?=[0-9a-f]{8}-[0-9a-f]{4}-)/g, ', ')
    .replaceAll(id, (one) => names[one] ?? t('audit.unnamed'))
}
