import { rememberedActHours } from '@hilum/contract/limits'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Forgets sessions that ended a day ago, spent reset links, ways to providers, counted attempts, devices and places of sign-in, and answers to acts. */
export async function deleteDeadSessions(db: Db): Promise<void> {
  await sql`
    with dead as (
      delete from session
      where least(expires_at, last_used + make_interval(mins => idle_minutes)) < now() - interval '1 day'
      returning uuid
    ), temporary as (
      delete from setting
      where scope = 'session' and scope_uuid in (select uuid from dead)
    ), attempts as (
      delete from attempt
      where window_start < now() - interval '1 day'
    ), tokens as (
      delete from session_token
      where expires_at <= now()
    ), flows as (
      delete from identity_flow
      where expires_at <= now()
    ), devices as (
      delete from remembered_device
      where expires_at <= now()
    ), acts as (
      delete from answered_act
      where begun < now() - make_interval(hours => ${rememberedActHours})
    ), places as (
      delete from known_place
      where last_used < now() - interval '90 days'
    )
    delete from password_reset
    where expires_at < now() - interval '1 day'
  `.execute(db)
}
