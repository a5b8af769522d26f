import { auditObject, type AuditEvent } from '@hilum/contract/calls/audit'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import type { LabelKey } from '../labels/label.ts'
import { studyKeys } from './studies.ts'

const shownActions = ['CREATE', 'EDIT', 'STUDY_VIEW', 'STUDY_DOWNLOAD', 'DELETE'] as const

/** What happened to a study, newest first. */
export const studyHistoryQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'history'],
    queryFn: async ({ signal }) => {
      const list = { 'filter.action.in': shownActions, 'page.rows': 100, 'page.number': 1 }
      return (await callApi(auditObject, { uuid }, { signal, list })).events
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
  }
  if (action === 'STUDY_DOWNLOAD') return 'history.download'
  if (action === 'STUDY_VIEW') return 'history.view'
  if (action === 'EDIT') return 'history.edit'
  return words[`${action} ${type}`]
}
