import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { mailOutbox } from '@hilum/contract/calls/mail'
import { SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../api/api-failure.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { type MailAct, mailOutboxQuery, type OutboxMail, useTendMail } from '../../queries/mail-outbox.ts'
import { OffForSupport } from '../../session/off-for-support.tsx'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useIsSupportSession, useMayCall } from '../../session/use-may.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { Banner } from '../../ui/banner.tsx'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { IconMail, IconRefresh, IconX } from '../../ui/icons.ts'
import { PassingBanner } from '../../ui/passing-banner.tsx'
import table from '../../ui/row-table.module.css'
import { TitledSection } from '../../ui/titled-section.tsx'
import { AskDialog } from './grid/ask-dialog.tsx'
import { gridPaging } from './grid/grid-paging.ts'
import { gridTexts } from './grid/grid-texts.ts'
import { RowAct } from './grid/row-act.tsx'
import { useGridView } from './grid/use-stored-rows.ts'
import { MailDialog } from './mail-dialog.tsx'
import style from './mail-outbox.module.css'

const askAfterMs = 300

/** Mails that wait, and those that left of late, for the administrators of the account. */
export function MailOutbox() {
  const maySee = useMayCall(mailOutbox)
  const isOfSupport = useIsSupportSession()
  if (!maySee) return <Banner tone="failed">{t('admin.notPermitted')}</Banner>
  return (
    <TitledSection id="outbox" title={t('admin.outbox')}>
      {isOfSupport ? <OffForSupport reason="offForSupport.mails" /> : <Mails />}
    </TitledSection>
  )
}

