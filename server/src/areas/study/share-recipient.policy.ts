import { readShareSettings } from '@hilum/contract/share-settings'
import { mayDo } from '@hilum/contract/acts'
import { type RecipientKind, recipientKinds, studyShare } from '@hilum/contract/calls/study-share'
import { ApiError } from '@hilum/contract/errors'
import type { Caller, Membership } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import { parseJson } from '../setting/parse-json.ts'
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

/** Whether the caller may share with recipients of this kind, or by this way. */
export function mayShareWith(kind: keyof typeof studyShare.decides, held: Pick<StudyAccess, 'permissions'>): boolean {
  return mayDo(studyShare.decides[kind], held)
}

/** The same for a share that was made: of one by a code, whoever it went to. */
export function mayTendShare(
  share: { to_kind: RecipientKind; by_code: boolean },
  held: Pick<StudyAccess, 'permissions'>,
): boolean {
  return mayShareWith(share.by_code ? 'code' : share.to_kind, held)
}

/**
 * Whether a person may have the study in My studies by an own act. All is permitted there, so it takes a role that sees
 * every field and may take the images along.
 */
export function mayCopyToOneself({ permissions, fieldFlags }: Membership): boolean {
  return mayDo('downloadExam', { permissions }) && hiddenFields(fieldFlags).length === 0
}

/** Whether the caller belongs to an account; others do not learn of its people and groups. */
export async function belongsTo(caller: Caller, accountUuid: string): Promise<boolean> {
  return (await caller.memberships()).some((one) => one.kind === 'account' && one.ownerUuid === accountUuid)
}

/**
 * Whether a study that came by a share code waits for approval: it does, unless the share settings of the place say
 * otherwise (`{"must_approve": 0}`).
 */
export function mustApproveCode(place: { must_approve: boolean; share_settings: string | null }): boolean {
  const settings = place.share_settings === null ? undefined : parseJson(place.share_settings)
  return place.must_approve || readShareSettings(settings).mustApprove
}
