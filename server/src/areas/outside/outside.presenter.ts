import { factsOf, mayDo } from '@hilum/contract/acts'
import type { OutsideAccess, OutsideRight } from '@hilum/contract/calls/outside'
import type { Membership } from '../../access/caller.ts'
import { whatLinkGives, mayGive } from '../link/link-values.policy.ts'
import { hiddenFields } from '../study/field-access.policy.ts'
import { mayTendShare } from '../study/share-recipient.policy.ts'
import type { OutsideRow } from './outside.sql.ts'

/** The person who asks for accesses. */
interface Asking {
  userUuid: string
  memberships: readonly Membership[]
  /** Of the account. */
  isAdministrator: boolean
}

/** An access as the wire shows it: the study and its patient to those alone who may see them. */
export function presentOutside(row: OutsideRow, { userUuid, memberships, isAdministrator }: Asking): OutsideAccess {
  const membership = memberships.find((one) => one.namespaceUuid === row.namespace_uuid)
  const study = membership && seesStudy(row, membership) ? row : undefined
  const others = membership
    ? row.others.filter((one) => seesStudy({ ...row, study_deleted: false, ...one }, membership))
    : []
  const seen = [...(study ? [study] : []), ...others]
  const isOwn = row.by_user === userUuid
  const mayTendIt = membership !== undefined && mayTend(row, membership, study !== undefined)
  const isExtendable = row.expires_at !== null && row.state !== 'scheduled' && row.state !== 'used'
  return {
    kind: row.kind,
    uuid: row.uuid,
    who_id: row.who_uuid ?? '',
    who: row.who,
    user_email: row.user_email,
    is_outside: row.is_outside ? 1 : 0,
    namespace_id: row.namespace_uuid,
    namespace_name: row.namespace_name,
    study_id: study?.study_uuid ?? '',
    patient_name: study?.patient_name ?? '',
    study_description: study?.study_description ?? '',
    study_date: study?.study_date ?? '',
    study_count: row.study_uuid === null || row.study_deleted !== false ? row.others.length : row.others.length + 1,
    patient_names: [...new Set(seen.map((one) => one.patient_name ?? ''))],
    right: rightOf(row),
    has_copy: row.has_copy ? 1 : 0,
    attachments: row.kind === 'link' && whatLinkGives(row.permissions ?? []).attachments ? 1 : 0,
    state: row.state,
    by_name: row.by_name,
    is_own: isOwn ? 1 : 0,
    created: row.created,
    expires_at: row.expires_at,
    used_at: row.used_at,
    may_end: row.kind !== 'code' && row.kind !== 'copy' && (isOwn || isAdministrator) ? 1 : 0,
    may_extend: mayTendIt && isExtendable ? 1 : 0,
    may_restore: mayTendIt ? 1 : 0,
  }
}

function seesStudy(row: OutsideRow, membership: Membership): boolean {
  if (row.study_uuid === null || hiddenFields(membership.fieldFlags).length > 0) return false
  const facts = factsOf({ awaitsApproval: row.must_approve, deleted: row.study_deleted })
  return !row.study_deleted && mayDo('findStudy', { ...membership, facts }) && mayDo('viewStudy', membership)
}

function rightOf(row: OutsideRow): OutsideRight {
  if (row.kind === 'request' || row.kind === 'code') return 'upload'
  if (row.kind !== 'link') return 'exam'
  return whatLinkGives(row.permissions ?? []).download ? 'download' : 'view'
}

/** The rights that `link/set`, `study/share/extend` and `study/share/stop` ask for. */
function mayTend(row: OutsideRow, membership: Membership, isSeen: boolean): boolean {
  switch (row.kind) {
    case 'code':
    case 'copy':
      return false
    case 'request':
      return !row.by_code && mayDo('requestStudy', membership)
    case 'link':
      return isSeen && mayDo('makeLinks', membership) && mayGive(membership, whatLinkGives(row.permissions ?? []))
    default:
      return (
        isSeen && mayDo('giveExam', membership) && mayTendShare({ to_kind: row.kind, by_code: row.by_code }, membership)
      )
  }
}
