import type { ReceivedShare } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { ApiFailure } from '../../api/api-failure.ts'
import { type DateFormat, formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { hasLabel, t } from '../../labels/label.ts'
import type { ShareResult } from '../../queries/shares.ts'
import { failureText } from './act-failure.tsx'

/**
 * By whom a study came, and from where: of another organisation with its name, since many have a place of one name. Images
 * that came later are counted.
 */
export function receivedText({
  by_name: who,
  from_name: place,
  from_account: account,
  ...share
}: ReceivedShare): string {
  const text = account ? t('share.receivedOutside', { who, place, account }) : t('share.received', { who, place })
  const { late_image_count: count } = share
  return count > 0 ? `${text} · ${t('share.lateImages', { count })}` : text
}

/** Why a study was not shared, in words a person can use. */
export function shareReason(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return failureText(failure)
  const { code, subtype } = failure
  if (code === 'SHARE_FAILED' && subtype === 'OTHER_PATIENT') return otherPatient(failure.data)
  if (code === 'SHARE_FAILED' && subtype === 'SAME') return t('share.reason.SAME')
  if (code === 'SHARE_FAILED') return t('share.reason.NO_DESTINATION')
  if (code === 'NOT_READY' && subtype === 'mixed_patients') return t('share.reason.mixed')
  if (code === 'PHANTOM') return t('share.reason.PHANTOM')
  if (code === 'NOT_PERMITTED' && subtype === 'frozen') return t('share.reason.frozen')
  if (code === 'NOT_PERMITTED' && subtype === 'must_approve') return t('share.reason.must_approve')
  if (code === 'NOT_PERMITTED' && subtype === 'attachments') return t('links.fault.attachments')
  if (code === 'NOT_FOUND') return t('share.reason.notFound')
  if (code === 'INVALID_CUSTOMFIELD') return t('share.reason.fields')
  return failureText(failure)
}

/** Why a share or a link that was stopped was not brought back, in words a person can use. */
export function undoReason(failure: unknown): string {
  return failure instanceof ApiFailure && failure.code === 'EXPIRED' ? t('share.undoLate') : shareReason(failure)
}

/** The contradictions, in the words of the identity comparison. */
function otherPatient(data: unknown): string {
  const { reasons } = (data ?? {}) as { reasons?: unknown } // checked below
  const keys = (Array.isArray(reasons) ? reasons : []).map((one) => `identity.${String(one)}`).filter(hasLabel)
  if (keys.length === 0) return t('share.reason.otherPatient')
  return t('share.reason.OTHER_PATIENT', {
    reasons: keys.map((key) => t(key as 'identity.name-different').toLowerCase()).join(', '),
  })
}

/** One line for each that was not shared; of several studies each by patient, MRN, exam and date. */
export function failedLines(
  results: readonly (Pick<ShareResult, 'study' | 'failure'> & { recipient: { name: string } })[],
  dateFormat: DateFormat,
  reasonOf: (failure: unknown) => string = shareReason,
): string[] {
  const isMany = new Set(results.map(({ study }) => study.uuid)).size > 1
  return results.flatMap(({ study, recipient, failure }) => {
    if (!failure) return []
    const name = isMany
      ? t('share.failedExam', { exam: examText(study, dateFormat), name: recipient.name })
      : recipient.name
    return [t('share.failedItem', { name, reason: reasonOf(failure) })]
  })
}

/** An exam by patient, MRN, description and date. */
export function examText(study: Study, dateFormat: DateFormat): string {
  const patient = nameText(study.patient_name) || t('card.noName')
  const date = formatDate(study.study_date, dateFormat)
  return [patient, study.patientid, study.study_description, date].filter(Boolean).join(', ')
}
