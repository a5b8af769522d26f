import type { Study } from '@hilum/contract/entities/study'
import { restoreDays } from '@hilum/contract/limits'
import { ApiFailure } from '../../api/api-failure.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import type { DeleteResult } from '../../queries/exam-acts.ts'
import type { ActMessage } from '../../state/act-messages.ts'

/** DELETE-02: counts of failed and of successful deletions, with a reason for each that failed. */
export function tellDeleted(results: readonly DeleteResult[]): ActMessage[] {
  const failed = results.filter(({ failure }) => failure)
  const done = results.filter(({ failure }) => !failure)
  const messages: ActMessage[] = []
  if (failed.length > 0) {
    messages.push({
      tone: 'failed',
      text: t('delete.failed', { count: failed.length }),
      details: failed.map(({ study, failure }) => tellOne(study, failure)),
      restorable: [],
    })
  }
  if (done.length > 0) {
    messages.push({
      tone: 'completed',
      text: t('delete.done', { count: done.length }),
      details: [t('delete.text', { days: restoreDays })],
      restorable: done.map(({ study }) => study),
    })
  }
  return messages
}

function tellOne(study: Study, failure: unknown): string {
  return t('delete.failedItem', {
    name: nameText(study.patient_name) || t('card.noName'),
    reason: deleteReason(failure),
  })
}

/** ERROR-20: the reasons are told apart. */
export function deleteReason(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return t('delete.reason.other')
  const { code, subtype } = failure
  if (code === 'NOT_PERMITTED' && subtype === 'hold') return t('delete.reason.hold')
  if (code === 'NOT_PERMITTED' && subtype === 'frozen') return t('delete.reason.frozen')
  if (code === 'NOT_PERMITTED') return t('delete.reason.NOT_PERMITTED')
  if (code === 'NOT_FOUND') return t('delete.reason.NOT_FOUND')
  if (code === 'MISSING_FIELDS') return t('delete.reason.MISSING_FIELDS')
  if (code === 'ERR_NETWORK') return t('delete.reason.network')
  return t('delete.reason.other')
}
