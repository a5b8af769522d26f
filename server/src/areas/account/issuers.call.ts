import type { accountIssuers } from '@hilum/contract/calls/account-issuers'
import { authorityOf, ownNamesOf } from '@hilum/dicom/authority'
import type { Handler } from '../handler.ts'
import { findSetting } from '../setting/setting.sql.ts'
import { holdsBackForeign, listNamedIssuers } from './issuers.sql.ts'

export const issuers: Handler<typeof accountIssuers> = async ({ services: { db }, on }) => {
  const outside = ownNamesOf('', (await findSetting(db, 'account', on.ownerUuid, 'outside_issuers')) ?? '')
  const found = await listNamedIssuers(db, on.ownerUuid)
  return {
    issuers: found.map((one) => ({ ...one, is_outside: authorityOf(one.issuer, outside) === '' ? 1 : 0 })),
    holds_back: (await holdsBackForeign(db, on.ownerUuid)) ? 1 : 0,
  }
}
