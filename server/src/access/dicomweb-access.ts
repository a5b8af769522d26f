import { type Act, mayDo } from '@hilum/contract/acts'
import type { Services } from '../services.ts'
import type { Asker, Membership } from './caller.ts'
import { alsoAsk } from './door-of-request.ts'
import { isSameAccess, type StudyAccess, seeRecord } from './study-access.ts'
import { findRecordByUid } from './study-record.sql.ts'
import { type StudyScope, visibleStudies } from './study-scope.ts'

/** The part of the caller's scope that an address under `/dicomweb/{namespace}` means; `all` means every namespace. */
export async function openDicomwebScope(caller: Asker, namespace: string): Promise<StudyScope | undefined> {
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
  caller: Asker,
  ...study: [namespace: string, studyUid: string, act?: Act]
): Promise<StudyAccess | undefined> {
  const access = await lookForStudy(services, caller, ...study)
  if (access) alsoAsk(caller, async (fresh) => isSameAccess(access, await lookForStudy(services, fresh, ...study)))
  return access
}

async function lookForStudy(
  services: Services,
  caller: Asker,
  namespace: string,
  studyUid: string,
  act: Act = 'viewStudy',
): Promise<StudyAccess | undefined> {
  const memberships = await caller.memberships()
  const places: readonly Membership[] =
    namespace === 'all' ? memberships : memberships.filter((one) => one.namespaceUuid === namespace.toLowerCase())
  for (const { namespaceUuid } of places) {
    const record = await findRecordByUid(services.db, namespaceUuid, studyUid)
    const access = record && (await seeRecord(caller, record))
    if (access && mayDo(act, access)) return access
  }
  return undefined
}
