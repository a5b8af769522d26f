import { randomUUID } from 'node:crypto'
import type { LinkRight } from '@hilum/contract/link-rights'
import { digestOf } from '../src/access/sid.ts'
import { addLink } from '../src/areas/link/link.sql.ts'
import { openLinkSession } from '../src/areas/link/open-link-session.command.ts'
import type { Database } from '../src/db/database.ts'

/** A link to studies, of a person of an account. */
export interface LinkWish {
  accountUuid: string
  createdBy: string
  studies: readonly { phi_namespace: string; uuid: string }[]
  permissions?: readonly LinkRight[]
  expiresAt?: Date
  /** The secret in its address. */
  secret?: string
  passwordHash?: string
  passwordIsDob?: boolean
  maxHits?: number
}

export async function makeLink(db: Database, wish: LinkWish): Promise<string> {
  const uuid = randomUUID()
  const { permissions = ['study_view'], expiresAt = new Date(Date.now() + 86_400_000), secret = uuid, ...rest } = wish
  const [secretDigest, sealedSecret] = [digestOf(secret), Buffer.alloc(0)]
  await db
    .transaction()
    .execute((tx) => addLink(tx, { ...rest, uuid, permissions, expiresAt, secretDigest, sealedSecret }))
  return uuid
}

/** The sid of somebody who opened a link. @throws Error when the link has ended */
export async function openLink(db: Database, linkUuid: string): Promise<string> {
  const from = { clientAddress: '192.0.2.7', userAgent: 'Tests' }
  const opened = await db.transaction().execute((tx) => openLinkSession(tx, linkUuid, from))
  if (!opened) throw new Error('The link has ended')
  return opened.sid
}
