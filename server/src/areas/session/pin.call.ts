import { randomUUID } from 'node:crypto'
import { rememberedDays, type sessionPin } from '@hilum/contract/calls/session-pin'
import { digestOf, newSid } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'
import { findPinSession } from './pin-session.sql.ts'
import { addDevice } from './remembered-device.sql.ts'
import { lockPerson } from './sign-in.sql.ts'
import { finishSignIn } from '../sign-in/finish-sign-in.command.ts'
import { mayTryPin, refusePin, takePin } from './two-factor.command.ts'

export const pin: Handler<typeof sessionPin> = async ({ services, input, origin, fail }) => {
  const session = origin.sid ? await findPinSession(services.db, digestOf(origin.sid)) : undefined
  if (!session?.waits_for) throw fail('INVALID_SID')
  if (!session.is_live) throw fail('PIN_EXPIRED')
  const may = await mayTryPin(services, session, origin)
  if (may !== 'yes') throw fail(may === 'locked' ? 'LOCKOUT' : 'PIN_EXPIRED')
  // a sign-in by a provider asks for a code each time, so that nothing is remembered there
  const isAsked = input.remember_device === 1 && session.method === 'password' && origin.setDeviceCookie !== undefined
  let remembered: string | undefined
  const outcome = await services.db.transaction().execute(async (tx) => {
    await lockPerson(tx, session.user_uuid)
    const way = await takePin(services, tx, session.user_uuid, input.pin, origin)
    if (!way) return 'INVALID_PIN'
    // a recovery code is given where the app is lost: nobody goes on for a month without one by it
    const isRemembered = isAsked && way === 'totp'
    if (!(await finishSignIn(tx, session, origin, { secondFactor: way, isRemembered }))) return 'PIN_EXPIRED'
    if (!isRemembered) return undefined
    remembered = newSid()
    await addDevice(tx, {
      uuid: randomUUID(),
      digest: digestOf(remembered),
      userUuid: session.user_uuid,
      clientAddress: origin.clientAddress,
      userAgent: origin.userAgent ?? '',
      days: rememberedDays,
    })
    return undefined
  })
  if (outcome === 'INVALID_PIN') await refusePin(services, session, origin)
  if (outcome) throw fail(outcome)
  if (remembered) origin.setDeviceCookie?.(remembered, rememberedDays * 86_400)
  return {}
}
