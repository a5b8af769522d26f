import { publicBrandOf } from '@hilum/contract/account-settings'
import type { identityOffer } from '@hilum/contract/calls/identity'
import { uuidForm } from '@hilum/contract/wire'
import { findAccountByVanity, findAccountName, findOnlyAccount } from '../account/account.sql.ts'
import { firstOrganisation } from '../account/first-organisation.ts'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { listSettings } from '../setting/setting.sql.ts'
import { findOffer } from './provider.sql.ts'

export const offer: Handler<typeof identityOffer> = async ({ services: { db, config }, input, origin }) => {
  const vanity = input.vanity?.trim() ?? ''
  const named = (vanity ? await findAccountByVanity(db, vanity) : undefined) ?? (await findOnlyAccount(db))
  const name = named && (await findAccountName(db, named))
  return {
    provider:
      (await findOffer(db, {
        vanity,
        provider: uuidForm.test(input.provider ?? '') ? input.provider : undefined,
      })) ?? null,
    begin_at: `${publicAddress(config, origin)}/`,
    // the name of before somebody gave one says nothing
    brand_name: name === undefined || name === firstOrganisation ? '' : name,
    ...publicBrandOf(named ? await listSettings(db, 'account', named) : {}),
  }
}
