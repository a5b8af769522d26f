import { mayDo } from '@hilum/contract/acts'
import type { namespaceSettings } from '@hilum/contract/calls/namespace'
import type { Handler } from '../handler.ts'
import { listSettings } from '../setting/setting.sql.ts'
import { presentFieldFlags, presentNamespaceSettings } from './namespace-settings.ts'

export const settings: Handler<typeof namespaceSettings> = async ({ services, on }) => {
  const kept = await listSettings(services.db, 'namespace', on.namespaceUuid)
  return {
    settings: presentNamespaceSettings(kept, mayDo('seeOperatorSettings', on)),
    no_dup_share: kept.no_dup_share === '1' ? 1 : 0,
    study_field_flags: presentFieldFlags(kept),
  }
}
