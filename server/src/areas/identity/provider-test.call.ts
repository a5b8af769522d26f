import type { identityProviderTest, ProviderTestStep } from '@hilum/contract/calls/identity'
import * as oidc from 'openid-client'
import type { Handler } from '../handler.ts'
import { askDiscovery, askKeys, refusing } from './ask-provider.ts'
import { redirectAddress } from './begin-flow.command.ts'
import { findProviderOf } from './provider.sql.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

export const providerTest: Handler<typeof identityProviderTest> = async ({ services, on, origin, fail }) => {
  const provider = await findProviderOf(services.db, on.ownerUuid)
  if (!provider) throw fail('NOT_FOUND')
  const steps: { step: ProviderTestStep; fault: string }[] = []
  const take = async (step: ProviderTestStep, run: () => Promise<void>) => {
    if (steps.some((one) => one.fault)) return
    const fault = await faultOf(run)
    steps.push({ step, fault })
  }
  let client: oidc.Configuration | undefined
  await take('discovery', async () => {
    client = await askDiscovery(services, provider)
  })
  if (client) {
    const found = client
    await take('keys', () => askKeys(services, found))
    await take('client', () => showSecret(found, redirectAddress(services.config, origin)))
  }
  return { steps }
}

/** Sends a code that the provider never gave: an error about the code says that the client was taken. */
async function showSecret(client: oidc.Configuration, redirect: string): Promise<void> {
  const came = new URL(redirect)
  const state = oidc.randomState()
  came.searchParams.set('code', 'hilum-test')
  came.searchParams.set('state', state)
  const issuer = client.serverMetadata().issuer
  came.searchParams.set('iss', issuer)
  try {
    const checks = { expectedState: state, pkceCodeVerifier: oidc.randomPKCECodeVerifier(), idTokenExpected: true }
    await refusing(() => oidc.authorizationCodeGrant(client, came, checks))
  } catch (error) {
    if (!(error instanceof SignInRefusal && error.fault === 'CODE_REFUSED')) throw error
  }
}

async function faultOf(run: () => Promise<void>): Promise<string> {
  try {
    await run()
    return ''
  } catch (error) {
    if (error instanceof SignInRefusal) return error.fault
    throw error
  }
}
