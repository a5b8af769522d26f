import { auditObject, type AuditEvent } from '@hilum/contract/calls/audit'
import type { AuditAct } from '@hilum/contract/audit-acts'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { hasLabel, type LabelKey, t } from '../labels/label.ts'
import { studyKeys } from './studies.ts'

/** Acts that the history of an exam tells in the words of the audit. */
const furtherActs = [
  'STUDY_RECEIVE',
  'STUDY_RETRIEVED',
  'STUDY_RETRIEVE',
  'STUDY_ANONYMIZE',
  'SCHEDULE',
  'SEND_ASKED',
  'SEND_CONFIRMED',
  'SEND',
  'HOLD',
  'HOLD_END',
  'MIXED_OVERRULED',
  'IMAGE_ADDED',
  'IMAGE_UPDATED',
  'IMAGE_DELETED',
  'SPLIT',
  'SPLIT_UNDONE',
  'MERGE',
  'MERGE_UNDONE',
  'LINK_OPEN',
] as const satisfies readonly AuditAct[]

const shownActions = [
  'CREATE',
  'EDIT',
  'STUDY_VIEW',
  'STUDY_DOWNLOAD',
  'DELETE',
  'DUPLICATE',
  'REVIVE',
  'RETRACT',
  'APPROVE',
  'REJECT',
  'CONFLICT_SETTLED',
  'REPORT_UPLOAD',
  'REPORT_REMOVE',
  'REPORT_KEPT',
  'REPORT_VIEW',
  'ROUTE',
  'NOMINATE',
  'NOMINATE_CANCEL',
  'NOMINATE_REJECT',
  'PUSH',
  'PUSH_SUCCESS',
  'PUSH_FAIL',
  'PUSH_COMMIT',
  ...furtherActs,
] as const

const shownEvents = 100

/** Latest audit events of a study, newest first, and whether there are more. */
export const studyHistoryQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'history'],
    queryFn: async ({ signal }) => {
      const list = { 'filter.action.in': shownActions, 'page.rows': shownEvents, 'page.number': 1 }
      const { events, page } = await callApi(auditObject, { uuid }, { signal, list })
      return { events, hasMore: page.more === 1 }
    },
  })

/** SUMMARY-02: the word for an audit event, by its action and what it was done to. */
export function historyLabel({
  action,
  type,
  detail,
}: Pick<AuditEvent, 'action' | 'type'> & { detail?: unknown }): LabelKey | undefined {
  if (action === 'ROUTE') return routeLabel(detail)
  const words: Record<string, LabelKey> = {
    'CREATE Study': 'history.upload',
    'CREATE Study_share': 'history.shared',
    'CREATE User_invite_share': 'history.invite',
    'EDIT Study_share': 'history.shareChanged',
    'DELETE Study_share': 'history.removeShare',
    'DELETE User_invite_share': 'history.removeShare',
    'DELETE Study': 'history.delete',
    'RETRACT Study': 'history.retracted',
    'APPROVE Study': 'history.approved',
    'REJECT Study': 'history.rejected',
    'APPROVE Study_share': 'history.approved',
    'REJECT Study_share': 'history.rejected',
    'CREATE Link': 'history.linkMade',
    'EDIT Link': 'history.linkChanged',
    'DELETE Link': 'history.linkRevoked',
  }
  const byAction: Record<string, LabelKey> = {
    STUDY_DOWNLOAD: 'history.download',
    STUDY_VIEW: 'history.view',
    EDIT: 'history.edit',
    DUPLICATE: 'history.copy',
    REVIVE: 'history.restore',
    CONFLICT_SETTLED: 'history.settled',
    REPORT_UPLOAD: 'history.attachmentAdded',
    REPORT_REMOVE: 'history.attachmentRemoved',
    REPORT_KEPT: 'history.reportKept',
    REPORT_VIEW: 'history.attachmentViewed',
    NOMINATE: 'history.nominated',
    NOMINATE_CANCEL: 'history.nominationCancelled',
    NOMINATE_REJECT: 'history.nominationRejected',
    PUSH: 'history.pushed',
    PUSH_SUCCESS: 'history.pushDone',
    PUSH_FAIL: 'history.pushFailed',
    PUSH_COMMIT: 'audit.act.PUSH_COMMIT',
  }
  const further = furtherActs.find((one) => one === action)
  return words[`${action} ${type}`] ?? byAction[action] ?? (further && `audit.act.${further}`)
}

function routeLabel(detail: unknown): LabelKey {
  const { state } = (detail ?? {}) as { state?: unknown } // compared below
  if (state === 'done') return 'history.routeDone'
  return state === 'failed' ? 'history.routeFailed' : 'history.routeNotMatched'
}

/** One field of an edit: what stood there and what stands there now. */
export interface HistoryChange {
  /** As the call names the field, or a custom field's own name. */
  name: string
  /** The word for the field; none for a custom field. */
  label: string | undefined
  before: string
  after: string
}

