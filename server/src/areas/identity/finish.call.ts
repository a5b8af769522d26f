import type { identityFinish } from '@hilum/contract/calls/identity'
import { addressKey } from '../../access/address-key.ts'
import { digestOf } from '../../access/sid.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { perFlow } from '../session/attempt-rules.ts'
import { mayAttempt } from '../session/attempt.sql.ts'
import { makeToken } from '../session/make-token.command.ts'
import { findPinSession } from '../session/pin-session.sql.ts'
import { type ReturnedFlow, returnFlow } from './begin-flow.command.ts'
import { linkIdentity, proveByIdentity } from './link-identity.command.ts'
import type { Said } from './read-claims.ts'
import { noteSignInRefusal } from './refuse-sign-in.command.ts'
import { signInByProvider } from './sign-in-by-provider.command.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

type Request = CallRequest<typeof identityFinish>

export const finish: Handler<typeof identityFinish> = async (request) => {
  const { services, origin, input, fail } = request
  const { state, code, iss, error: refusal } = input
  const here = digestOf(addressKey(origin.clientAddress))
  // not put on record: a flood must not write
  if (!(await mayAttempt(services.db, 'identity-return', here, perFlow)))
    throw fail('SSO_REFUSED', { subtype: 'TOO_OFTEN' })
  let flow: ReturnedFlow | undefined
  let said: Said | undefined
  try {
    const sent = { state, ...(code ? { code } : {}), ...(iss ? { iss } : {}), ...(refusal ? { error: refusal } : {}) }
    flow = await returnFlow(services, origin, sent)
    said = await flow.exchange()
    return flow.purpose === 'sign-in' ? await signIn(request, flow, said) : await useIdentity(request, flow, said)
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error
    await noteSignInRefusal(services, flow?.provider, error, {
      clientAddress: origin.clientAddress,
      purpose: flow?.purpose ?? 'unknown',
      email: said?.email,
    })
    throw fail('SSO_REFUSED', { subtype: error.fault })
  }
}

async function signIn({ services, origin }: Request, { provider }: ReturnedFlow, said: Said) {
  const { sid, sessionUuid, userUuid, waitsFor } = await signInByProvider(services, origin, provider, said)
  origin.setCookie?.(sid)
  return {
    purpose: 'sign-in' as const,
    ...(await makeToken(services.db, sessionUuid)),
    session_id: sessionUuid,
    uuid: userUuid,
    account_id: provider.account_uuid,
    pin_required: waitsFor ? 1 : 0,
    ...(waitsFor ? { pin_via: waitsFor === 'pin' ? 'totp' : 'setup' } : {}),
  }
}

/** The session that went to the provider is the one that comes back, and it is open still. */
async function useIdentity(
  { services, origin }: Request,
  { provider, purpose, sessionUuid }: ReturnedFlow,
  said: Said,
) {
  const session = origin.sid ? await findPinSession(services.db, digestOf(origin.sid)) : undefined
  if (!session?.is_live || session.waits_for !== null || session.uuid !== sessionUuid)
    throw new SignInRefusal('OTHER_SESSION')
  await (purpose === 'link' ? linkIdentity : proveByIdentity)(services, origin, { session, provider, said })
  return { purpose }
}
