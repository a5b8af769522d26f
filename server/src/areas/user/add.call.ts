import type { userAdd } from '@hilum/contract/calls/user-invite'
import { readOneAddress } from '@hilum/contract/mail-address'
import { changePeople } from '../account/change-people.command.ts'
import { findByEmail } from '../account/member.sql.ts'
import { demandPerson } from '../account/person.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { createLogin } from './create-user.command.ts'
import { setDisabled } from './operator.sql.ts'
import { markPasswordGiven } from './password.sql.ts'
import { findProfileFault } from './profile.policy.ts'
import { updateProfile } from './user.sql.ts'

/** The login is disabled until account/user/add takes the person into the account. */
export const add: Handler<typeof userAdd> = async ({ services, input, caller, on, fail }) => {
  const accountUuid = on.ownerUuid
  const person = { first: input.first.trim(), last: input.last.trim(), email: readOneAddress(input.email) }
  demandPerson(person)
  const profile = { mobile_phone: input.mobile_phone?.trim() ?? '' }
  const fault = findProfileFault(profile)
  if (fault) throw fail('INVALID_FIELD', { subtype: fault.field })
  return changePeople(services.db, [accountUuid], async (tx) => {
    if (await findByEmail(tx, person.email)) throw fail('DUPLICATE_EMAIL')
    const { userUuid, namespaceUuid } = await createLogin(tx, { accountUuid, password: input.password, ...person })
    await markPasswordGiven(tx, userUuid)
    await setDisabled(tx, userUuid, true)
    await updateProfile(tx, userUuid, profile)
    const detail = { password_given: 1 }
    await writeAudit(tx, { accountUuid, caller, action: 'CREATE', type: 'User', objectUuid: userUuid, detail })
    return { uuid: userUuid, namespace_id: namespaceUuid }
  })
}
