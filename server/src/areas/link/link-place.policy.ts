import { mayDo } from '@hilum/contract/acts'
import { ApiError } from '@hilum/contract/errors'
import type { Membership } from '../../access/caller.ts'
import type { LinkPlace } from '../../access/resolve-subject.ts'
import { hiddenFields } from '../study/field-access.policy.ts'
import type { LinkRow } from './link-list.sql.ts'
import { whatLinkGives, mayGive } from './link-values.policy.ts'

/**
 * The caller's role in the place of a link.
 * @throws ApiError NOT_FOUND for a place that was not opened
 */
export function membershipIn(on: LinkPlace, namespaceUuid: string): Membership {
  const all = on.kind === 'study' ? [on.access.membership] : on.places
  const found = all.find((one) => one.namespaceUuid === namespaceUuid)
  if (!found) throw new ApiError('NOT_FOUND')
  return found
}

/** The one place of a link that exists or is to be made, and the object of its audit rows. */
export function placeOf(on: LinkPlace): { membership: Membership; accountUuid: string; objectUuid: string } {
  if (on.kind === 'study') {
    const { membership, record } = on.access
    return { membership, accountUuid: record.account_uuid, objectUuid: record.uuid }
  }
  const [membership] = on.places
  if (!membership) throw new ApiError('NOT_FOUND')
  return { membership, accountUuid: membership.accountUuid, objectUuid: membership.namespaceUuid }
}

/** Whether somebody may be shown the address of a link, which opens all that the link gives. */
export function mayKnowAddress(membership: Membership, row: Pick<LinkRow, 'action' | 'permissions'>): boolean {
  if (row.action === 'STUDY_UPLOAD') return mayDo('requestStudy', membership)
  return mayDo('makeLinks', membership) && mayGive(membership, whatLinkGives(row.permissions))
}

/** Whether somebody may be shown the patient that a request expects. */
export function mayKnowExpected({ fieldFlags }: Membership): boolean {
  return hiddenFields(fieldFlags).length === 0
}
