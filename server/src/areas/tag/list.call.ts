import type { tagList } from '@hilum/contract/calls/tag'
import { sql } from 'kysely'
import type { Handler } from '../handler.ts'
import { listSql, toPage } from '../list-page.ts'
import { listTags } from './tag.sql.ts'

const columns = {
  tag: { kind: 'text', column: sql.ref('w.tag') },
  namespace_id: { kind: 'uuid', column: sql.ref('w.phi_namespace') },
} as const

export const list: Handler<typeof tagList> = async ({ services, input, list: query, caller, on }) => {
  const [sort] = query.sort
  const order = sort
    ? sql`lower(w.tag) ${sort.descending ? sql`desc` : sql`asc`}, w.tag`
    : sql`count desc, lower(w.tag), w.tag`
  const found = await listTags(services.db, on, listSql(query, columns, caller.timeZone, sql`w.tag`), order)
  const { rows, page } = toPage(found, query)
  return { tags: rows.map(({ tag, count }) => ({ tag, object: input.object, count })), page }
}
