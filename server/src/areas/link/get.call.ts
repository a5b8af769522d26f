import type { linkGet } from '@hilum/contract/calls/link'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { findLink } from './link-list.sql.ts'
import { presentLink } from './link.presenter.ts'
import { placeOf } from './link-place.policy.ts'

export const get: Handler<typeof linkGet> = async ({ services, input, on, origin, fail }) => {
  const row = await findLink(services.db, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  return presentLink(row, services, placeOf(on).membership, publicAddress(services.config, origin))
}
