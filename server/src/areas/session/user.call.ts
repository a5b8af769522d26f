import type { sessionUser } from '@hilum/contract/calls/session'
import type { Handler } from '../handler.ts'
import { listSettings } from '../setting/setting.sql.ts'
import { findUser } from '../user/user.sql.ts'
import { presentUser } from '../user/user.presenter.ts'
import { findIdleMinutes } from './sign-in.sql.ts'

export const user: Handler<typeof sessionUser> = async ({ services, input, caller, fail }) => {
  const [row, idleMinutes, memberships] = await Promise.all([
    findUser(services.db, caller.userUuid),
    findIdleMinutes(services.db, caller.sessionUuid),
    caller.memberships(),
  ])
  if (!row) throw fail('NOT_FOUND')
  const settings = input.settings ? await listSettings(services.db, 'user', caller.userUuid, input.settings) : undefined
  return {
    ...presentUser(row),
    namespaces: memberships.map((one) => ({ uuid: one.namespaceUuid, name: one.name })),
    sid_md5: caller.sidMd5,
    home_account_id: row.home_account,
    session_expire: idleMinutes,
    accelerator_used: 0,
    is_proxy: caller.proxy ? 1 : 0,
    ...(caller.proxy ? { sysadmin: 0, support: 0, proxy_name: caller.proxy.name } : {}),
    ...(settings ? { settings } : {}),
  }
}
