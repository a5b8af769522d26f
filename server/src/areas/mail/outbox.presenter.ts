import type { Sealer } from '../../sealer.ts'
import { fillSecret } from './mail-label.ts'
import type { MailRow } from './mail.sql.ts'

/** Said in place of a link: an administrator of one account must not enter the others that its reader belongs to. */
const linkHidden =
  '(The link is not shown: it would let its reader in. The operator of this installation makes one with "npm run hilum -- users reset-link <e-mail address>".)'
const linkOver = '(The link has expired.)'

/** A mail as the outbox shows it: with its secret in the demo organisation alone. */
export function presentWaitingMail(row: MailRow, sealer: Sealer) {
  const { uuid, recipient, subject, created, sent_at, returned_at, given_up, cancelled, held, may_retry } = row
  return {
    uuid,
    recipient,
    subject,
    created,
    sent_at,
    returned_at,
    given_up: given_up ? 1 : 0,
    cancelled: cancelled ? 1 : 0,
    held: held ? 1 : 0,
    may_retry: may_retry ? 1 : 0,
    // what was given up can still be handed over by hand
    body:
      sent_at || (returned_at && !given_up)
        ? ''
        : row.has_secret
          ? fillSecret(row.body, secretInWords(row, sealer))
          : row.body,
    last_error: row.last_error ?? '',
  }
}

function secretInWords({ uuid, sealed_secret: sealed, is_of_demo: isOfDemo }: MailRow, sealer: Sealer): string {
  if (!sealed) return linkOver
  return (isOfDemo && sealer.open(sealed, uuid)) || linkHidden
}
