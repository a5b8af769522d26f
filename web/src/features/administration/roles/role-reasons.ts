import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { t } from '../../../labels/label.ts'

/** Why a role was not saved or deleted, in words. */
export function roleReason(failure: unknown): string {
  const subtype = failure instanceof ApiFailure ? failure.subtype : undefined
  switch (failureCode(failure)) {
    case 'IN_USE': {
      if (!subtype?.includes('route')) return t('roles.reason.IN_USE')
      const { routes = [] } = ((failure as ApiFailure).data ?? {}) as { routes?: string[] } // as the call gives them
      return t('roles.reason.route', { names: routes.join(', ') })
    }
    case 'NO_OTHER_ROLE_EDIT':
      return t('roles.reason.NO_OTHER_ROLE_EDIT')
    case 'NOT_PERMITTED':
      if (subtype === 'SYSTEM_ROLE' || subtype === 'ROLE_ABOVE' || subtype === 'permissions')
        return t(`roles.reason.${subtype}`)
      return t('users.reason.notPermitted')
    case 'ACCOUNT_NOT_FOUND':
    case 'NOT_FOUND':
      return t('roles.reason.gone')
    case 'ERR_NETWORK':
      return t('users.reason.network')
    default:
      return t('users.reason.other')
  }
}

/** Messages beside the fields of the form of a role, and one above them all. */
export type RoleFaults = Partial<Record<'name' | 'description' | 'places' | 'form', string>>

export function faultsOfRole(failure: unknown): RoleFaults {
  const subtype = failure instanceof ApiFailure ? failure.subtype : undefined
  switch (failureCode(failure)) {
    case 'STALE':
      return {}
    case 'MISSING_FIELDS':
      if (subtype?.includes('name')) return { name: t('roles.nameMissing') }
      break
    case 'ALREADY_EXISTS':
      return { name: t('roles.nameTaken') }
    case 'IN_USE':
      return { places: t('roles.inUse') }
    case 'INVALID_FIELD':
      if (subtype === 'name') return { name: t('users.nameWrong') }
      if (subtype === 'description') return { description: t('groups.textWrong') }
  }
  return { form: t('roles.saveFailed', { reason: roleReason(failure) }) }
}
