import type { linkStatus } from '@hilum/contract/calls/link-open'
import type { Handler } from '../handler.ts'
import { knockAtLink } from './knock.command.ts'
import { stateFor } from './open-link.command.ts'

/** Tells nothing of the study, the patient or the sender. */
export const status: Handler<typeof linkStatus> = async ({ services, input, origin, fail }) => {
  const link = await knockAtLink(services.db, input.token, origin.clientAddress, input.again)
  if (link === 'locked out') throw fail('LOCKOUT')
  if (!link) throw fail('NOT_FOUND')
  return {
    action: link.action,
    state: stateFor(link),
    has_password: link.password_hash === null ? 0 : 1,
    password_is_dob: link.password_is_dob ? 1 : 0,
    pin_auth: link.pin_auth && !link.goes_on_from ? 1 : 0,
  }
}
