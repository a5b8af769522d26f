import { isMailable, readOneAddress } from '@hilum/contract/mail-address'
import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { refusedFieldsText } from '../../../fields/custom-field-fault.ts'
import { t } from '../../../labels/label.ts'
import type { UserValues } from '../../../queries/account-users.ts'
import { reasonText } from './user-acts.ts'

/** Messages beside the fields of the form, and one above them all. */
export type Faults = Partial<Record<'first' | 'last' | 'email' | 'role' | 'groups' | 'form', string>>

export function findFaults({ first, last, email }: UserValues): Faults {
  return {
    ...(first.trim() || last.trim() ? {} : { first: t('users.nameMissing') }),
    ...(isMailable(readOneAddress(email)) ? {} : { email: t('users.emailWrong') }),
  }
}

/** The server's refusal, beside the field that it is about. */
export function faultsOfFailure(failure: unknown): Faults {
  const subtype = failure instanceof ApiFailure ? failure.subtype : undefined
  switch (failureCode(failure)) {
    case 'PROOF_REQUIRED':
    case 'STALE':
      return {}
    case 'ALREADY_EXISTS':
    case 'DUPLICATE_EMAIL':
      if (subtype === 'UNPROVEN') return { email: t('users.emailUnproven') }
      if (subtype === 'BY_PROVIDER') return { email: t('users.emailByProvider') }
      return { email: t('users.emailTaken') }
    case 'INVALID_EMAIL':
      return { email: t('users.emailWrong') }
    case 'INVALID_FIELD':
      if (subtype === 'first' || subtype === 'last') return { [subtype]: t('users.nameWrong') }
      break
    case 'CAN_NOT_PROMOTE':
      return { role: t('users.groupRoleTooHigh') }
    case 'ROLE_NOT_FOUND':
      return { role: t('users.roleGone') }
    case 'ROLE_NAMESPACE_MISMATCH':
      return { role: t('users.roleUnfit') }
    case 'NOT_FOUND':
      if (subtype === 'groups') return { groups: t('users.groupsGone') }
  }
  return { form: refusedFieldsText(failure) ?? t('users.saveFailed', { reason: reasonText(failure) }) }
}
