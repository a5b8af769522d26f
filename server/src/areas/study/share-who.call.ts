import type { studyShareWho } from '@hilum/contract/calls/study-share'
import { maxFilterLength } from '@hilum/contract/limits'
import { sql } from 'kysely'
import type { Handler } from '../handler.ts'
import { listSql, toPage } from '../list-page.ts'
import { belongsTo, mayShareWith } from './share-recipient.policy.ts'
import { listRecipients } from './share-recipient.sql.ts'

const columns = {
  uuid: { kind: 'uuid', column: sql.ref('r.uuid') },
  name: { kind: 'text', column: sql.ref('r.name') },
} as const

export const shareWho: Handler<typeof studyShareWho> = async ({ services, input, list, caller, on, fail }) => {
  const { type } = input
  const isKnown = type === 'user' || type === 'group'
  if (isKnown && !mayShareWith(type, on)) throw fail('NOT_PERMITTED')
  const accountUuid = on.record.account_uuid
  const isMember = await belongsTo(caller, accountUuid)
  // studies are shared with the people and groups of their own account
  if (!isKnown || !isMember) {
    const { rows, page } = toPage([], list)
    return { shares: rows, page }
  }
  const words = (input.search ?? '').slice(0, maxFilterLength).split(/\s+/).filter(Boolean)
  const pieces = listSql(list, columns, caller.timeZone, sql`lower(r.name), r.uuid`)
  const { rows, page } = toPage(await listRecipients(services.db, accountUuid, type, words, pieces), list)
  return { shares: rows, page }
}
