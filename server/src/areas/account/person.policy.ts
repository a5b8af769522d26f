import { ApiError } from '@hilum/contract/errors'
import { isMailable } from '@hilum/contract/mail-address'
import type { Membership } from '../../access/caller.ts'
import { findProfileFault } from '../user/profile.policy.ts'
import type { Member } from './member.sql.ts'
import { isWithin } from './promotion.policy.ts'

/** No address that a mail server takes is longer (RFC 5321 §4.5.3.1). */
const longestEmail = 254

/** @throws ApiError MISSING_FIELDS, INVALID_FIELD, INVALID_EMAIL */
export function demandPerson({ first, last, email }: { first: string; last: string; email: string }): void {
  if (!first && !last) throw new ApiError('MISSING_FIELDS', { subtype: ['first'] })
  const fault = findProfileFault({ first, last })
  if (fault) throw new ApiError('INVALID_FIELD', { subtype: fault.field })
  if (!isMailable(email) || email.length > longestEmail) throw new ApiError('INVALID_EMAIL')
}

/**
 * Nobody changes, disables or removes a person who may do more: with the person's e-mail address, say, would come the
 * person's password.
 * @throws ApiError NOT_PERMITTED
 */
export function demandNotAbove(place: Membership, person: Pick<Member, 'permissions'>): void {
  if (!isWithin(place.permissions, person.permissions)) throw new ApiError('NOT_PERMITTED', { subtype: 'ROLE_ABOVE' })
}
