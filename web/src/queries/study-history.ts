import { auditObject, type AuditEvent } from '@hilum/contract/calls/audit'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { type LabelKey, t } from '../labels/label.ts'
import { studyKeys } from './studies.ts'

const shownActions = [
  'CREATE',
  'EDIT',
  'STUDY_VIEW',
  'STUDY_DOWNLOAD',
  'DELETE',
  'DUPLICATE',
  'REVIVE',
  'CONFLICT_SETTLED',
  'REPORT_UPLOAD',
  'REPORT_REMOVE',
  'REPORT_VIEW',
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
export function historyLabel({ action, type }: Pick<AuditEvent, 'action' | 'type'>): LabelKey | undefined {
  const words: Record<string, LabelKey> = {
    'CREATE Study': 'history.upload',
    'CREATE Study_share': 'history.shared',
    'CREATE User_invite_share': 'history.invite',
    'DELETE Study_share': 'history.removeShare',
    'DELETE User_invite_share': 'history.removeShare',
    'DELETE Study': 'history.delete',
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
    REPORT_VIEW: 'history.attachmentViewed',
  }
  return words[`${action} ${type}`] ?? byAction[action]
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
}

/** Why a patient got an MRN that somebody else holds too. */
export function mrnReason({ detail }: Pick<AuditEvent, 'detail'>): string | undefined {
  const { mrn_held: held } = (detail ?? {}) as { mrn_held?: { reason?: unknown } } // checked below
  return typeof held?.reason === 'string' ? held.reason : undefined
}

/** The changes of an edit; none where the detail is no list of changes. */
export function historyChanges({ action, detail }: Pick<AuditEvent, 'action' | 'detail'>): HistoryChange[] {
  if (action !== 'EDIT' || typeof detail !== 'object' || detail === null) return []
  return Object.entries(detail).flatMap(([name, change]) => {
    if (!Array.isArray(change) || change.length !== 2) return []
    const key = fieldNames[name]
    const [before, after] = change.map((value) => (value === null || value === undefined ? '' : String(value)))
    const label = key && t(key as 'field.mrn') // without slots
    return [{ name, label, before: before ?? '', after: after ?? '' }]
  })
}
