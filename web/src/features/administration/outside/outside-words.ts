import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import type { OutsideAccess } from '../../../queries/outside-access.ts'

/** The exam or the place that is open to somebody. */
export function whatText({ study_id, patient_name, right, namespace_name }: OutsideAccess): string {
  if (right === 'upload') return t('outside.placeItself', { place: namespace_name })
  return study_id ? nameText(patient_name) || t('card.noName') : t('outside.unseenExam')
}

/** The people who have the access. */
export function accessHolderText({ kind, who }: OutsideAccess): string {
  return who || t(kind === 'code' ? 'outside.anyCode' : 'outside.anyLink')
}

/** An access in one line. */
export function accessLine(access: OutsideAccess): string {
  return t('outside.line', { what: whatText(access), who: accessHolderText(access) })
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
