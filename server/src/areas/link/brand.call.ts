import { publicBrandOf } from '@hilum/contract/account-settings'
import type { linkBrand } from '@hilum/contract/calls/link-open'
import { findCaller } from '../../access/find-caller.ts'
import type { Handler } from '../handler.ts'
import { listSettings } from '../setting/setting.sql.ts'
import { findOpenedLink } from './link-session.sql.ts'
import { findOpenRequest } from './link-upload.sql.ts'

/** The call finds its asker itself, as `link/studies` does: the brand is told to whoever opened a link that is open still. */
export const brand: Handler<typeof linkBrand> = async ({ services: { db, log }, origin, fail }) => {
  const asker = origin.sid ? await findCaller(db, origin.sid, origin.clientAddress, { isPoll: true, log }) : undefined
  if (asker?.kind !== 'link') throw fail('EXPIRED')
  const link = (await findOpenedLink(db, asker.linkUuid)) ?? (await findOpenRequest(db, asker.linkUuid))
  if (!link) throw fail('EXPIRED')
  return publicBrandOf(await listSettings(db, 'account', link.account_uuid))
}
