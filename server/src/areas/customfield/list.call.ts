import type { customfieldList } from '@hilum/contract/calls/customfield'
import { sql } from 'kysely'
import type { Handler } from '../handler.ts'
import { listSql, toPage } from '../list-page.ts'
import { presentCustomField } from './customfield.presenter.ts'
import { listCustomFields } from './customfield.sql.ts'

const columns = {
  uuid: { kind: 'uuid', column: sql.ref('c.uuid') },
  name: { kind: 'text', column: sql.ref('c.name') },
  object: { kind: 'exact', column: sql.ref('c.object') },
  type: { kind: 'exact', column: sql.ref('c.type') },
  display_order: { kind: 'integer', column: sql.ref('c.display_order') },
} as const

export const list: Handler<typeof customfieldList> = async ({ services, list: query, caller, on }) => {
  const tieBreak = sql`c.display_order nulls last, lower(c.name), c.uuid`
  const question = listSql(query, columns, caller.timeZone, tieBreak)
  const { rows, page } = toPage(await listCustomFields(services.db, on.ownerUuid, question), query)
  return { customfields: rows.map(presentCustomField), page }
}
