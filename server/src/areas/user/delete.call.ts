import type { userDelete } from '@hilum/contract/calls/user-invite'
import { foldLogin } from '@hilum/contract/fold-login'
import { readOneAddress } from '@hilum/contract/mail-address'
import { listAccountsOfPerson } from '../../access/person.sql.ts'
import { changePeople } from '../account/change-people.command.ts'
import { deleteMember, findLoginPlace, lockMember, nameOf } from '../account/member.sql.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { isProvenLately } from '../session/pin-session.sql.ts'
import { endAccess } from './end-access.command.ts'
import { setDisabled } from './operator.sql.ts'

/** The person's own studies, links and rules stay for the accounts to hand over. */
export const deleteSelf: Handler<typeof userDelete> = async ({ services, input, caller, fail }) => {
  const { userUuid } = caller
  const own = await findLoginPlace(services.db, userUuid)
  if (input.email !== undefined && foldLogin(readOneAddress(input.email)) !== foldLogin(own?.email ?? ''))
    throw fail('INVALID_EMAIL')
  if (!(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  const accounts = await listAccountsOfPerson(services.db, userUuid)
  await changePeople(services.db, accounts, async (tx) => {
    for (const accountUuid of accounts) {
      const member = await lockMember(tx, accountUuid, userUuid)
      if (!member) continue
      await deleteMember(tx, accountUuid, userUuid)
      const detail = { role_uuid: member.role_uuid, name: nameOf(member), by: 'SELF' }
      await writeAudit(tx, { accountUuid, caller, action: 'DELETE', type: 'User', objectUuid: userUuid, detail })
    }
    // an account whose people are not locked here took the person in meanwhile
    if ((await listAccountsOfPerson(tx, userUuid)).length > 0) throw fail('STALE')
    await setDisabled(tx, userUuid, true)
    await endAccess(tx, userUuid)
  })
  return {}
}
