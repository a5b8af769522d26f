import type { identityOffer } from '@hilum/contract/calls/identity'
import { uuidForm } from '@hilum/contract/wire'
import type { Handler } from '../handler.ts'
import { findOffer } from './provider.sql.ts'

export const offer: Handler<typeof identityOffer> = async ({ services, input }) => ({
  provider:
    (await findOffer(services.db, {
      vanity: input.vanity?.trim() ?? '',
      provider: uuidForm.test(input.provider ?? '') ? input.provider : undefined,
    })) ?? null,
})
