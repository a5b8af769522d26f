import { mayDo } from '@hilum/contract/acts'
import { userEvent } from '@hilum/contract/calls/user-event'
import { findMembershipOf } from '../../access/find-caller.ts'
import type { Handler } from '../handler.ts'
import { readChoices } from './read-choices.ts'

export const event: Handler<typeof userEvent> = async ({ services, input, caller, on, fail }) => {
  const { db, log } = services
  const userUuid = input.uuid ?? caller.userUuid
  if (userUuid !== caller.userUuid) {
    if (!mayDo(userEvent.asks['another person'], { permissions: on.inAccount }))
      throw fail('NOT_PERMITTED', { subtype: 'uuid' })
    if (!(await findMembershipOf(db, userUuid, on.namespaceUuid, log))) throw fail('NOT_MEMBER')
  }
  return readChoices(db, userUuid, on)
}
