import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { mailOutbox } from '@hilum/contract/calls/mail'
import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../api/call-api.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { OffForSupport } from '../../session/off-for-support.tsx'
import { useEstablished } from '../../session/session-store.ts'
import { useIsSupportSession, useMayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import table from '../../ui/row-table.module.css'
import { TitledSection } from '../../ui/titled-section.tsx'
import { MailBody } from './mail-body.tsx'
import style from './mail-outbox.module.css'

const rowsOfPage = 100

/** Mails that wait, and those that left of late, for the administrators of the account. */
export function MailOutbox() {
  const { account } = useEstablished()
  const { dateFormat, timeZone } = usePreferences()
  const [which, setWhich] = useState<'waiting' | 'left'>('waiting')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const maySee = useMayCall(mailOutbox)
  const isOfSupport = useIsSupportSession()
  const { data, error } = useQuery({
    enabled: maySee && !isOfSupport,
    queryKey: ['mail-outbox', account.uuid, which, search.trim(), page],
    queryFn: ({ signal }) =>
      callApi(
        mailOutbox,
        { account_id: account.uuid, left: which === 'left' ? 1 : 0, search: search.trim() },
        { signal, list: { 'page.rows': rowsOfPage, 'page.number': page } },
      ),
    placeholderData: keepPreviousData,
  })
  if (!maySee) return <Banner tone="failed">{t('admin.notPermitted')}</Banner>
  if (isOfSupport)
    return (
      <TitledSection id="outbox" title={t('admin.outbox')}>
        <OffForSupport reason="offForSupport.mails" />
      </TitledSection>
    )
  if (error) return <Banner tone="failed">{t('outbox.failed')}</Banner>
  if (!data) return <LoadingState label={t('loading')} />
  const stamp = (moment: string | null) => formatStamp(moment, dateFormat, timeZone)
  const isWaiting = which === 'waiting'
  return (
    <TitledSection id="outbox" title={t('admin.outbox')}>
      <div className={style.head}>
        <SegmentedControl
          size="xs"
          transitionDuration={0}
          aria-label={t('outbox.which')}
          value={which}
          onChange={(value) => {
            setWhich(value === 'left' ? 'left' : 'waiting')
            setPage(1)
          }}
          data={[
            { value: 'waiting', label: t('outbox.which.waiting') },
            { value: 'left', label: t('outbox.which.left') },
          ]}
        />
        <TextInput
          size="xs"
          type="search"
          aria-label={t('outbox.search')}
          placeholder={t('outbox.search')}
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            setPage(1)
          }}
        />
      </div>
      {isWaiting && <Banner tone="priority">{data.has_smtp === 1 ? t('outbox.withServer') : t('outbox.lead')}</Banner>}
      {data.mails.length === 0 && <p className={style.empty}>{t(isWaiting ? 'outbox.empty' : 'outbox.emptyLeft')}</p>}
      {isWaiting &&
        data.mails.map((mail) => (
          <article key={mail.uuid} className={style.mail}>
            <h3>{mail.subject}</h3>
            <p className={style.facts}>
              <span>{mail.recipient}</span>
              <span>{stamp(mail.created)}</span>
            </p>
            {mail.body && <MailBody text={mail.body} />}
            {mail.last_error && <Banner tone="failed">{mail.last_error}</Banner>}
          </article>
        ))}
      {!isWaiting && data.mails.length > 0 && (
        <table className={table.table} aria-labelledby="outbox">
          <thead>
            <tr>
              <th scope="col">{t('outbox.recipient')}</th>
              <th scope="col">{t('outbox.subject')}</th>
              <th scope="col">{t('outbox.sent')}</th>
            </tr>
          </thead>
          <tbody>
            {data.mails.map((mail) => (
              <tr key={mail.uuid}>
                <th scope="row">{mail.recipient}</th>
                <td>{mail.subject}</td>
                <td>
                  {stamp(mail.sent_at)}
                  {mail.returned_at && (
                    <span className={table.aside}>{t('outbox.returned', { when: stamp(mail.returned_at) })}</span>
                  )}
                  {mail.last_error && <span className={table.aside}>{mail.last_error}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(page > 1 || data.page.more === 1) && (
        <div className={style.head}>
          <Button variant="default" size="compact-xs" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('list.previous')}
          </Button>
          <Button variant="default" size="compact-xs" disabled={data.page.more !== 1} onClick={() => setPage(page + 1)}>
            {t('list.next')}
          </Button>
        </div>
      )}
    </TitledSection>
  )
}
