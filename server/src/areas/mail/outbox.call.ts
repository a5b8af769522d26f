import type { mailOutbox } from '@hilum/contract/calls/mail'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { listOutbox, outboxColumns, outboxOrder } from './mail.sql.ts'
import { presentWaitingMail } from './outbox.presenter.ts'

export const outbox: Handler<typeof mailOutbox> = async ({ services, input, list, caller, on }) => {
  const hasSmtp = Boolean(services.config.smtpUrl)
  const { orderBy, limit } = listSql(list, outboxColumns, caller.timeZone, outboxOrder)
  const which = input.left === 1 ? 'left' : hasSmtp ? 'tried' : 'waiting'
  const found = await listOutbox(services.db, on.ownerUuid, which, input.search?.trim() ?? '', { orderBy, limit })
  const { rows, page } = toPage(found, list)
  const mails = rows.map((row) => presentWaitingMail(row, services.sealer))
  return { has_smtp: hasSmtp ? 1 : 0, mails, page }
}
