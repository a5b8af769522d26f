import type { identityBegin } from '@hilum/contract/calls/identity'
import { uuidForm } from '@hilum/contract/wire'
import type { Handler } from '../handler.ts'
import { beginFlow } from './begin-flow.command.ts'
import { findProvider } from './provider.sql.ts'
import { noteSignInRefusal } from './refuse-sign-in.command.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

export const begin: Handler<typeof identityBegin> = async ({ services, input, origin, fail }) => {
  const provider = uuidForm.test(input.provider) ? await findProvider(services.db, input.provider) : undefined
  try {
    return { address: await beginFlow(services, origin, provider, { purpose: 'sign-in' }) }
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error
    // a flood must not write, and a provider that there is not is nobody's
    if (provider && error.fault !== 'TOO_OFTEN')
      await noteSignInRefusal(services, provider, error, { ...origin, purpose: 'sign-in' })
    throw fail('SSO_REFUSED', { subtype: error.fault })
  }
}
