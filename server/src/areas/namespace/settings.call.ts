import { mayDo } from '@hilum/contract/acts'
import type { namespaceSettings } from '@hilum/contract/calls/namespace'
import { type FieldAccess, fieldAccesses, isFieldFlag } from '@hilum/contract/study-field-access'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { deleteSetting, listSettings, putSetting } from '../setting/setting.sql.ts'
import { presentFieldFlags, presentNamespaceSettings } from './namespace-settings.ts'

type Request = CallRequest<typeof namespaceSettings>
const setting = 'study_field_flags'

export const settings: Handler<typeof namespaceSettings> = async (request) => {
  const { services, input, on } = request
  if (input.study_field_flags) await setFieldFlags(request, input.study_field_flags)
  const kept = await listSettings(services.db, 'namespace', on.namespaceUuid)
  return {
    settings: presentNamespaceSettings(kept, mayDo('seeOperatorSettings', on)),
    no_dup_share: kept.no_dup_share === '1' ? 1 : 0,
    study_field_flags: presentFieldFlags(kept),
  }
}

async function setFieldFlags({ services, caller, on, fail }: Request, sent: Record<string, unknown>): Promise<void> {
  const isOwn = on.kind === 'user'
  if (!isOwn && !mayDo('administerAccount', { permissions: on.inAccount })) throw fail('NOT_PERMITTED')
  const flags: Record<string, FieldAccess> = {}
  for (const [name, value] of Object.entries(sent)) {
    const access = fieldAccesses.find((one) => one === value)
    if (!isFieldFlag(name) || !access) throw fail('INVALID_SETTING_VALUE', { subtype: name })
    if (access !== 'F') flags[name] = access
  }
  await services.db.transaction().execute(async (tx) => {
    const before = presentFieldFlags(await listSettings(tx, 'namespace', on.namespaceUuid))
    if (Object.keys(flags).length === 0) await deleteSetting(tx, 'namespace', on.namespaceUuid, setting)
    else await putSetting(tx, 'namespace', on.namespaceUuid, setting, JSON.stringify(flags))
    await writeAudit(tx, {
      accountUuid: on.accountUuid,
      caller,
      action: 'EDIT',
      type: 'Namespace',
      objectUuid: on.namespaceUuid,
      phiNamespace: on.namespaceUuid,
      detail: { [setting]: [before, flags] },
    })
  })
}