const fieldNames: Record<string, LabelKey> = {
  patient_name: 'field.patientName',
  patientid: 'field.mrn',
  issuer: 'mrn.issuer',
  patient_birth_date: 'field.birthDate',
  patient_sex: 'field.sex',
  study_description: 'field.description',
  study_date: 'field.studyDate',
  study_time: 'field.studyTime',
  modality: 'field.modality',
  accession_number: 'field.accession',
  referring_physician: 'field.referring',
  tags: 'field.tags',
  work_status: 'field.workStatus',
  run_at: 'share.when',
  expires_at: 'share.until',
  in_charge: 'audit.field.in_charge',
}

/** Fields of a share whose values are moments, as the wire has stamps. */
export const momentFields: ReadonlySet<string> = new Set(['run_at', 'expires_at'])

/**
 * Words beside an act: why an MRN of somebody else was given, or an exam sent under one, what was confirmed of the
 * patient, how many images came later, and who sent them by a request or a share code; what a share gives besides since
 * it was shared again.
 */
export function eventNotes({ action, detail }: Pick<AuditEvent, 'action' | 'detail'>): string[] {
  const {
    mrn_held: held,
    mrn_of_all: ofAll,
    mrn_reason: sentBecause,
    patient_confirmed: confirmed,
  } = (detail ?? {}) as {
    mrn_held?: { reason?: unknown }
    mrn_of_all?: { reason?: unknown; ended?: unknown }
    mrn_reason?: unknown
    patient_confirmed?: { differs?: unknown }
  } // checked below
  const kinds = Array.isArray(confirmed?.differs) ? confirmed.differs : []
  const differs = kinds.map((kind) => `identity.${kind}`).filter(hasLabel)
  return [
    ...arrivalNotes(action, detail),
    ...shareNotes(action, detail),
    ...(typeof held?.reason === 'string' ? [t('history.mrnReason', { reason: held.reason })] : []),
    ...(typeof ofAll?.reason === 'string' ? [t('history.mrnOfAll', { reason: ofAll.reason })] : []),
    ...(ofAll?.ended === true ? [t('history.mrnOfAllEnded')] : []),
    ...(typeof sentBecause === 'string' ? [t('history.pushReason', { reason: sentBecause })] : []),
    ...(differs.length > 0
      ? [t('history.patientConfirmed', { differs: differs.map((key) => t(key as 'identity.name-same')).join(' · ') })] // without slots
      : []),
  ]
}

function arrivalNotes(action: string, detail: unknown): string[] {
  if (action !== 'CREATE' && action !== 'IMAGE_ADDED') return []
  const {
    images,
    sender,
    by_share_code: byCode,
  } = (detail ?? {}) as {
    images?: unknown
    sender?: unknown
    by_share_code?: unknown
  } // checked below
  const isByCode = byCode === true
  const who = typeof sender === 'string' ? sender : ''
  const sent = who
    ? t(isByCode ? 'approval.sentByCode' : 'history.sentBy', { who })
    : isByCode && t('history.byShareCode')
  return [...(typeof images === 'number' ? [t('history.imagesLater', { count: images })] : []), ...(sent ? [sent] : [])]
}

const shareFacts = ['attachments', 'message', 'customfields', 'taken_over'] as const

function shareNotes(action: string, detail: unknown): string[] {
  const facts = (detail ?? {}) as Readonly<Record<string, unknown>> // an object by the contract of the audit
  if (action !== 'EDIT' || typeof facts['share'] !== 'string') return []
  return shareFacts.filter((name) => facts[name] === true).map((name) => t(`history.shareChanged.${name}`))
}

/** Whether a pair in the detail of an act is what stood there and what stands there now. */
export function tellsPairs(action: string): boolean {
  return action === 'EDIT' || action === 'ROLE_CHANGE'
}

/** A value on record as people read it; of a list its items, of an object its parts by their names. */
function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return t(value ? 'field.yes' : 'field.no')
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(plainText).join(', ')
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${plainText(part)}`)
    .join('; ')
}

/** A work status in words. */
function workText(status: unknown): string {
  const key = `work.${String(status)}`
  return hasLabel(key) ? t(key as 'work.done') : plainText(status) // without slots
}

/** The changes of an edit; none where the detail is no list of changes. */
export function historyChanges({ action, detail }: Pick<AuditEvent, 'action' | 'detail'>): HistoryChange[] {
  if (!tellsPairs(action) || typeof detail !== 'object' || detail === null) return []
  return Object.entries(detail).flatMap(([name, change]) => {
    if (!Array.isArray(change) || change.length !== 2) return []
    const key = fieldNames[name]
    const [before, after] = change.map((value) => (name === 'work_status' ? workText(value) : plainText(value)))
    const label = key && t(key as 'field.mrn') // without slots
    return [{ name, label, before: before ?? '', after: after ?? '' }]
  })
}
