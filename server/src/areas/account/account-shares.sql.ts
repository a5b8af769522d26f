import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** How the Organisation inbox of an account takes in what is shared with it, uploaded or sent to it. */
export interface AccountShares {
  must_approve: boolean
  must_approve_upload: boolean
  must_approve_harvest: boolean
  no_share: boolean
  share_code: string
  share_description: string
  share_settings: Record<string, unknown>
}

export async function lockShares(tx: Tx, accountUuid: string): Promise<AccountShares | undefined> {
  const { rows } = await sql<AccountShares>`
    select must_approve, must_approve_upload, must_approve_harvest, no_share, share_code, share_description, share_settings
    from account
    where uuid = ${accountUuid}
    for update
  `.execute(tx)
  return rows[0]
}

export async function updateShares(tx: Tx, accountUuid: string, shares: AccountShares): Promise<void> {
  await sql`
    update account
    set must_approve = ${shares.must_approve}, must_approve_upload = ${shares.must_approve_upload},
      must_approve_harvest = ${shares.must_approve_harvest}, no_share = ${shares.no_share},
      share_code = ${shares.share_code}, share_description = ${shares.share_description},
      share_settings = ${JSON.stringify(shares.share_settings)}::jsonb
    where uuid = ${accountUuid}
  `.execute(tx)
}
