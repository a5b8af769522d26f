import type { customfieldList } from '@hilum/contract/calls/customfield'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { presentCustomField } from './customfield.presenter.ts'
import { customFieldListColumns, customFieldOrder, listCustomFields } from './customfield.sql.ts'

export const list: Handler<typeof customfieldList> = async ({ services, list: query, caller, on }) => {
  const question = listSql(query, customFieldListColumns, caller.timeZone, customFieldOrder)
  const { rows, page } = toPage(await listCustomFields(services.db, on.ownerUuid, question), query)
  return { customfields: rows.map(presentCustomField), page }
}
