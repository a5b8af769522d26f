import type { Study } from '@hilum/contract/entities/study'
import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'

/** Why a study was not taken to be sent to a destination. */
export function pushFailureText(error: Error, study: Pick<Study, 'nomination'>): string {
  const code = failureCode(error)
  if (code === 'NOT_READY') return t('pacs.notReady')
  if (code === 'SECOND_PERSON') return t('pacs.secondPerson')
  if (code === 'NOT_NOMINATED') {
    if (!study.nomination) return t('process.noNomination')
    return t(study.nomination.side === 'gate' ? 'pacs.rejectedHere' : 'pacs.rejected')
  }
  if (code === 'FOREIGN_MRN') return t('pacs.foreignMrn')
  return t(code === 'PENDING' ? 'pacs.pending' : 'pacs.failed')
}
