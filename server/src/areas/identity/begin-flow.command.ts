import { randomUUID, timingSafeEqual } from 'node:crypto'
import { signInReturnPath } from '@hilum/contract/calls/identity'
import * as oidc from 'openid-client'
import { addressKey } from '../../access/address-key.ts'
import { digestOf, newSid } from '../../access/sid.ts'
import type { Services } from '../../services.ts'
import type { Origin } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { perFlow } from '../session/attempt-rules.ts'
import { mayAttempt } from '../session/attempt.sql.ts'
import { clockSeconds, reachProvider, refusing } from './ask-provider.ts'
import { addFlow, type FlowPurpose, takeFlow } from './flow.sql.ts'
import { findProvider, type ProviderRow } from './provider.sql.ts'
import { joinClaims, readClaims, type Said } from './read-claims.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

/** Time for a person to sign in at the provider. */
const flowMinutes = 10
/** The secret of a browser, as `newSid` writes it. */
const secretForm = /^[\w-]{43}$/

interface FlowSecrets {
  verifier: string
  nonce: string
  /** Address that the browser comes back to. */
  redirect: string
}

/** The address that a provider sends browsers back to. */
export function redirectAddress(config: Services['config'], origin: Pick<Origin, 'host' | 'isHttps'>): string {
  return `${publicAddress(config, origin)}${signInReturnPath}`
}

/**
 * Sends a browser to a provider: state, nonce and code verifier stay here, and the browser gets a secret of its own.
 * @returns the address to go to
 * @throws SignInRefusal
 */
export async function beginFlow(
  services: Services,
  origin: Origin,
  provider: ProviderRow | undefined,
  { purpose, sessionUuid }: { purpose: FlowPurpose; sessionUuid?: string },
): Promise<string> {
  // inside a bundle nothing binds the way back to the browser
  if (!origin.setFlowCookie) throw new SignInRefusal('OTHER_BROWSER')
  if (!provider?.is_on) throw new SignInRefusal('SWITCHED_OFF')
  const here = digestOf(addressKey(origin.clientAddress))
  if (!(await mayAttempt(services.db, 'identity-address', here, perFlow))) throw new SignInRefusal('TOO_OFTEN')
  const client = await reachProvider(services, provider)
  const [uuid, state] = [randomUUID(), newSid()]
  // one secret for every way that is open in this browser, so that several tabs come back; each way has a state of its own
  const browser = secretForm.test(origin.flowCookie ?? '') ? (origin.flowCookie ?? '') : newSid()
  const secrets: FlowSecrets = {
    verifier: oidc.randomPKCECodeVerifier(),
    nonce: oidc.randomNonce(),
    redirect: redirectAddress(services.config, origin),
  }
  await addFlow(services.db, {
    uuid,
    stateDigest: digestOf(state),
    browserDigest: digestOf(browser),
    providerUuid: provider.uuid,
    purpose,
    sessionUuid,
    sealed: services.sealer.seal(JSON.stringify(secrets), uuid),
    minutes: flowMinutes,
  })
  origin.setFlowCookie(browser, flowMinutes * 60)
  const address = oidc.buildAuthorizationUrl(client, {
    redirect_uri: secrets.redirect,
    scope: provider.scopes,
    state,
    nonce: secrets.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    // a proof is a sign-in of now; a session at the provider proves nothing
    ...(purpose === 'prove' ? { prompt: 'login', max_age: '0' } : {}),
    ...(provider.trusts_second_factor && provider.acr_values ? { acr_values: provider.acr_values } : {}),
  })
  return address.href
}

export interface ReturnedFlow {
  provider: ProviderRow
  purpose: FlowPurpose
  sessionUuid: string | undefined
  /** Asks the provider for the tokens of the code and reads them. @throws SignInRefusal */
  exchange: () => Promise<Said>
}

/**
 * Takes the way that a browser came back by.
 * @throws SignInRefusal when it is over, another browser's, or the provider was taken off meanwhile
 */
export async function returnFlow(
  services: Services,
  origin: Origin,
  sent: { state: string; code?: string; iss?: string; error?: string },
): Promise<ReturnedFlow> {
  const flow = await takeFlow(services.db, digestOf(sent.state))
  if (!flow?.is_live) throw new SignInRefusal('FLOW_OVER')
  const browser = digestOf(origin.flowCookie ?? '')
  if (!timingSafeEqual(browser, flow.browser_digest)) throw new SignInRefusal('OTHER_BROWSER')
  const provider = await findProvider(services.db, flow.provider_uuid)
  const secrets = services.sealer.open(flow.sealed, flow.uuid)
  if (!provider?.is_on) throw new SignInRefusal('SWITCHED_OFF')
  if (secrets === undefined) throw new SignInRefusal('FLOW_OVER', 'not readable')
  return {
    provider,
    purpose: flow.purpose,
    sessionUuid: flow.session_uuid ?? undefined,
    exchange: () => exchange(services, provider, JSON.parse(secrets) as FlowSecrets, flow.purpose, sent),
  }
}

async function exchange(
  services: Services,
  provider: ProviderRow,
  secrets: FlowSecrets,
  purpose: FlowPurpose,
  sent: { state: string; code?: string; iss?: string; error?: string },
): Promise<Said> {
  const client = await reachProvider(services, provider)
  const came = new URL(secrets.redirect)
  for (const name of ['state', 'code', 'iss', 'error'] as const) {
    const value = sent[name]
    if (value) came.searchParams.set(name, value)
  }
  const tokens = await refusing(() =>
    oidc.authorizationCodeGrant(client, came, {
      expectedState: sent.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.verifier,
      idTokenExpected: true,
      // seconds between the sign-in there and the way back
      ...(purpose === 'prove' ? { maxAge: flowMinutes * 60 } : {}),
    }),
  )
  const claims = tokens.claims()
  if (!claims) throw new SignInRefusal('BAD_TOKEN', 'no ID token')
  // the library looks at `exp` and `nbf` alone
  if (claims.iat > Date.now() / 1000 + clockSeconds) throw new SignInRefusal('WRONG_CLOCK', 'iat')
  const isShort = [provider.email_claim, provider.groups_claim].some((name) => name && claims[name] === undefined)
  const more =
    isShort && client.serverMetadata().userinfo_endpoint
      ? await refusing(() => oidc.fetchUserInfo(client, tokens.access_token, claims.sub))
      : {}
  return readClaims(provider, claims.sub, joinClaims(provider, claims, more))
}
