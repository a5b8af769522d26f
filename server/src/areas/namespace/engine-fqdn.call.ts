import { mayDo } from '@hilum/contract/acts'
import type { namespaceEngineFqdn } from '@hilum/contract/calls/namespace'
import { findCaller } from '../../access/find-caller.ts'
import { seeRecord } from '../../access/study-access.ts'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'

/**
 * One engine holds everything, so the answer is the same for every namespace and study, known or not: asked without a
 * session it must not tell which exist. Only who may see a study learns where it lies when asking by its uuid.
 */
export const engineFqdn: Handler<typeof namespaceEngineFqdn> = async (request) => {
  const { input, origin, fail } = request
  const isTriplet = input.study_uid && input.storage_namespace
  if (!input.namespace_id && !input.study_id && !isTriplet) throw fail('MISSING_FIELDS', { subtype: ['namespace_id'] })
  return {
    engine_fqdn: origin.host,
    engine_url: `${origin.isHttps ? 'https' : 'http'}://${origin.host}/api/v3/storage`,
    storage_namespace: input.storage_namespace ?? input.namespace_id ?? (await findStorageNamespace(request)) ?? '',
  }
}

async function findStorageNamespace({
  services,
  input,
  origin,
}: CallRequest<typeof namespaceEngineFqdn>): Promise<string | undefined> {
  if (!input.study_id || !origin.sid) return undefined
  const caller = await findCaller(services.db, origin.sid, origin.clientAddress)
  const record = caller && (await findRecordByUuid(services.db, input.study_id))
  const access = record && (await seeRecord(caller, record))
  return access && mayDo('viewStudy', access) ? record.storage_namespace : undefined
}
