import { linkReminderHours, mostReminderHours } from '@hilum/contract/limits'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { stateOfLink } from './link-session.sql.ts'

/** A link whose end comes near, and whoever gave it. */
export interface EndingLinkRow {
  uuid: string
  account_uuid: string
  /** Empty where it was mailed to nobody, or the mail came back. */
  email: string
  is_request: boolean
  is_opened: boolean
  asks_password: boolean
  asks_birth_date: boolean
  sealed_secret: Buffer | null
  minutes_left: number
  /** Null of a person who is disabled. */
  giver_email: string | null
}

/** Lives of links that end before the hour of the others comes round. */
const shortHours = 12
/** A link that lives shorter ends without a reminder. */
const leastMinutes = 55

/**
 * Takes links that end within the hours that their account sets, or in the last quarter of a life that is not twice
 * as long, once each: those that still open something, and of requests those by which nothing arrived.
 * @param shortAlone takes links that live for hours alone
 */
export async function takeEndingLinks(tx: Tx, most: number, shortAlone: boolean): Promise<EndingLinkRow[]> {
  const { rows } = await sql<EndingLinkRow>`
    with ending as (
      select l.uuid
      from link l
      join lateral (
        select coalesce(
          (select case when k.value ~ '^\\d{1,3}$' then k.value::integer end
            from setting k
            where k.scope = 'account' and k.scope_uuid = l.account_uuid and k.key = 'link_reminder_hours'),
          ${linkReminderHours}) as hours
      ) account on true
      where l.ended_at is null
        and l.reminded_at is null
        and l.expires_at > now()
        and l.expires_at <= now() + make_interval(hours => ${mostReminderHours})
        and l.expires_at <= now() + case
          -- the two moments are of two clocks
          when l.expires_at - l.created > make_interval(hours => 2 * account.hours, mins => -1)
            then make_interval(hours => account.hours)
          else (l.expires_at - l.created) / 4
        end
        and l.expires_at - l.created > make_interval(mins => ${leastMinutes})
        and (not ${shortAlone} or l.expires_at - l.created <= make_interval(hours => ${shortHours}, mins => 1))
        and not (l.is_sent and l.mail_uuid is null)
        and not exists (select from link_upload p where p.link_uuid = l.uuid and p.first_at is not null)
        and not exists (select from link_request q where q.link_uuid = l.uuid and q.by_share_code)
        and ${stateOfLink} = 'open'
      order by l.expires_at, l.uuid
      limit ${most}
      for update of l skip locked
    )
    update link l
    set reminded_at = now()
    from ending e, app_user u
    where l.uuid = e.uuid and u.uuid = l.created_by
    returning l.uuid, l.account_uuid, l.action = 'STUDY_UPLOAD' as is_request, l.hits > 0 as is_opened, l.sealed_secret,
      case
        when exists (select from mail m where m.uuid = l.mail_uuid and m.returned_at is not null and not m.given_up) then ''
        else l.email
      end as email,
      l.password_hash is not null as asks_password, l.password_is_dob as asks_birth_date,
      ceil(extract(epoch from l.expires_at - now()) / 60)::integer as minutes_left,
      case when not u.disabled then u.email end as giver_email
  `.execute(tx)
  return rows
}
