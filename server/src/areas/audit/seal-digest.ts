import { createHash } from 'node:crypto'
import type { Seal } from './seal.sql.ts'

/** What ties a seal to its rows and to the seal before it: SHA-256 over that one's digest and all that this one says. */
export function digestOfSeal(seal: Omit<Seal, 'digest'>, previous: Buffer | undefined): Buffer {
  const head = [seal.account_uuid, seal.number, seal.sealed_at.toISOString(), seal.row_ids.join(',')].join('\n')
  return createHash('sha256')
    .update(previous ?? '')
    .update(`${head}\n`)
    .update(seal.row_digests)
    .digest()
}
