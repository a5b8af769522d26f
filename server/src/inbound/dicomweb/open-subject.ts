import { type Act, mayDo } from '@hilum/contract/acts'
import type { Asker, Membership } from '../../access/caller.ts'
import { openDicomwebScope, openDicomwebStudy } from '../../access/dicomweb-access.ts'
import { alsoAsk } from '../../access/door-of-request.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Services } from '../../services.ts'
import { DicomwebError } from './answer-errors.ts'

type Params = Readonly<Record<string, string | undefined>>

/**
 * The namespaces that an address means. The contents of a study are shown to the caller that lists its series, so the
 * study of the address is opened as well, where it is seen.
 * @throws DicomwebError 404
 */
export async function openListed(
  services: Services,
  caller: Asker,
  { namespace = '', study }: Params,
  may: Act,
): Promise<{ scope: StudyScope; access?: StudyAccess | undefined }> {
  const scope = await openDicomwebScope(caller, namespace)
  if (!scope) throw new DicomwebError(404, 'There is no such namespace here')
  if (study === undefined || !isUsable(study)) return { scope }
  return { scope, access: await openDicomwebStudy(services, caller, namespace, study, may) }
}

/** The study of an address. @throws DicomwebError 404 where the caller sees none, 403 where one is seen without `may` */
export async function openShown(services: Services, caller: Asker, params: Params, may: Act): Promise<StudyAccess> {
  const { namespace = '', study = '' } = params
  const names = Object.values(params).map((one) => one ?? '')
  const isNamed = names.every(isUsable)
  const access = isNamed && (await openDicomwebStudy(services, caller, namespace, study, may))
  if (access) return access
  const isSeen = isNamed && may !== 'viewStudy' && (await openDicomwebStudy(services, caller, namespace, study))
  if (isSeen) throw new DicomwebError(403, 'The study may be looked at here, and no more')
  throw new DicomwebError(404, 'There is no such study here')
}

/** @throws DicomwebError 404 for a namespace that is not the caller's, 403 without the permission, 405 for `all` */
export async function openDicomwebNamespace(caller: Asker, namespace: string, may: Act): Promise<Membership> {
  if (namespace === 'all') throw new DicomwebError(405, 'Instances are stored into one namespace; name it')
  const place = (await caller.memberships()).find((one) => one.namespaceUuid === namespace.toLowerCase())
  if (!place) throw new DicomwebError(404, 'There is no such namespace here')
  if (!mayDo(may, place)) throw new DicomwebError(403, 'Storing needs the permission to upload')
  alsoAsk(caller, async (fresh) => {
    const places = await fresh.memberships()
    return places.some((one) => one.namespaceUuid === place.namespaceUuid && mayDo(may, one))
  })
  return place
}

/** No database holds a null character. */
export function isUsable(name: string): boolean {
  return !name.includes('\0')
}
