import type { mailCancel } from '@hilum/contract/calls/mail'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { dismissMail } from './mail.sql.ts'
import { noteReturned } from './note-returned.command.ts'

export const cancel: Handler<typeof mailCancel> = async ({ services, input, caller, on, fail }) => {
  const accountUuid = on.ownerUuid
  await services.db.transaction().execute(async (tx) => {
    const recipient = await dismissMail(tx, accountUuid, input.uuid)
    if (recipient === undefined) throw fail('NOT_FOUND')
    await noteReturned(tx, services.config, input.uuid, '')
    const detail = { mail_cancelled: recipient }
    await writeAudit(tx, { accountUuid, caller, action: 'EDIT', type: 'Account', objectUuid: accountUuid, detail })
  })
  return {}
}
