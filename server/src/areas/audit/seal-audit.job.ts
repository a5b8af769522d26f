import type { Services } from '../../services.ts'
import { digestOfSeal } from './seal-digest.ts'
import { findLastSeal, insertSeal, listAccountsToSeal, lockChain, takeRowsToSeal } from './seal.sql.ts'

const BATCH = 1000

/**
 * Seals the audit rows of every account that are not sealed yet, each batch with the digest of the one before. Rows
 * come in without any of this; one that commits late goes into a later seal. Gives how many rows were sealed.
 */
export async function sealAudit(services: Sealing, now: Date): Promise<number> {
  let count = 0
  for (const accountUuid of await listAccountsToSeal(services.db)) {
    for (let sealed = BATCH; sealed === BATCH; count += sealed) sealed = await sealBatch(services, accountUuid, now)
  }
  return count
}

type Sealing = Pick<Services, 'db' | 'log'>

/** Makes one account's next seal over what is not sealed yet. Gives over how many rows. */
function sealBatch({ db, log }: Sealing, accountUuid: string, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await lockChain(tx, accountUuid)
    const last = await findLastSeal(tx, accountUuid)
    const number = (last?.number ?? 0) + 1
    const rows = await takeRowsToSeal(tx, accountUuid, number, BATCH)
    if (rows.length === 0) return 0
    const seal = {
      account_uuid: accountUuid,
      number,
      sealed_at: now,
      row_ids: rows.map((row) => row.id),
      row_digests: Buffer.concat(rows.map((row) => row.digest)),
    }
    const digest = digestOfSeal(seal, last?.digest)
    await insertSeal(tx, { ...seal, digest })
    log.info({ event: 'audit sealed', account: accountUuid, seal: number, digest: digest.toString('hex') })
    return rows.length
  })
}
