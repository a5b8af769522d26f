import type { identityProviderGet } from '@hilum/contract/calls/identity'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { redirectAddress } from './begin-flow.command.ts'
import { presentProvider } from './provider.presenter.ts'
import { findProviderOf, listClaimRules } from './provider.sql.ts'

export const providerGet: Handler<typeof identityProviderGet> = async ({ services, on, origin }) => {
  const row = await findProviderOf(services.db, on.ownerUuid)
  return {
    provider: row ? presentProvider(row, await listClaimRules(services.db, row.uuid)) : null,
    redirect_address: redirectAddress(services.config, origin),
    logout_address: `${publicAddress(services.config, origin)}/`,
  }
}
