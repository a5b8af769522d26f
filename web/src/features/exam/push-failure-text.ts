import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'

/** Why a study was not taken to be sent to a destination. */
export function pushFailureText(error: Error): string {
  const code = failureCode(error)
  if (code === 'NOT_READY') return t('pacs.notReady')
  if (code === 'SECOND_PERSON') return t('pacs.secondPerson')
  return t(code === 'PENDING' ? 'pacs.pending' : 'pacs.failed')
}
