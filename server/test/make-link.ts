import { randomUUID } from 'node:crypto'
import type { LinkRight } from '@hilum/contract/link-rights'
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
}

export async function makeLink(db: Database, wish: LinkWish): Promise<string> {
  const uuid = randomUUID()
  const { permissions = ['study_view'], expiresAt = new Date(Date.now() + 86_400_000) } = wish
  await db.transaction().execute((tx) => addLink(tx, { ...wish, uuid, permissions, expiresAt }))
  return uuid
}

/** The sid of somebody who opened a link. @throws Error when the link has ended */
export async function openLink(db: Database, linkUuid: string): Promise<string> {
  const from = { clientAddress: '192.0.2.7', userAgent: 'Tests' }
  const opened = await db.transaction().execute((tx) => openLinkSession(tx, linkUuid, from))
  if (!opened) throw new Error('The link has ended')
  return opened.sid
}
