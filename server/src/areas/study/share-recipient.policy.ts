import { mayDo } from '@hilum/contract/acts'
import { type RecipientKind, recipientKinds } from '@hilum/contract/calls/study-share'
import { ApiError } from '@hilum/contract/errors'
import type { Caller, Membership } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import { hiddenFields } from './field-access.policy.ts'

/** The one recipient that was named. */
export interface NamedRecipient {
  kind: RecipientKind
  uuid: string
}

/** @throws ApiError INVALID_PARAMETERS for none or several */
export function readRecipient(input: Partial<Record<`${RecipientKind}_id`, string | undefined>>): NamedRecipient {
  const named = recipientKinds.flatMap((kind) => {
    const uuid = input[`${kind}_id`]
    return uuid ? [{ kind, uuid }] : []
  })
  const [only] = named
  if (!only || named.length > 1) throw new ApiError('INVALID_PARAMETERS')
  return only
}

/** Whether the caller may share with recipients of this kind. */
export function mayShareWith(kind: RecipientKind, held: Pick<StudyAccess, 'permissions'>): boolean {
  return mayDo(kind === 'user' ? 'shareWithUser' : 'shareWithGroup', held)
}

/**
 * Whether a person may have the study in My studies by an own act. All is permitted there, so it takes a role that sees
 * every field and may take the images along.
 */
export function mayKeepForOneself({ permissions, fieldFlags }: Membership): boolean {
  return mayDo('downloadExam', { permissions }) && hiddenFields(fieldFlags).length === 0
}

/** Whether the caller belongs to an account; others do not learn of its people and groups. */
export async function belongsTo(caller: Caller, accountUuid: string): Promise<boolean> {
  return (await caller.memberships()).some((one) => one.kind === 'account' && one.ownerUuid === accountUuid)
}
