import { mailOutbox } from '@hilum/contract/calls/mail'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useMayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { TitledSection } from '../../ui/titled-section.tsx'
import style from './mail-outbox.module.css'

/** Mails that wait because no mail server is set, for the administrators of the account. */
export function MailOutbox() {
  const { account } = useEstablished()
  const { dateFormat, timeZone } = usePreferences()
  const maySee = useMayCall(mailOutbox)
  const { data, error } = useQuery({
    enabled: maySee,
    queryKey: ['mail-outbox', account.uuid],
    queryFn: ({ signal }) =>
      callApi(mailOutbox, { account_id: account.uuid }, { signal, list: { 'page.rows': 100, 'page.number': 1 } }),
  })
  if (!maySee) return <Banner tone="failed">{t('admin.notPermitted')}</Banner>
  if (error) return <Banner tone="failed">{t('outbox.failed')}</Banner>
  if (!data) return <LoadingState label={t('loading')} />
  return (
    <TitledSection id="outbox" title={t('admin.outbox')}>
      <Banner tone="priority">{data.has_smtp === 1 ? t('outbox.withServer') : t('outbox.lead')}</Banner>
      {data.mails.length === 0 && <p className={style.empty}>{t('outbox.empty')}</p>}
      {data.mails.map((mail) => (
        <article key={mail.uuid} className={style.mail}>
          <h3>{mail.subject}</h3>
          <p className={style.facts}>
            <span>{mail.recipient}</span>
            <span>{formatStamp(mail.created, dateFormat, timeZone)}</span>
          </p>
          <pre>{mail.body}</pre>
          {mail.last_error && <Banner tone="failed">{mail.last_error}</Banner>}
        </article>
      ))}
    </TitledSection>
  )
}
