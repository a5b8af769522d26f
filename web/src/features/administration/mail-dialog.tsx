import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import type { OutboxMail } from '../../queries/mail-outbox.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MailBody } from './mail-body.tsx'
import style from './mail-outbox.module.css'

/** A mail that waits, as its recipient would read it. */
export function MailDialog({ mail, onClose }: { mail: OutboxMail; onClose: () => void }) {
  const { dateFormat, timeZone } = usePreferences()
  return (
    <Dialog title={mail.subject} closeLabel={t('button.close')} onClose={onClose}>
      <p className={style.facts}>
        <span>{mail.recipient}</span>
        <span>{formatStamp(mail.created, dateFormat, timeZone)}</span>
      </p>
      {mail.body && <MailBody text={mail.body} />}
      {mail.last_error && <Banner tone="failed">{mail.last_error}</Banner>}
    </Dialog>
  )
}
