import type { roleSettings } from '@hilum/contract/calls/account-settings-calls'
import { demandWithin } from '../account/promotion.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import type { SentSettings } from '../setting/read-settings.ts'
import { givenBy } from './change-role.ts'
import { listRoleSettings, putRoleSettings, readRoleSettings } from './role-settings.command.ts'
import { findWholeRole } from './role.sql.ts'

type Request = CallRequest<typeof roleSettings>

export const settings: Handler<typeof roleSettings> = async (request) => {
  const { services, input, raw, on } = request
  const sent = readRoleSettings(on, input.settings, raw)
  if (Object.keys(sent).length > 0) await store(request, sent)
  return { settings: await listRoleSettings(services.db, input.uuid) }
}

async function store({ services, input, caller, on, fail }: Request, sent: SentSettings): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const row = await findWholeRole(tx, on.ownerUuid, input.uuid)
    if (!row) throw fail('NOT_FOUND')
    demandWithin(on, givenBy(row), 'ROLE_ABOVE')
    const detail = await putRoleSettings(tx, row.uuid, sent)
    if (Object.keys(detail).length === 0) return
    const accountUuid = on.ownerUuid
    await writeAudit(tx, { accountUuid, caller, action: 'EDIT', type: 'Role', objectUuid: row.uuid, detail })
  })
}
