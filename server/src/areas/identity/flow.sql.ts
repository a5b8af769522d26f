import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export type FlowPurpose = 'sign-in' | 'link' | 'prove'

interface FlowRow {
  uuid: string
  browser_digest: Buffer
  provider_uuid: string
  purpose: FlowPurpose
  session_uuid: string | null
  sealed: Buffer
  is_live: boolean
}

export async function addFlow(
  db: Db,
  one: {
    uuid: string
    stateDigest: Buffer
    browserDigest: Buffer
    providerUuid: string
    purpose: FlowPurpose
    sessionUuid: string | undefined
    sealed: Buffer
    minutes: number
  },
): Promise<void> {
  await sql`
    insert into identity_flow (uuid, state_digest, browser_digest, provider_uuid, purpose, session_uuid, sealed, expires_at)
    values (${one.uuid}, ${one.stateDigest}, ${one.browserDigest}, ${one.providerUuid}, ${one.purpose},
      ${one.sessionUuid ?? null}, ${one.sealed}, now() + make_interval(mins => ${one.minutes}))
  `.execute(db)
}

/** Takes a way by its state; nobody takes it again, whatever becomes of it. */
export async function takeFlow(db: Db, stateDigest: Buffer): Promise<FlowRow | undefined> {
  const { rows } = await sql<FlowRow>`
    delete from identity_flow
    where state_digest = ${stateDigest}
    returning uuid, browser_digest, provider_uuid, purpose, session_uuid, sealed, expires_at > now() as is_live
  `.execute(db)
  return rows[0]
}
