import { mailHistoryDays } from '@hilum/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

export const outboxColumns: FilterColumns = {
  recipient: { kind: 'text', column: sql`m.recipient` },
  subject: { kind: 'text', column: sql`m.subject` },
  created: { kind: 'stamp', column: sql`m.created` },
  // a mail that was handed over by hand comes back without having been sent
  sent_at: { kind: 'stamp', column: sql`coalesce(m.sent_at, m.returned_at)` },
}
/** The newest mail first; a total order. */
export const outboxOrder = sql`m.created desc, m.uuid`

export interface MailRow {
  uuid: string
  recipient: string
  subject: string
  body: string
  created: string
  sent_at: string | null
  returned_at: string | null
  /** No mail server took it in all the time that it was tried; `returned_at` says when that was over. */
  given_up: boolean
  /** An administrator cancelled it; `returned_at` says when. */
  cancelled: boolean
  /** An exam of its link is of another patient than when somebody wanted it mailed; `returned_at` says when that was found. */
  held: boolean
  may_retry: boolean
  last_error: string | null
  sealed_secret: Buffer | null
  has_secret: boolean
  /** The recipient belongs to demo organisations alone, so that nobody else's secret is in the mail. */
  is_of_demo: boolean
}

/** Mails of an account: those that stand in its outbox, those of them that are tried or were refused, or those that left or ended within the days of the history. */
type MailsOf = 'waiting' | 'tried' | 'left'

const isOf = (which: MailsOf): RawBuilder<unknown> =>
  ({
    waiting: sql`(m.sent_at is null and not m.dismissed)`,
    tried: sql`(m.sent_at is null and not m.dismissed and (m.last_error is not null or (${isTried})))`,
    left: sql`(m.created > now() - make_interval(days => ${mailHistoryDays})
        and (m.sent_at is not null or m.returned_at is not null))`,
  })[which]

