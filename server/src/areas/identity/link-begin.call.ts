import type { identityLinkBegin } from '@hilum/contract/calls/identity'
import type { Handler } from '../handler.ts'
import { isProvenLately } from '../session/pin-session.sql.ts'
import { beginFlow } from './begin-flow.command.ts'
import { listOwnIdentities } from './identity.sql.ts'
import { findProvider } from './provider.sql.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

/** A connection lets somebody in from then on, so that it takes a recent proof; a proof itself takes a connection. */
export const linkBegin: Handler<typeof identityLinkBegin> = async ({ services, input, caller, origin, fail }) => {
  const { purpose } = input
  const mine = (await listOwnIdentities(services.db, caller.userUuid)).find((one) => one.provider === input.provider)
  if (!mine) throw fail('SSO_REFUSED', { subtype: 'NOT_MEMBER' })
  if (purpose === 'prove' && mine.is_linked === 0) throw fail('SSO_REFUSED', { subtype: 'LINK_FIRST' })
  if (purpose === 'link' && !(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  const provider = await findProvider(services.db, input.provider)
  try {
    return { address: await beginFlow(services, origin, provider, { purpose, sessionUuid: caller.sessionUuid }) }
  } catch (error) {
    if (error instanceof SignInRefusal) throw fail('SSO_REFUSED', { subtype: error.fault })
    throw error
  }
}
