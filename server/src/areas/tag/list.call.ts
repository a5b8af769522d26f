import type { tagList } from '@hilum/contract/calls/tag'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { listTags, tagColumns, tagOrder, tagTieBreak } from './tag.sql.ts'

export const list: Handler<typeof tagList> = async ({ services, input, list: query, caller, on }) => {
  const pieces = listSql(query, tagColumns, caller.timeZone, tagTieBreak)
  const found = await listTags(services.db, on, pieces, tagOrder(query.sort[0]))
  const { rows, page } = toPage(found, query)
  return { tags: rows.map(({ tag, count }) => ({ tag, object: input.object, count })), page }
}
