import * as oidc from 'openid-client'
import { FetchFailure, fetchGuarded } from '../../outbound/identity/guarded-fetch.ts'
import type { Services } from '../../services.ts'
import type { ProviderRow } from './provider.sql.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

/** Clocks of provider and server may differ by so much. */
export const clockSeconds = 60
/** A discovery document is asked for anew after this time; the library asks for keys anew when one is not known. */
const freshMs = 60 * 60_000
/** Signatures by a private key alone: with HS256 every holder of the client secret could write tokens. */
const algorithms: readonly string[] = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

type Asking = Pick<Services, 'config' | 'sealer'>

const known = new Map<string, { at: number; version: number; found: Promise<oidc.Configuration> }>()

/** The provider by its discovery document of this hour. @throws SignInRefusal */
export function reachProvider(services: Asking, provider: ProviderRow): Promise<oidc.Configuration> {
  const before = known.get(provider.uuid)
  if (before && before.version === provider.row_version && Date.now() - before.at < freshMs) return before.found
  const found = askDiscovery(services, provider)
  known.set(provider.uuid, { at: Date.now(), version: provider.row_version, found })
  found.catch(() => known.delete(provider.uuid)) // the next one asks again
  return found
}

/** Asks for the discovery document anew and looks at it. @throws SignInRefusal */
export async function askDiscovery({ config, sealer }: Asking, provider: ProviderRow): Promise<oidc.Configuration> {
  const secret = sealer.open(provider.sealed_secret, provider.uuid)
  if (secret === undefined) throw new SignInRefusal('WRONG_SECRET', 'not readable')
  const allowsPrivate = config.signInAtPrivate
  const fetch: oidc.CustomFetch = (address, asked) => fetchGuarded(address, asked, { allowsPrivate })
  const found = await refusing(() =>
    oidc.discovery(new URL(provider.issuer), provider.client_id, {}, oidc.None(), {
      [oidc.customFetch]: fetch,
      // the guarded fetch refuses plain http where it is not allowed
      execute: [oidc.allowInsecureRequests],
    }),
  )
  const server = lookAt(found.serverMetadata(), provider.issuer, allowsPrivate)
  const client = new oidc.Configuration(
    server,
    provider.client_id,
    { [oidc.clockTolerance]: clockSeconds },
    authenticate(server, secret),
  )
  client[oidc.customFetch] = fetch
  oidc.allowInsecureRequests(client)
  oidc.enableNonRepudiationChecks(client)
  return client
}

/** The document without the algorithms that are not taken. @throws SignInRefusal */
function lookAt(document: oidc.ServerMetadata, issuer: string, allowsPrivate: boolean): oidc.ServerMetadata {
  const server = JSON.parse(JSON.stringify(document)) as oidc.ServerMetadata // without the library's methods
  // with the document of many tenants each of them could sign in anybody
  if (server.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, '')) throw new SignInRefusal('WRONG_ISSUER')
  const { authorization_endpoint: entrance, token_endpoint: tokens, jwks_uri: keys } = server
  if (!entrance || !tokens || !keys) throw new SignInRefusal('BAD_ANSWER')
  for (const one of [entrance, tokens, keys, server.end_session_endpoint, server.userinfo_endpoint]) {
    const scheme = one === undefined ? 'https:' : URL.parse(one)?.protocol
    if (scheme !== 'https:' && !(allowsPrivate && scheme === 'http:')) throw new SignInRefusal('INSECURE_ADDRESS')
  }
  if (server.response_types_supported?.includes('code') === false) throw new SignInRefusal('NO_CODE_FLOW')
  const taken = (server.id_token_signing_alg_values_supported ?? ['RS256']).filter((one) => algorithms.includes(one))
  if (taken.length === 0) throw new SignInRefusal('NO_ALGORITHM')
  return { ...server, id_token_signing_alg_values_supported: taken }
}

function authenticate(server: oidc.ServerMetadata, secret: string): oidc.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret)
}

/** Asks for the keys of a provider. @throws SignInRefusal */
export async function askKeys({ config }: Pick<Services, 'config'>, found: oidc.Configuration): Promise<void> {
  const address = found.serverMetadata().jwks_uri ?? ''
  const asked = { method: 'GET', headers: { accept: 'application/json' } }
  const answer = await refusing(() => fetchGuarded(address, asked, { allowsPrivate: config.signInAtPrivate }))
  const body = (await answer.json().catch(() => undefined)) as { keys?: unknown } | undefined
  if (answer.status !== 200 || !Array.isArray(body?.keys) || body.keys.length === 0)
    throw new SignInRefusal('BAD_ANSWER')
}

/** Runs a request of the library; its failures become refusals with a reason. @throws SignInRefusal */
export async function refusing<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    throw explain(error)
  }
}

/** Library codes that say that a token or an answer breaks a rule of OpenID Connect. */
const ofTokens = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])

function explain(error: unknown): SignInRefusal {
  if (error instanceof SignInRefusal) return error
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof FetchFailure) return new SignInRefusal(cause.fault)
  }
  if (error instanceof oidc.AuthorizationResponseError)
    return new SignInRefusal(error.error === 'access_denied' ? 'CANCELLED' : 'PROVIDER_ERROR', wordOf(error.error))
  if (error instanceof oidc.WWWAuthenticateChallengeError) return new SignInRefusal('WRONG_SECRET')
  if (error instanceof oidc.ResponseBodyError) {
    const isClient = error.error === 'invalid_client' || error.error === 'unauthorized_client'
    return new SignInRefusal(isClient ? 'WRONG_SECRET' : 'CODE_REFUSED', wordOf(error.error))
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return new SignInRefusal('WRONG_CLOCK', code)
  if (error instanceof Error && /issuer does not match/.test(error.message)) return new SignInRefusal('WRONG_ISSUER')
  return new SignInRefusal(ofTokens.has(code) ? 'BAD_TOKEN' : 'BAD_ANSWER', wordOf(code))
}

/** A code of the other side, short and without signs that a log would misread. */
function wordOf(code: string): string {
  return code.replace(/[^\w-]/g, '').slice(0, 60)
}
