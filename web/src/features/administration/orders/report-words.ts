import type { Study } from '@hilum/contract/entities/study'
import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { type DateFormat, formatDate, formatTime } from '../../../format/dates.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import type { WaitingReport } from '../../../queries/waiting-reports.ts'

export function nameOfReport({ patient_name: name }: WaitingReport): string {
  return nameText(name) || t('card.noName')
}

/** An exam among others of its patient: two of one day differ in their time and number of images. */
export function nameOfExam(study: Partial<Study>, dateFormat: DateFormat): string {
  const when = [formatDate(study.study_date, dateFormat), formatTime(study.study_time)].filter(Boolean).join(' ')
  const images = study.image_count == null ? '' : t('orders.images', { count: study.image_count })
  const words = [study.modality, study.study_description, when, images, study.accession_number].filter(Boolean)
  return words.join(' · ') || t('summary.elsewhereExam')
}

/** Why a report was not attached to an exam. */
export function attachFault(failure: unknown): string {
  const subtype = failure instanceof ApiFailure ? failure.subtype : undefined
  switch (failureCode(failure)) {
    case 'NOT_AVAILABLE':
      return t(`orders.cannotAttach.${reasonOf(subtype)}`)
    case 'NOT_PERMITTED':
      return t('orders.attachMayNot')
    case 'NOT_FOUND':
      return t('orders.attachGone')
    case 'ERR_NETWORK':
      return t('users.reason.network')
    default:
      return t('orders.attachUndone')
  }
}

function reasonOf(subtype: unknown): 'other-patient' | 'several-patients' | 'store' {
  return subtype === 'other-patient' || subtype === 'several-patients' ? subtype : 'store'
}

/** Why a report was not removed. */
export function removeFault(failure: unknown): string {
  switch (failureCode(failure)) {
    case 'NOT_PERMITTED':
      return t('orders.removeMayNot')
    case 'NOT_FOUND':
      return t('orders.reportGone')
    case 'ERR_NETWORK':
      return t('users.reason.network')
    default:
      return t('orders.removeUndone')
  }
}
