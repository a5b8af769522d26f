import { maxPriorities } from '@hilum/contract/gate-fields'
import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { refusedFieldsText } from '../../../fields/custom-field-fault.ts'
import { t } from '../../../labels/label.ts'
import { usesText } from '../../../labels/uses-text.ts'
import type { PlaceKinds } from '../../../queries/account-groups.ts'

/** Why something was not done to a group or location or to its people, in words. */
export function placeReason(of: PlaceKinds, failure: unknown): string {
  const subtype = failure instanceof ApiFailure ? failure.subtype : undefined
  switch (failureCode(failure)) {
    case 'NOT_EMPTY':
      return t('groups.reason.NOT_EMPTY')
    case 'IN_USE':
      return usesText(failure instanceof ApiFailure ? failure.data : undefined)
    case 'NOT_PERMITTED':
      return t(subtype === 'ROLE_ABOVE' ? 'users.reason.ROLE_ABOVE' : 'users.reason.notPermitted')
    case 'ACCOUNT_NOT_FOUND':
    case 'NOT_FOUND':
      return t(`${of}.reason.gone`)
    case 'USER_NOT_FOUND':
      return t('users.reason.gone')
    case 'CAN_NOT_PROMOTE':
      return t('groups.reason.roleTooHigh')
    case 'ROLE_NOT_FOUND':
      return t('users.roleGone')
    case 'ROLE_NAMESPACE_MISMATCH':
      return t('users.roleUnfit')
    case 'ERR_NETWORK':
      return t('users.reason.network')
    default:
      return t('users.reason.other')
  }
}

/** Messages beside the fields of the form of a group or location, and one above them all. */
export type PlaceFaults = Partial<
  Record<
    | 'name'
    | 'designation'
    | 'role'
    | 'shareCode'
    | 'shareDescription'
    | 'aeTitle'
    | 'senders'
    | 'askers'
    | 'modalities'
    | 'orderSenders'
    | 'priorities'
    | 'form',
    string
  >
>

/** The server's refusal of a group or location, beside the field that it is about. */
export function faultsOfPlace(of: PlaceKinds, failure: unknown): PlaceFaults {
  const subtype = failure instanceof ApiFailure ? failure.subtype : undefined
  switch (failureCode(failure)) {
    case 'STALE':
      return {}
    case 'MISSING_FIELDS':
      if (subtype?.includes('name')) return { name: t(`${of}.nameMissing`) }
      break
    case 'DUP_NAMESPACE_NAME':
      return { name: t('groups.nameTaken') }
    case 'DUP_SHARE_CODE':
      return { shareCode: t('groups.shareCodeTaken') }
    case 'ALREADY_EXISTS':
      return { aeTitle: t('groups.aeTitleTaken') }
    case 'NOT_EMPTY':
      return { designation: t(`${of}.designationKept`) }
    case 'CAN_NOT_PROMOTE':
    case 'ROLE_NOT_FOUND':
    case 'ROLE_NAMESPACE_MISMATCH':
      return { role: placeReason(of, failure) }
    case 'INVALID_FIELD':
      if (subtype === 'name') return { name: t('users.nameWrong') }
      if (subtype === 'share_code') return { shareCode: t('groups.textWrong') }
      if (subtype === 'share_description') return { shareDescription: t('groups.textWrong') }
      if (subtype === 'dicom_ae_title') return { aeTitle: t('groups.aeTitleWrong') }
      if (subtype === 'dicom_allowed_peers') return { senders: t('groups.peersWrong') }
      if (subtype === 'dicom_query_peers') return { askers: t('groups.peersWrong') }
      if (subtype === 'dicom_worklist_peers') return { modalities: t('groups.peersWrong') }
      if (subtype === 'hl7_senders') return { orderSenders: t('groups.peersWrong') }
      if (subtype === 'priority_values') return { priorities: t('groups.prioritiesWrong', { most: maxPriorities }) }
  }
  return { form: refusedFieldsText(failure) ?? t(`${of}.saveFailed`, { reason: placeReason(of, failure) }) }
}
