import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import { mailHistoryDays } from '../limits.ts'
import * as wire from '../wire.ts'

export const mailTest = defineCall({
  path: 'mail/test',
  once: {},
  summary: 'Mails the caller a test, which shows that the mail server takes what this installation sends.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ recipient: z.string() }),
  errors: [],
})

export const mailOutbox = defineCall({
  path: 'mail/outbox',
  reads: true,
  summary: `Lists the account's mails that wait, and those that could not be sent, for its administrators. Links that let somebody in are shown in the demo organisation alone. left lists those of the last ${mailHistoryDays} days that left or ended instead, without their text; search narrows either list by a part of the address.`,
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  list: {
    object: 'mail',
    rowsKey: 'mails',
    filters: {},
    sorts: ['recipient', 'subject', 'created', 'sent_at'],
    defaultRows: 50,
  },
  input: z.object({
    account_id: wire.id(),
    left: z.optional(wire.flag()),
    search: z.optional(wire.clearableText()),
  }),
  output: z.object({
    /** True when an SMTP server is set; then mails whose time is over before they were tried are not listed. */
    has_smtp: z.number(),
    mails: z.array(
      z.object({
        uuid: z.string(),
        recipient: z.string(),
        subject: z.string(),
        body: z.string(),
        created: z.string(),
        last_error: z.string(),
        /** When the mail server took it, and when it came back. */
        sent_at: z.nullable(z.string()),
        returned_at: z.nullable(z.string()),
        /** 1 where no mail server took it in time: `returned_at` says when it was given up. */
        given_up: flagOut,
        /** 1 where an administrator cancelled it before it was sent. */
        cancelled: flagOut,
        /** 1 where an exam was corrected to another patient before it was sent: mail/retry sends it all the same. */
        held: flagOut,
        /** 1 of a mail that ended unsent and that mail/retry takes. */
        may_retry: flagOut,
      }),
    ),
    page: wire.page,
  }),
  errors: ['INVALID_FLAG'],
})

export const mailCancel = defineCall({
  path: 'mail/cancel',
  summary:
    'Cancels a mail that waits, and tells whoever gave the link that it was of; one that was given up, came back or is held is taken off the outbox. mail/outbox lists either among those that left.',
  ours: true,
  postOnly: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ account_id: wire.id(), uuid: wire.id() }),
  output: wire.statusOnly,
  errors: [],
})

export const mailRetry = defineCall({
  path: 'mail/retry',
  summary:
    'Puts a mail that was given up, came back or is held into the outbox once more, of a link with its address as it is now. One whose code or address holds no longer is made anew by whoever asked for it.',
  ours: true,
  postOnly: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ account_id: wire.id(), uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['EXPIRED'],
})
