import type { Study } from '@hilum/contract/entities/study'
import { ApiFailure, failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'

/** Whether a gatekeeper group sends nothing since its configuration cannot be read. */
export function isNotConfigured(failure: unknown): boolean {
  return failureCode(failure) === 'NOT_SUPPORTED' && failure instanceof ApiFailure && failure.subtype === 'inbox_config'
}

/** Why a study was not taken to be sent to a destination. */
export function pushFailureText(error: Error, study: Pick<Study, 'nomination'>): string {
  const code = failureCode(error)
  if (code === 'NOT_READY') return t('pacs.notReady')
  if (code === 'SECOND_PERSON') return t('pacs.secondPerson')
  if (code === 'NOT_NOMINATED') {
    if (!study.nomination) return t('process.noNomination')
    return t(study.nomination.side === 'gate' ? 'pacs.rejectedHere' : 'pacs.rejected')
  }
  if (isNotConfigured(error)) return t('pacs.notConfigured')
  if (code === 'STALE') return t('pacs.askedAnew')
  if (code === 'FOREIGN_MRN') return t('pacs.foreignMrn')
  return t(code === 'PENDING' ? 'pacs.pending' : 'pacs.failed')
}
