import type { identityOffer } from '@hilum/contract/calls/identity'
import { uuidForm } from '@hilum/contract/wire'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { findOffer } from './provider.sql.ts'

export const offer: Handler<typeof identityOffer> = async ({ services, input, origin }) => ({
  provider:
    (await findOffer(services.db, {
      vanity: input.vanity?.trim() ?? '',
      provider: uuidForm.test(input.provider ?? '') ? input.provider : undefined,
    })) ?? null,
  begin_at: `${publicAddress(services.config, origin)}/`,
})
