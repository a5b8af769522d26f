import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import type { OutsideAccess } from '../../../queries/outside-access.ts'

/** The exam or the place that is open to somebody; of several exams how many they are. */
export function whatText({ study_id, study_count: count, patient_name, right, namespace_name }: OutsideAccess): string {
  if (right === 'upload') return t('outside.placeItself', { place: namespace_name })
  if (count > 1) return t('outside.severalExams', { count })
  return study_id ? nameText(patient_name) || t('card.noName') : t('outside.unseenExam')
}

/** The patients whose exams a link to several shows, as far as the person may see them; empty of one exam. */
export function patientsText({ study_count: count, patient_names: names }: OutsideAccess): string {
  if (count < 2) return ''
  const shown = names.slice(0, namedPatients).map((name) => nameText(name) || t('card.noName'))
  const more = names.length - shown.length
  return [...shown, ...(more > 0 ? [t('outside.morePatients', { count: more })] : [])].join(' · ')
}

const namedPatients = 10

/** The people who have the access. */
export function accessHolderText({ kind, who }: OutsideAccess): string {
  return who || t(kind === 'code' ? 'outside.anyCode' : 'outside.anyLink')
}

/** An access in one line. */
export function accessLine(access: OutsideAccess): string {
  const what = [whatText(access), patientsText(access)].filter(Boolean).join(', ')
  return t(access.has_copy === 1 ? 'outside.lineWithCopy' : 'outside.line', { what, who: accessHolderText(access) })
}

/** Why an act on an access failed. */
export function outsideReason(failure: unknown): string {
  return t(`outside.reason.${reasonOf(failure)}`)
}

function reasonOf(failure: unknown) {
  switch (failure instanceof ApiFailure ? failureCode(failure) : '') {
    case 'NOT_FOUND':
    case 'EXPIRED':
      return 'gone'
    case 'NOT_PERMITTED':
      return 'notPermitted'
    case 'INVALID_FIELD':
      return 'shorter'
    case 'ERR_NETWORK':
      return 'network'
    default:
      return 'unknown'
  }
}
