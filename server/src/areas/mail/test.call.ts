import { randomUUID } from 'node:crypto'
import type { mailTest } from '@hilum/contract/calls/mail'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { findUser } from '../user/user.sql.ts'
import { mailTestText } from './mail-texts.ts'
import { insertMail } from './mail.sql.ts'

export const test: Handler<typeof mailTest> = async ({ services, caller, on, fail }) => {
  const accountUuid = on.ownerUuid
  return await services.db.transaction().execute(async (tx) => {
    const person = await findUser(tx, caller.userUuid)
    if (!person) throw fail('NOT_FOUND')
    await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient: person.email, ...mailTestText() })
    await writeAudit(tx, { accountUuid, caller, action: 'TEST', type: 'Account', objectUuid: accountUuid })
    return { recipient: person.email }
  })
}
