import type { sessionProve } from '@hilum/contract/calls/session-pin'
import { digestOf } from '../../access/sid.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { isPasswordOf } from '../user/password-hash.ts'
import { findPasswordHash } from '../user/password.sql.ts'
import { perLogin } from './attempt-rules.ts'
import { forgetAttempts, mayAttempt } from './attempt.sql.ts'
import { personOf } from './person-of.ts'
import { noteProof } from './pin-session.sql.ts'
import { mayTryPin, refusePin, takePin } from './two-factor.command.ts'
import { findTwoFactorState } from './two-factor.sql.ts'

/** With a second factor a code of it is asked for; without one the password. */
export const prove: Handler<typeof sessionProve> = async (request) => {
  const { services, caller } = request
  const { is_on: hasSecond } = await findTwoFactorState(services.db, caller.userUuid)
  await (hasSecond ? provePin(request) : provePassword(request))
  await noteProof(services.db, caller.sessionUuid)
  return {}
}

type Request = CallRequest<typeof sessionProve>

async function provePin({ services, input, caller, fail }: Request): Promise<void> {
  if (!input.pin) throw fail('MISSING_FIELDS', { subtype: ['pin'] })
  const { pin } = input
  const person = await personOf(caller)
  const may = await mayTryPin(services, { uuid: caller.sessionUuid, waits_for: null, ...person }, caller)
  if (may !== 'yes') throw fail('LOCKOUT')
  const way = await services.db.transaction().execute((tx) => takePin(services, tx, caller.userUuid, pin, caller))
  if (way) return
  await refusePin(services, person, caller)
  throw fail('INVALID_PIN')
}

async function provePassword({ services, input, caller, fail }: Request): Promise<void> {
  if (!input.password) throw fail('MISSING_FIELDS', { subtype: ['password'] })
  // a stolen session must not serve to guess the password
  const key = digestOf(caller.userUuid)
  if (!(await mayAttempt(services.db, 'password-change', key, perLogin))) throw fail('LOCKOUT')
  const hash = await findPasswordHash(services.db, caller.userUuid)
  if (!(await isPasswordOf(hash, input.password))) throw fail('INVALID_PASSWORD')
  await forgetAttempts(services.db, 'password-change', key)
}
