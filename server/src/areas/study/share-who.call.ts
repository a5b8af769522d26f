import type { studyShareWho } from '@hilum/contract/calls/study-share'
import { maxFilterLength } from '@hilum/contract/limits'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { belongsTo, mayShareWith } from './share-recipient.policy.ts'
import { listRecipients, recipientColumns, recipientOrder } from './share-recipient.sql.ts'

export const shareWho: Handler<typeof studyShareWho> = async ({ services, input, list, caller, on, fail }) => {
  const { type } = input
  if (!mayShareWith(type, on)) throw fail('NOT_PERMITTED')
  const accountUuid = on.record.account_uuid
  const isMember = await belongsTo(caller, accountUuid)
  // studies are shared with the people, groups and locations of their own account, and with those connected with it
  if (!isMember) {
    const { rows, page } = toPage([], list)
    return { shares: rows, page }
  }
  const words = (input.search ?? '').slice(0, maxFilterLength).split(/\s+/).filter(Boolean)
  const pieces = listSql(list, recipientColumns, caller.timeZone, recipientOrder)
  const { rows, page } = toPage(await listRecipients(services.db, accountUuid, type, words, pieces), list)
  return { shares: rows, page }
}
