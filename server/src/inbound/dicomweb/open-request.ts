import type { FastifyRequest } from 'fastify'
import type { Permission } from '@hilum/contract/permissions'
import { openDicomwebStudy } from '../../access/dicomweb-access.ts'
import type { Caller } from '../../access/caller.ts'
import { authorise } from '../../access/storage-access.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import { type AccessAction, recordAccess } from '../../areas/audit/record-access.command.ts'
import { findInstance, listInstances, type StoredInstance } from '../../areas/storage/instance.sql.ts'
import type { Services } from '../../services.ts'
import { DicomwebError } from './answer-errors.ts'

/** HEAD is a route of its own: the framework's would read the whole body to answer it. */
export const readMethods = ['GET', 'HEAD']

export interface StudyParams {
  namespace: string
  study: string
  series?: string
  instance?: string
}

/**
 * The record of the study that a request names, its reading put on record once a session.
 * @throws StorageError ACCESS_DENIED without a session; DicomwebError 404 for what is not there or not the caller's
 */
export async function openStudyRequest(
  services: Services,
  request: FastifyRequest,
  action: AccessAction = 'STUDY_VIEW',
  needs?: readonly Permission[],
): Promise<{ caller: Caller; access: StudyAccess; params: StudyParams }> {
  const params = request.params as StudyParams
  const caller = await authorise(services, request)
  // no database holds a null character
  const isUsable = !Object.values(params).some((text) => String(text).includes('\0'))
  const access = isUsable && (await openDicomwebStudy(services, caller, params.namespace, params.study, needs))
  if (!access) throw new DicomwebError(404, 'There is no such study here')
  await recordAccess(services.db, caller, access, action)
  return { caller, access, params }
}

/** All instances of the study, series or instance that a request names. @throws DicomwebError 404 when there is none */
export async function openInstancesRequest(
  services: Services,
  request: FastifyRequest,
): Promise<{ caller: Caller; access: StudyAccess; instances: [StoredInstance, ...StoredInstance[]] }> {
  const { caller, access, params } = await openStudyRequest(services, request)
  const { record } = access
  const [first, ...more] = await listInstances(services.db, record.storage_namespace, record.study_uid, {
    ...(params.series ? { seriesUids: [params.series] } : {}),
    ...(params.instance ? { sopUids: [params.instance] } : {}),
  })
  if (!first) throw new DicomwebError(404, 'There is nothing of this name here')
  return { caller, access, instances: [first, ...more] }
}

/** The instance that a request names, through the record of its study. @throws DicomwebError 404 */
export async function openInstanceRequest(
  services: Services,
  request: FastifyRequest,
): Promise<{ caller: Caller; access: StudyAccess; instance: StoredInstance }> {
  const { caller, access, params } = await openStudyRequest(services, request)
  const { record } = access
  const instance = await findInstance(services.db, record.storage_namespace, record.study_uid, params.instance ?? '')
  if (!instance || instance.series_uid !== params.series) throw new DicomwebError(404, 'There is no such instance here')
  return { caller, access, instance }
}
