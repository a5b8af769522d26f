import { mayDo } from '@hilum/contract/acts'
import { accountUserGet } from '@hilum/contract/calls/account-user'
import type { Handler } from '../handler.ts'
import { readMember } from './read-member.ts'

export const userGet: Handler<typeof accountUserGet> = async ({ services, input, caller, on, fail }) => {
  const { user_id: userUuid } = input
  if (userUuid !== caller.userUuid && !mayDo(accountUserGet.asks['another person'], on)) throw fail('NOT_PERMITTED')
  const member = await readMember(services.db, on, caller, userUuid)
  if (!member) throw fail('USER_NOT_FOUND')
  return member
}
