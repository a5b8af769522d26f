import type { systemAccountUsers } from '@hilum/contract/calls/system'
import type { Handler } from '../handler.ts'
import { letsSupportIn, listProxied } from './system.sql.ts'

const mostShown = 50

export const accountUsers: Handler<typeof systemAccountUsers> = async ({ services, input, fail }) => {
  if (!(await letsSupportIn(services.db, input.account_id))) throw fail('NOT_PERMITTED')
  const rows = await listProxied(services.db, input.account_id, input.search?.trim() ?? '', mostShown + 1)
  return { users: rows.slice(0, mostShown), more: rows.length > mostShown ? 1 : 0 }
}
