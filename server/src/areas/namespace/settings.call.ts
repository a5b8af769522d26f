import { accountSettings, settingRules } from '@hilum/contract/account-settings'
import { mayDo } from '@hilum/contract/acts'
import { namespaceSettings } from '@hilum/contract/calls/namespace'
import { type FieldAccess, fieldAccesses, isFieldFlag } from '@hilum/contract/study-field-access'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { readSettings } from '../setting/read-settings.ts'
import { deleteSetting, listSettings, putSetting } from '../setting/setting.sql.ts'
import { presentFieldFlags, presentNamespaceSettings } from './namespace-settings.ts'

type Request = CallRequest<typeof namespaceSettings>
const fieldFlags = 'study_field_flags'

export const settings: Handler<typeof namespaceSettings> = async (request) => {
  const { services, on } = request
  const sent = readSent(request)
  if (Object.keys(sent).length > 0) await store(request, sent)
  const stored = await listSettings(services.db, 'namespace', on.namespaceUuid)
  return {
    settings: presentNamespaceSettings(stored, mayDo('seeOperatorSettings', on)),
    no_dup_share: stored.no_dup_share === '1' ? 1 : 0,
    study_field_flags: presentFieldFlags(stored),
  }
}

/** The settings that change, as they are kept; an empty one is taken back. */
function readSent({ input, fail }: Request): Record<string, string> {
  const named = accountSettings.flatMap((name) => {
    const value = name in input ? input[name as keyof typeof input] : undefined
    return settingRules[name].byNamespace && value !== undefined ? [[name, value] as const] : []
  })
  const settings: Record<string, string> = { ...readSettings(Object.fromEntries(named), {}) }
  if (!input.study_field_flags) return settings
  const flags: Record<string, FieldAccess> = {}
  for (const [name, value] of Object.entries(input.study_field_flags)) {
    const access = fieldAccesses.find((one) => one === value)
    if (!isFieldFlag(name) || !access) throw fail('INVALID_SETTING_VALUE', { subtype: name })
    if (access !== 'F') flags[name] = access
  }
  return { ...settings, [fieldFlags]: Object.keys(flags).length === 0 ? '' : JSON.stringify(flags) }
}

async function store({ services, caller, on, fail }: Request, sent: Record<string, string>): Promise<void> {
  const isOwn = on.kind === 'user'
  if (!isOwn && !mayDo(namespaceSettings.asks['changes of a group or an account'], { permissions: on.inAccount }))
    throw fail('NOT_PERMITTED')
  await services.db.transaction().execute(async (tx) => {
    const before = await listSettings(tx, 'namespace', on.namespaceUuid)
    const changed = Object.entries(sent).filter(([name, value]) => value !== (before[name] ?? ''))
    if (changed.length === 0) return
    for (const [name, value] of changed) {
      if (value === '') await deleteSetting(tx, 'namespace', on.namespaceUuid, name)
      else await putSetting(tx, 'namespace', on.namespaceUuid, name, value)
    }
    const shown = (name: string, stored: Record<string, string>) =>
      name === fieldFlags ? presentFieldFlags(stored) : (stored[name] ?? '')
    await writeAudit(tx, {
      accountUuid: on.accountUuid,
      caller,
      action: 'EDIT',
      type: 'Namespace',
      objectUuid: on.namespaceUuid,
      phiNamespace: on.namespaceUuid,
      detail: Object.fromEntries(changed.map(([name]) => [name, [shown(name, before), shown(name, sent)]])),
    })
  })
}