/** The search stays out of the address, since an e-mail address may be that of a patient. */
function Mails() {
  const { account } = useEstablished()
  const [which, setWhich] = useState<'waiting' | 'left'>('waiting')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), askAfterMs)
  const [view, setView] = useGridView('outbox', 'created', true)
  const [read, setRead] = useState<OutboxMail>()
  const [asked, setAsked] = useState<OutboxMail>()
  const tend = useTendMail(account.uuid)
  const answer = useQuery(mailOutboxQuery(account.uuid, view, which, search))
  const isWaiting = which === 'waiting'
  const columns = useMailColumns(isWaiting)
  const { data } = answer
  const handleAct = (wanted: MailAct) => {
    if (wanted.act === 'retry' || wanted.mail.returned_at) tend.mutate(wanted)
    else setAsked(wanted.mail)
  }
  const handleCancel = (mail: OutboxMail) =>
    tend.mutate({ act: 'cancel', mail }, { onSettled: () => setAsked(undefined) })
  return (
    <>
      <div className={style.head}>
        <SegmentedControl
          size="xs"
          transitionDuration={0}
          aria-label={t('outbox.which')}
          value={which}
          onChange={(value) => {
            const hasLeft = value === 'left'
            setWhich(hasLeft ? 'left' : 'waiting')
            setView({ ...view, page: 1, sort: { field: hasLeft ? 'sent_at' : 'created', isDescending: true } })
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
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setView({ ...view, page: 1 })
          }}
        />
      </div>
      {isWaiting && data && (
        <Banner tone="priority">{data.has_smtp === 1 ? t('outbox.withServer') : t('outbox.lead')}</Banner>
      )}
      {tend.isError && <Banner tone="failed">{undoneText(tend.error)}</Banner>}
      {tend.isSuccess && (
        <PassingBanner key={tend.variables.mail.uuid} onGone={tend.reset}>
          {doneText(tend.variables)}
        </PassingBanner>
      )}
      <DataGrid
        texts={gridTexts(
          {
            label: t('outbox.label'),
            failed: t('outbox.failed'),
            empty: t(search ? 'outbox.noneFound' : isWaiting ? 'outbox.empty' : 'outbox.emptyLeft'),
          },
          data?.page.total,
        )}
        columns={columns}
        rows={data?.mails}
        keyOf={(mail) => mail.uuid}
        nameOf={(mail) => mail.recipient}
        {...gridPaging(answer, view, setView)}
        {...(isWaiting
          ? {
              onOpen: setRead,
              acts: mailActs({
                busy: tend.isPending ? tend.variables.mail.uuid : undefined,
                onRead: setRead,
                onAct: handleAct,
              }),
            }
          : {})}
      />
      {read && <MailDialog mail={read} onClose={() => setRead(undefined)} />}
      {asked && (
        <AskDialog
          title={t('outbox.cancelTitle')}
          text={t('outbox.cancelText', { subject: asked.subject, recipient: asked.recipient })}
          act={t('outbox.cancelAct')}
          isBusy={tend.isPending}
          onAct={() => handleCancel(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

interface MailActs {
  /** Uuid of the mail that an act is under way for. */
  busy: string | undefined
  onRead: (mail: OutboxMail) => void
  onAct: (wanted: MailAct) => void
}

function mailActs({ busy, onRead, onAct }: MailActs) {
  return (mail: OutboxMail, tabIndex: 0 | -1) => {
    const { uuid, recipient } = mail
    const act = { tabIndex, isBusy: busy === uuid }
    return (
      <>
        <RowAct
          label={t('outbox.read', { recipient })}
          icon={IconMail}
          tabIndex={tabIndex}
          onAct={() => onRead(mail)}
        />
        {mail.may_retry === 1 && (
          <RowAct
            {...act}
            label={t('outbox.retryOne', { recipient })}
            icon={IconRefresh}
            onAct={() => onAct({ act: 'retry', mail })}
          />
        )}
        <RowAct
          {...act}
          label={t(mail.returned_at ? 'outbox.dismissOne' : 'outbox.cancelOne', { recipient })}
          icon={IconX}
          onAct={() => onAct({ act: 'cancel', mail })}
        />
      </>
    )
  }
}

function doneText({ act, mail: { recipient, returned_at: endedAt } }: MailAct): string {
  if (act === 'retry') return t('outbox.retried', { recipient })
  return t(endedAt ? 'outbox.dismissedOne' : 'outbox.cancelledOne', { recipient })
}

function undoneText(failure: unknown): string {
  return t(failure instanceof ApiFailure && failure.code === 'EXPIRED' ? 'outbox.actOver' : 'outbox.actFailed')
}

/** Words for the end of a mail that nobody tries to send any more. */
function endedText(mail: OutboxMail, when: string): string {
  if (mail.cancelled) return t('outbox.cancelled', { when })
  if (mail.held) return t('outbox.held', { when })
  return t(mail.given_up ? 'outbox.givenUp' : 'outbox.returned', { when })
}

function useMailColumns(isWaiting: boolean): GridColumn<OutboxMail>[] {
  const { dateFormat, timeZone } = usePreferences()
  const stamp = (moment: string | null) => formatStamp(moment, dateFormat, timeZone)
  const time: GridColumn<OutboxMail> = isWaiting
    ? {
        key: 'created',
        title: t('outbox.written'),
        sort: 'created',
        cell: (mail) => <DatedText>{stamp(mail.created)}</DatedText>,
      }
    : {
        key: 'sent',
        title: t('outbox.sent'),
        sort: 'sent_at',
        cell: (mail) => <DatedText>{stamp(mail.sent_at)}</DatedText>,
      }
  return [
    { key: 'recipient', title: t('outbox.recipient'), sort: 'recipient', isName: true, cell: (mail) => mail.recipient },
    { key: 'subject', title: t('outbox.subject'), sort: 'subject', cell: (mail) => mail.subject },
    {
      ...time,
      cell: (mail) => (
        <>
          {time.cell(mail)}
          {mail.returned_at && (
            <span className={table.aside}>
              <DatedText>{endedText(mail, stamp(mail.returned_at))}</DatedText>
            </span>
          )}
          {mail.last_error && <span className={table.aside}>{mail.last_error}</span>}
        </>
      ),
    },
  ]
}