/** Mails of an account to addresses with these letters. Uses mail_of_account. */
export async function listOutbox(
  db: Db,
  accountUuid: string,
  which: MailsOf,
  search: string,
  { orderBy, limit }: Pick<ListSql, 'orderBy' | 'limit'>,
): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select m.uuid, m.recipient, m.subject, m.body, m.last_error, m.given_up, m.cancelled, m.held, ${isRetried} as may_retry, ${totalColumn},
      m.secret_expires_at is not null as has_secret,
      case when m.secret_expires_at > now() then m.sealed_secret end as sealed_secret,
      a.is_demo and not exists (
        select
        from app_user u
        left join account_user au on au.user_uuid = u.uuid
        left join account other on other.uuid = au.account_uuid
        where u.email = m.recipient
          and (u.sysadmin or u.support or other.is_demo is distinct from true)
      ) as is_of_demo,
      to_char(m.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as created,
      to_char(m.sent_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as sent_at,
      to_char(m.returned_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as returned_at
    from mail m
    join account a on a.uuid = m.account_uuid
    where m.account_uuid = ${accountUuid}
      and ${isOf(which)}
      and position(lower(${search}) in lower(m.recipient)) > 0
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

/** Days for which people are told of a mail that was given up. */
const tellDays = 7

/**
 * Mails of an account that a mail server did not take, and that are tried still or were given up in the last week; with
 * those of the last two days that came back, or whose secret is over. How many, and when the oldest was written.
 */
export async function findFailedMails(db: Db, accountUuid: string): Promise<{ count: number; since: string | null }> {
  const { rows } = await sql<{ count: number; since: string | null }>`
    select count(*)::int as count,
      to_char(min(m.created) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as since
    from mail m
    where m.account_uuid = ${accountUuid}
      and m.sent_at is null
      and not m.dismissed
      and m.last_error is not null
      and (m.created > now() - interval '2 days'
        or (m.given_up and m.tried_at is not null and m.returned_at > now() - make_interval(days => ${tellDays}))
        or (${isTried}))
  `.execute(db)
  return rows[0] ?? { count: 0, since: null }
}

/** The e-mail address of a user; undefined of one who is disabled. */
export async function findAddressOfUser(db: Db, userUuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select email from app_user where uuid = ${userUuid} and not disabled
  `.execute(db)
  return rows[0]?.email
}

/** Puts a mail without a secret into the outbox of an account. @param mail `shareUuid`: leaves while the share lasts */
export async function insertMail(
  db: Db,
  mail: {
    uuid: string
    accountUuid: string
    recipient: string
    subject: string
    body: string
    shareUuid?: string | undefined
  },
): Promise<void> {
  await sql`
    insert into mail (uuid, account_uuid, recipient, subject, body, share_uuid)
    values (${mail.uuid}, ${mail.accountUuid}, ${mail.recipient}, ${mail.subject}, ${mail.body}, ${mail.shareUuid ?? null})
  `.execute(db)
}

/** Puts a mail into the outbox of an account whose text has a secret, sealed for the mail's uuid, that expires. */
export async function insertSecretMail(
  db: Db,
  mail: {
    uuid: string
    accountUuid: string
    recipient: string
    subject: string
    body: string
    sealedSecret: Buffer
    minutes: number
    /** Leaves while the link lasts. */
    linkUuid?: string
    isReminder?: boolean
  },
): Promise<void> {
  await sql`
    insert into mail (uuid, account_uuid, recipient, subject, body, sealed_secret, secret_expires_at, link_uuid, is_reminder)
    values (${mail.uuid}, ${mail.accountUuid}, ${mail.recipient}, ${mail.subject}, ${mail.body}, ${mail.sealedSecret},
      now() + make_interval(mins => ${mail.minutes}), ${mail.linkUuid ?? null}, ${mail.isReminder ?? false})
  `.execute(db)
}

export type DueMail = Pick<MailRow, 'uuid' | 'recipient' | 'subject' | 'body' | 'has_secret' | 'sealed_secret'> & {
  /** The link whose address it tells; null of any other mail, as a code. */
  checked_link: string | null
}

/** Condition: what mail `m` is of lasts; a link that shows exams shows one that is there. */
const lasts: RawBuilder<unknown> = sql`(
  (m.link_uuid is null or exists (
    select
    from link l
    where l.uuid = m.link_uuid and l.ended_at is null and l.expires_at > now()
      and (l.action = 'STUDY_UPLOAD' or exists (
        select
        from link_study o
        join study s on s.phi_namespace = o.phi_namespace and s.uuid = o.study_uuid and s.deleted_at is null
        where o.link_uuid = l.uuid
      ))
  ))
  and (m.share_uuid is null or exists (
    select
    from share h
    where h.uuid = m.share_uuid and h.state = 'delivered' and (h.expires_at is null or h.expires_at > now())
  ))
)`

/** Condition: mail `m`, which ended unsent, can be put into the outbox once more; of a link with its address as it is now. */
const isRetried: RawBuilder<unknown> = sql`(
  m.sent_at is null and m.returned_at is not null and not m.dismissed
  and (m.secret_expires_at is null or exists (
    select from link l where l.uuid = m.link_uuid and l.mail_uuid = m.uuid and l.sealed_secret is not null
  ))
  and ${lasts}
)`

/** A mail of an account that was not sent and stands in its outbox. */
interface UnsentMail {
  recipient: string
  may_retry: boolean
  held: boolean
  /** The link whose address it is the last to tell; null of any other mail. */
  link_uuid: string | null
}

export async function findUnsentMail(db: Db, accountUuid: string, uuid: string): Promise<UnsentMail | undefined> {
  const { rows } = await sql<UnsentMail>`
    select m.recipient, m.held, ${isRetried} as may_retry, l.uuid as link_uuid
    from mail m
    left join link l on l.uuid = m.link_uuid and l.mail_uuid = m.uuid
    where m.account_uuid = ${accountUuid} and m.uuid = ${uuid} and m.sent_at is null and not m.dismissed
  `.execute(db)
  return rows[0]
}

/**
 * Takes an unsent mail off the outbox, as cancelled where it was tried still.
 * @returns whom it was for; undefined where it was sent or taken off meanwhile
 */
export async function dismissMail(tx: Tx, accountUuid: string, uuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ recipient: string }>`
    update mail
    set dismissed = true, cancelled = returned_at is null
    where account_uuid = ${accountUuid} and uuid = ${uuid} and sent_at is null and not dismissed
    returning recipient
  `.execute(tx)
  return rows[0]?.recipient
}

/** Has a mail that ended unsent and has no secret tried as if it were new; false where it does not wait for that. */
export async function putMailAgain(tx: Tx, uuid: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update mail
    set created = now(), tried_at = null, returned_at = null, given_up = false, held = false, last_error = null
    where uuid = ${uuid} and sent_at is null and returned_at is not null and not dismissed and secret_expires_at is null
  `.execute(tx)
  return numAffectedRows === 1n
}

/** Days for which a mail is tried: longer than a server is away over a long holiday. */
const tryDays = 14

/** Condition: mail `m`, which was not sent, is tried again. A code that has expired is of no use, and is not. */
const isTried: RawBuilder<unknown> = sql`
  m.returned_at is null
  and (m.secret_expires_at is null or (m.sealed_secret is not null and m.secret_expires_at > now()))
  and m.created > now() - make_interval(days => ${tryDays})
  and ${lasts}`

/**
 * Takes the next mail that is due; other processes take others. Between two tries of one it waits as long again as it
 * has waited already, a minute at least and an hour at most, until what it is of has ended (`lasts`) or it is given up
 * (`lockMailToGiveUp`).
 * A process that dies meanwhile leaves it to be taken again.
 */
export async function takeDueMail(db: Db): Promise<DueMail | undefined> {
  const { rows } = await sql<DueMail>`
    update mail
    set tried_at = now()
    where uuid = (
      select m.uuid
      from mail m
      where m.sent_at is null
        and (tried_at is null
          or tried_at + greatest(least(tried_at - created, interval '1 hour'), interval '1 minute') < now())
        and ${isTried}
      order by m.created, m.uuid
      limit 1
      for update of m skip locked
    )
    returning uuid, recipient, subject, body, sealed_secret, secret_expires_at is not null as has_secret,
      case when is_reminder or exists (select from link l where l.mail_uuid = mail.uuid) then link_uuid end as checked_link
  `.execute(db)
  return rows[0]
}

/** Minutes after which a process that tries to send a mail has come to its end. */
const sendMinutes = 10

/**
 * Locks the next mail that was not sent in time, and that nobody sends or gives up at this moment: of a link that is over
 * and was not revoked, or of any kind that waited for `tryDays`.
 */
export async function lockMailToGiveUp(tx: Tx): Promise<{ uuid: string; last_error: string | null } | undefined> {
  const { rows } = await sql<{ uuid: string; last_error: string | null }>`
    select m.uuid, m.last_error
    from mail m
    where m.sent_at is null
      and m.returned_at is null
      and (m.tried_at is null or m.tried_at < now() - make_interval(mins => ${sendMinutes}))
      and (
        (m.created <= now() - make_interval(days => ${tryDays}) and m.secret_expires_at is null)
        or exists (
          select
          from link l
          where l.uuid = m.link_uuid and (l.mail_uuid = m.uuid or m.is_reminder) and l.ended_at is null
            and (l.expires_at <= now() or m.created <= now() - make_interval(days => ${tryDays}))
        )
      )
    order by m.created, m.uuid
    limit 1
    for update of m skip locked
  `.execute(tx)
  return rows[0]
}

/**
 * Notes a mail as sent, also one that was given up or cancelled while it was sent; neither its text nor its secret is needed any more.
 */
export async function noteMailSent(db: Db, uuid: string): Promise<void> {
  await sql`
    update mail
    set sent_at = now(), last_error = null, body = '', sealed_secret = null, given_up = false, cancelled = false, held = false,
      returned_at = case when not (given_up or cancelled or held) then returned_at end
    where uuid = ${uuid}
  `.execute(db)
}

export async function noteMailFailed(db: Db, uuid: string, reason: string): Promise<void> {
  await sql`
    update mail
    set last_error = ${reason}
    where uuid = ${uuid}
  `.execute(db)
}

/**
 * Notes that a mail was refused for good, came back, was given up or is held: nobody tries to send it again.
 * @returns who gave the link whose address the mail was the last to tell; undefined where the mail was no such, as a code,
 *   was known to be back, or is given up with a link that was over long before
 */
export async function noteMailReturned(
  db: Db,
  uuid: string,
  reason: string,
  why: 'returned' | 'givenUp' | 'held' = 'returned',
): Promise<{ account_uuid: string; email: string } | undefined> {
  const isGivenUp = why === 'givenUp'
  const { rows } = await sql<{ account_uuid: string; email: string }>`
    with back as (
      update mail
      set returned_at = now(), last_error = ${reason}, given_up = ${isGivenUp}, held = ${why === 'held'}, sealed_secret = null
      where uuid = ${uuid} and returned_at is null and (sent_at is null or not ${isGivenUp}::boolean)
      returning uuid, link_uuid, is_reminder
    )
    select l.account_uuid, u.email
    from back b
    join link l on l.uuid = b.link_uuid and (l.mail_uuid = b.uuid or b.is_reminder)
    join app_user u on u.uuid = l.created_by
    where not u.disabled
      and (not ${isGivenUp}::boolean or l.expires_at > now() - make_interval(days => ${tryDays}))
  `.execute(db)
  return rows[0]
}

/** Wipes the secrets of mails that nobody took in time. */
export async function wipeExpiredSecrets(db: Db): Promise<void> {
  await sql`
    update mail
    set sealed_secret = null
    where sealed_secret is not null and secret_expires_at <= now()
  `.execute(db)
}

/**
 * Takes the mails of links back that were not sent yet, also codes and reminders; the history keeps those that were.
 * @param isAnew the links are mailed anew: those that came back go as well
 */
export async function wipeMailsOfLinks(db: Db, links: readonly string[], { isAnew = false } = {}): Promise<void> {
  await sql`
    delete from mail
    where link_uuid = any(${links as string[]}::uuid[]) and sent_at is null and (${isAnew} or returned_at is null)
  `.execute(db)
}

/** Takes the mails of shares back that were not sent yet; the history keeps those that came back. */
export async function wipeMailsOfShares(db: Db, shares: readonly string[]): Promise<void> {
  await sql`
    delete from mail where share_uuid = any(${shares as string[]}::uuid[]) and sent_at is null and returned_at is null
  `.execute(db)
}

/** Wipes the secrets of mails that wait for this person. */
export async function wipeSecretsFor(db: Db, userUuid: string): Promise<void> {
  await sql`
    update mail
    set sealed_secret = null
    where sealed_secret is not null
      and recipient = (select email from app_user where uuid = ${userUuid})
  `.execute(db)
}
