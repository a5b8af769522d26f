import { readStudy } from '@hilum/contract/calls/study'
import { holdsOne, type Permission } from '@hilum/contract/permissions'
import { uuidForm } from '@hilum/contract/wire'
import type { Services } from '../services.ts'
import type { Caller, Membership } from './caller.ts'
import { type StudyAccess, seeRecord } from './study-access.ts'
import { findRecordByUid } from './study-record.sql.ts'
import { type StudyScope, visibleStudies } from './study-scope.ts'

/** The part of the caller's scope that an address under `/dicomweb/{namespace}` means; `all` means every namespace. */
export async function openDicomwebScope(caller: Caller, namespace: string): Promise<StudyScope | undefined> {
  const scope = await visibleStudies(caller)
  if (namespace === 'all') return scope
  const asked = namespace.toLowerCase()
  const namespaces = scope.namespaces.filter((one) => one.namespaceUuid === asked)
  return namespaces.length === 0 ? undefined : { ...scope, namespaces }
}

/**
 * The record of a study that lives under `/dicomweb/{namespace}`, or undefined when there is none that this caller may
 * read. Deleted studies have no pixels.
 */
export async function openDicomwebStudy(
  services: Services,
  caller: Caller,
  namespace: string,
  studyUid: string,
  needs: readonly Permission[] = readStudy,
): Promise<StudyAccess | undefined> {
  const memberships = await caller.memberships()
  const places: readonly Membership[] =
    namespace === 'all' ? memberships : memberships.filter((one) => one.namespaceUuid === namespace.toLowerCase())
  for (const { namespaceUuid } of places) {
    if (!uuidForm.test(namespaceUuid)) continue
    const record = await findRecordByUid(services.db, namespaceUuid, studyUid)
    const access = record && !record.deleted && (await seeRecord(caller, record))
    if (access && holdsOne(access.permissions, needs)) return access
  }
  return undefined
}
