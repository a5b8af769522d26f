import { createHash } from 'node:crypto'
import type { Seal } from './seal.sql.ts'

/** The digest of a seal: SHA-256 over the digest of the seal before it and all that this one says. */
export function digestOfSeal(seal: Omit<Seal, 'digest'>, previous: Buffer | undefined): Buffer {
  const head = [seal.account_uuid, seal.number, seal.sealed_at.toISOString(), seal.row_ids.join(',')].join('\n')
  return createHash('sha256')
    .update(previous ?? '')
    .update(`${head}\n`)
    .update(seal.row_digests)
    .digest()
}
