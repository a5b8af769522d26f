import type { Tx } from '../../db/database.ts'
import { lockAccounts } from '../account/member.sql.ts'
import { findProvider, type ProviderRow } from './provider.sql.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

/**
 * Holds the account of a provider, and the provider as it was asked against the one of now: it may have been switched off,
 * or got another issuer, while the browser was there.
 * @throws SignInRefusal SWITCHED_OFF
 */
export async function demandSameProvider(tx: Tx, asked: ProviderRow): Promise<void> {
  await lockAccounts(tx, [asked.account_uuid])
  const now = await findProvider(tx, asked.uuid)
  if (!now?.is_on || now.issuer !== asked.issuer) throw new SignInRefusal('SWITCHED_OFF')
}
