import * as oidc from 'openid-client'
import type { Services } from '../../services.ts'
import type { Origin } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { reachProvider } from './ask-provider.ts'
import { findProvider } from './provider.sql.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

/**
 * Where the browser of a session signs out at the provider, so that the next person at a shared workstation is not let in as
 * the last one. Undefined without a provider, and where the provider offers nothing or is away.
 */
export async function findLogoutAddress(
  services: Services,
  origin: Origin,
  providerUuid: string | undefined,
): Promise<string | undefined> {
  const provider = providerUuid ? await findProvider(services.db, providerUuid) : undefined
  if (!provider) return undefined
  try {
    const client = await reachProvider(services, provider)
    if (!client.serverMetadata().end_session_endpoint) return undefined
    const back = `${publicAddress(services.config, origin)}/`
    return oidc.buildEndSessionUrl(client, { post_logout_redirect_uri: back }).href
  } catch (error) {
    if (error instanceof SignInRefusal) return undefined
    throw error
  }
}
