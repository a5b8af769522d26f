import { accountSettings, settingRules } from '@hilum/contract/account-settings'
import { mayDo } from '@hilum/contract/acts'
import type { roleSettings } from '@hilum/contract/calls/account-settings-calls'
import { demandWithin } from '../account/promotion.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { readSettings, type SentSettings } from '../setting/read-settings.ts'
import { deleteSetting, listSettings, putSetting } from '../setting/setting.sql.ts'
import { givenBy } from './change-role.ts'
import { findWholeRole } from './role.sql.ts'

type Request = CallRequest<typeof roleSettings>
const settable = accountSettings.filter((name) => settingRules[name].byRole)

export const settings: Handler<typeof roleSettings> = async (request) => {
  const { services, input, raw, on, fail } = request
  const sent = readSettings(input.settings, raw)
  if (Object.keys(sent).length > 0) {
    if (!mayDo('setRoleSettings', on)) throw fail('NOT_PERMITTED')
    for (const name of Object.keys(sent)) {
      if (!settable.some((one) => one === name)) throw fail('NO_ROLE_OVERRIDE', { subtype: name })
    }
    await store(request, sent)
  }
  return { settings: await listSettings(services.db, 'role', input.uuid, settable) }
}

async function store({ services, input, caller, on, fail }: Request, sent: SentSettings): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const row = await findWholeRole(tx, on.ownerUuid, input.uuid)
    if (!row) throw fail('NOT_FOUND')
    demandWithin(on, givenBy(row), 'ROLE_ABOVE')
    const before = await listSettings(tx, 'role', row.uuid, settable)
    const changed = settable.filter((name) => sent[name] !== undefined && sent[name] !== (before[name] ?? ''))
    for (const name of changed) {
      const value = sent[name] ?? ''
      if (value === '') await deleteSetting(tx, 'role', row.uuid, name)
      else await putSetting(tx, 'role', row.uuid, name, value)
    }
    if (changed.length === 0) return
    const detail = Object.fromEntries(changed.map((name) => [name, [before[name] ?? '', sent[name] ?? '']]))
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'EDIT',
      type: 'Role',
      objectUuid: row.uuid,
      detail,
    })
  })
}
