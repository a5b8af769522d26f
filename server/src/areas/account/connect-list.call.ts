import type { accountConnectList } from '@hilum/contract/calls/account-connect'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { connectionColumns, connectionOrder, listConnections } from './connection.sql.ts'

export const connectList: Handler<typeof accountConnectList> = async ({ services, list, caller, on }) => {
  const question = listSql(list, connectionColumns(on.ownerUuid), caller.timeZone, connectionOrder)
  const { rows, page } = toPage(await listConnections(services.db, on.ownerUuid, question), list)
  return { connections: rows, page }
}
