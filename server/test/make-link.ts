import { randomUUID } from 'node:crypto'
import type { LinkAction } from '@hilum/contract/calls/link'
import type { LinkRight } from '@hilum/contract/link-rights'
import { digestOf } from '../src/access/sid.ts'
import { addLink, addRequest } from '../src/areas/link/link.sql.ts'
import { openLinkSession } from '../src/areas/link/open-link-session.command.ts'
import type { Database } from '../src/db/database.ts'

/** A link to studies, of a person of an account. */
export interface LinkOptions {
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
  email?: string
  pinAuth?: boolean
}

export async function makeLink(db: Database, options: LinkOptions): Promise<string> {
  const uuid = randomUUID()
  const {
    permissions = ['study_view'],
    expiresAt = new Date(Date.now() + 86_400_000),
    secret = uuid,
    ...rest
  } = options
  const [secretDigest, sealedSecret] = [digestOf(secret), Buffer.alloc(0)]
  await db
    .transaction()
    .execute((tx) => addLink(tx, { ...rest, uuid, permissions, expiresAt, secretDigest, sealedSecret }))
  return uuid
}

/** A request for studies into a namespace, of a person of an account. */
export async function makeRequest(
  db: Database,
  options: { accountUuid: string; createdBy: string; namespaceUuid: string },
): Promise<string> {
  const uuid = randomUUID()
  const link = {
    uuid,
    expiresAt: new Date(Date.now() + 86_400_000),
    secretDigest: digestOf(uuid),
    sealedSecret: Buffer.alloc(0),
    maxBytes: 1024 ** 3,
    expected: { patient_name: '', patient_birth_date: '', patient_sex: '', patientid: '' },
  }
  await db.transaction().execute((tx) => addRequest(tx, { ...options, ...link }))
  return uuid
}

/** The sid of somebody who opened a link. @throws Error when the link has ended */
export async function openLink(db: Database, linkUuid: string, action: LinkAction = 'STUDY_VIEW'): Promise<string> {
  const from = { clientAddress: '192.0.2.7', userAgent: 'Tests' }
  const opened = await db.transaction().execute((tx) => openLinkSession(tx, linkUuid, from, action))
  if (!opened) throw new Error('The link has ended')
  return opened.sid
}
