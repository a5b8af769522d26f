import type { accountTexts } from '@hilum/contract/calls/account-text'
import type { Handler } from '../handler.ts'
import { listTextsInForce } from './account-text.sql.ts'

export const texts: Handler<typeof accountTexts> = async ({ services, on }) => {
  return { texts: await listTextsInForce(services.db, on.ownerUuid) }
}
