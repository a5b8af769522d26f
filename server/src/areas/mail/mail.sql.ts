import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface MailRow {
  uuid: string
  recipient: string
  subject: string
  body: string
  created: string
  last_error: string | null
}

/** Mails of an account that were not sent, newest first; with `onlyFailed` those that a mail server refused. */
export async function listOutbox(
  db: Db,
  accountUuid: string,
  onlyFailed: boolean,
  limit: RawBuilder<unknown>,
): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select uuid, recipient, subject, body, last_error,
      to_char(created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as created
    from mail
    where account_uuid = ${accountUuid}
      and sent_at is null
      and (not ${onlyFailed} or last_error is not null)
    order by mail.created desc, uuid
    limit ${limit}
  `.execute(db)
  return rows
}

export type DueMail = Pick<MailRow, 'uuid' | 'recipient' | 'subject' | 'body'>

/**
 * Takes the next mail that is due; other processes take others. Between two tries of one it waits as long again as it
 * has waited already, a minute at least and an hour at most; after two days it stays in the outbox for people to see.
 * A process that dies meanwhile leaves it to be taken again.
 */
export async function takeDueMail(db: Db): Promise<DueMail | undefined> {
  const { rows } = await sql<DueMail>`
    update mail
    set tried_at = now()
    where uuid = (
      select uuid
      from mail
      where sent_at is null
        and created > now() - interval '2 days'
        and (tried_at is null
          or tried_at + greatest(least(tried_at - created, interval '1 hour'), interval '1 minute') < now())
      order by created, uuid
      limit 1
      for update skip locked
    )
    returning uuid, recipient, subject, body
  `.execute(db)
  return rows[0]
}

/** Sent: what stood in it – a link that lets somebody in, perhaps – is needed no more. */
export async function noteMailSent(db: Db, uuid: string): Promise<void> {
  await sql`
    update mail
    set sent_at = now(), last_error = null, body = ''
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
