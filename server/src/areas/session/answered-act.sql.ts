import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** An act under a key of the client's. */
export interface KeyedAct {
  userUuid: string
  keyDigest: Buffer
  call: string
  /** Of the parameters. */
  sentMac: Buffer
}

export interface AnsweredAct {
  call: string
  sent_mac: Buffer
  /** Null while the act is under way, or where its answer was lost. */
  sealed_answer: Buffer | null
  is_recent: boolean
}

/** Minutes for which an act without an answer may be under way still; the longest waits for a peer. */
const longestActMinutes = 10

/** Notes that an act begins. False where one with the same key of the same person did before. */
export async function beginAct(db: Db, { userUuid, keyDigest, call, sentMac }: KeyedAct): Promise<boolean> {
  const { rows } = await sql`
    insert into answered_act (user_uuid, key_digest, call, sent_mac)
    values (${userUuid}, ${keyDigest}, ${call}, ${sentMac})
    on conflict do nothing
    returning 1
  `.execute(db)
  return rows.length > 0
}

export async function findAnsweredAct(
  db: Db,
  { userUuid, keyDigest }: Pick<KeyedAct, 'userUuid' | 'keyDigest'>,
): Promise<AnsweredAct | undefined> {
  const { rows } = await sql<AnsweredAct>`
    select call, sent_mac, sealed_answer, begun > now() - make_interval(mins => ${longestActMinutes}) as is_recent
    from answered_act
    where user_uuid = ${userUuid} and key_digest = ${keyDigest}
  `.execute(db)
  return rows[0]
}

export async function storeAnswer(
  db: Db,
  { userUuid, keyDigest }: Pick<KeyedAct, 'userUuid' | 'keyDigest'>,
  sealedAnswer: Buffer,
): Promise<void> {
  await sql`
    update answered_act
    set sealed_answer = ${sealedAnswer}
    where user_uuid = ${userUuid} and key_digest = ${keyDigest}
  `.execute(db)
}

/** Forgets an act that was refused: it did nothing. */
export async function forgetAct(
  db: Db,
  { userUuid, keyDigest }: Pick<KeyedAct, 'userUuid' | 'keyDigest'>,
): Promise<void> {
  await sql`delete from answered_act where user_uuid = ${userUuid} and key_digest = ${keyDigest}`.execute(db)
}
