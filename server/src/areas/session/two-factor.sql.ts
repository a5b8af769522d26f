import { sql } from 'kysely'
import { forgetDevices } from './remembered-device.sql.ts'
import type { Db, Tx } from '../../db/database.ts'

interface TwoFactorRow {
  sealed_secret: Buffer | null
  last_step: number
  /** Null when nothing is being set up, or that was given up. */
  pending_secret: Buffer | null
}

/** The second factor of a person, locked: two codes at once are looked at one after the other. */
export async function lockTwoFactor(tx: Tx, userUuid: string): Promise<TwoFactorRow | undefined> {
  const { rows } = await sql<TwoFactorRow>`
    select sealed_secret, last_step::float8 as last_step,
      case when pending_until > now() then pending_secret end as pending_secret
    from two_factor
    where user_uuid = ${userUuid}
    for update
  `.execute(tx)
  return rows[0]
}

export async function putPendingSecret(db: Db, userUuid: string, sealed: Buffer, minutes: number): Promise<void> {
  await sql`
    insert into two_factor (user_uuid, pending_secret, pending_until)
    values (${userUuid}, ${sealed}, now() + make_interval(mins => ${minutes}))
    on conflict (user_uuid) do update
    set pending_secret = excluded.pending_secret, pending_until = excluded.pending_until
  `.execute(db)
}

/** Puts the pending secret in force; devices that passed with the one before are forgotten. */
export async function confirmSecret(tx: Tx, userUuid: string, step: number): Promise<void> {
  await forgetDevices(tx, userUuid)
  await sql`
    update two_factor
    set sealed_secret = pending_secret, confirmed_at = now(), last_step = ${step}, pending_secret = null,
      pending_until = null
    where user_uuid = ${userUuid}
  `.execute(tx)
}

export async function noteStep(tx: Tx, userUuid: string, step: number): Promise<void> {
  await sql`update two_factor set last_step = ${step} where user_uuid = ${userUuid}`.execute(tx)
}

/** Replaces the recovery codes of a person. */
export async function putRecoveryCodes(tx: Tx, userUuid: string, digests: readonly Buffer[]): Promise<void> {
  await sql`delete from recovery_code where user_uuid = ${userUuid}`.execute(tx)
  await sql`
    insert into recovery_code (user_uuid, code_digest)
    select ${userUuid}, digest
    from unnest(${digests as Buffer[]}::bytea[]) as digest
  `.execute(tx)
}

/** False when the person has no such code (any more). */
export async function useRecoveryCode(tx: Tx, userUuid: string, digest: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_code
    where user_uuid = ${userUuid} and code_digest = ${digest}
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/** Takes the second factor from a person, and forgets devices that pass without one. False when there was none. */
export async function deleteTwoFactor(tx: Tx, userUuid: string): Promise<boolean> {
  await forgetDevices(tx, userUuid)
  const { rows } = await sql<{ was_on: boolean }>`
    delete from two_factor
    where user_uuid = ${userUuid}
    returning confirmed_at is not null as was_on
  `.execute(tx)
  return rows[0]?.was_on ?? false
}

interface TwoFactorState {
  is_on: boolean
  /** As the wire writes stamps; empty while it is off. */
  since: string
  recovery_codes: number
  /** One of the person's accounts requires it, of all its people or of this one. */
  is_required: boolean
}

export async function findTwoFactorState(db: Db, userUuid: string): Promise<TwoFactorState> {
  const { rows } = await sql<TwoFactorState>`
    select coalesce(t.confirmed_at is not null, false) as is_on,
      coalesce(to_char(t.confirmed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00'), '') as since,
      (select count(*)::integer from recovery_code c where c.user_uuid = u.uuid) as recovery_codes,
      exists (
        select
        from account_user au
        join account a on a.uuid = au.account_uuid
        where au.user_uuid = u.uuid and not au.disabled and (a.pin_required or au.pin_required)
      ) as is_required
    from app_user u
    left join two_factor t on t.user_uuid = u.uuid
    where u.uuid = ${userUuid}
  `.execute(db)
  return rows[0] ?? { is_on: false, since: '', recovery_codes: 0, is_required: false }
}
