import { type Shareable, studyShare } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { maxShareMessage } from '@hilum/contract/limits'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Textarea } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { recipientsQuery, type ShareResult, useShareStudies } from '../../queries/shares.ts'
import { usePreferences } from '../../session/preferences.ts'
import { mayCallOnAll, partOf } from '../../session/use-may.ts'
import { useDraft } from '../../state/drafts.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { IconShare } from '../../ui/icons.ts'
import { PassingBanner } from '../../ui/passing-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { ExamGuard } from './exam-guard.tsx'
import type { KnownRecipients } from './known-recipients.ts'
import { RecipientPicker } from './recipient-picker.tsx'
import style from './share.module.css'
import { AgainBanner, splitAgain } from './share-again.tsx'
import { failedLines, shareReason } from './share-words.ts'
import { useMixedSeen } from './use-mixed-seen.tsx'

/** Seconds until it is shared, and minutes until access ends; 0 is at once, and never. */
const delays = [0, 180, 3600, 86400] as const
const ends = [0, 1440, 10080, 43200, 525600] as const
const recipientKinds = ['user', 'group', 'location'] as const
type ChosenKind = (typeof recipientKinds)[number]
const nobody: readonly Shareable[] = []
const nothingTyped: Readonly<Record<ChosenKind, string>> = { user: '', group: '', location: '' }

interface ShareFormProps {
  studies: readonly Study[]
  /** Recipients that have access already. */
  known: KnownRecipients
}

/** SHARE-01, SHARE-02: with whom, with what words, from when, until when. */
export function ShareForm({ studies, known }: ShareFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [chosen, setChosen] = useState({ user: nobody, group: nobody, location: nobody })
  const [typed, setTyped] = useState(nothingTyped)
  const [message, setMessage] = useDraft(`share ${studies.map(({ uuid }) => uuid).join(' ')}`)
  const [delaySeconds, setDelaySeconds] = useState(0)
  const [minutes, setMinutes] = useState(0)
  const sharing = useShareStudies()
  const mixed = useMixedSeen(studies)
  const [first] = studies
  const flags = studies.map(({ permissions }) => permissions)
  const permitted = recipientKinds.filter((kind) => mayCallOnAll(partOf(studyShare, kind), flags))
  const {
    data: locations,
    isLoadingError: isUnknown,
    isLoading,
  } = useQuery({
    ...recipientsQuery(first?.uuid ?? '', 'location', ''),
    enabled: first !== undefined && permitted.includes('location'),
  })
  // many organisations have no locations; where the list failed, the field says so and asks again
  const kinds = permitted.filter((kind) => kind !== 'location' || isUnknown || (locations?.found.length ?? 0) > 0)
  if (!first || permitted.length === 0) return <Banner tone="neutral">{t('share.notPermitted')}</Banner>
  // a field that came later would move the others from under the pointer
  if (isLoading) return <LoadingState label={t('loading')} />
  if (kinds.length === 0) return <Banner tone="neutral">{t('share.noLocations')}</Banner>

  const recipients = kinds.flatMap((kind) => chosen[kind].map((one) => ({ ...one, kind })))
  const tooMany = message.trim().length - maxShareMessage
  const isReady = recipients.length > 0 && tooMany <= 0 && !sharing.isPending
  const share = () =>
    sharing.mutate(
      { studies, recipients, message, delaySeconds, minutes, isMixedSeen: mixed.isSeen },
      {
        onSuccess: (results) => {
          const failed = new Set(results.filter(({ failure }) => failure).map(({ recipient }) => recipient.uuid))
          const stillChosen = (list: readonly Shareable[]) => list.filter(({ uuid }) => failed.has(uuid))
          // Recipients whose share failed stay chosen for another try.
          setChosen({
            user: stillChosen(chosen.user),
            group: stillChosen(chosen.group),
            location: stillChosen(chosen.location),
          })
          if (failed.size === 0) setMessage('')
          // the button that had the focus is disabled now
          form.current?.querySelector('input')?.focus()
        },
      },
    )
  const handleShare = () => {
    // a name that was typed and not chosen must not be left out unnoticed
    const unchosen = kinds.find((kind) => typed[kind].trim() !== '')
    const input = unchosen && form.current?.querySelector<HTMLInputElement>(`input[name=${unchosen}]`)
    if (input) {
      input.blur() // its list closes, and the message shows
      input.focus()
    } else if (isReady && mixed.demand()) share()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    handleShare()
  }
  return (
    <form ref={form} className={style.form} aria-label={t('share.form')} noValidate onSubmit={handleSubmit}>
      {/* the message is a draft, which stays */}
      <ExamGuard
        isDirty={recipients.length > 0 || kinds.some((kind) => typed[kind].trim() !== '')}
        text={t('share.unsent')}
      />
      <div className={style.pickers}>
        {kinds.map((kind) => (
          <RecipientPicker
            key={kind}
            kind={kind}
            studyUuid={first.uuid}
            value={chosen[kind]}
            onChange={(list) => setChosen({ ...chosen, [kind]: list })}
            typed={typed[kind]}
            onTyped={(text) => setTyped({ ...typed, [kind]: text })}
            known={known}
          />
        ))}
      </div>
      <Textarea
        size="xs"
        label={t('share.message')}
        value={message}
        rows={2}
        resize="vertical"
        error={tooMany > 0 && t('share.messageTooLong', { most: maxShareMessage, count: tooMany })}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <div className={style.pickers}>
        <NativeSelect
          label={t('share.when')}
          value={delaySeconds}
          onChange={(event) => setDelaySeconds(Number(event.currentTarget.value))}
          data={delays.map((one) => ({ value: String(one), label: t(`share.when.${one}`) }))}
        />
        <NativeSelect
          label={t('share.until')}
          value={minutes}
          onChange={(event) => setMinutes(Number(event.currentTarget.value))}
          data={ends.map((one) => ({ value: String(one), label: t(`share.until.${one}`) }))}
        />
      </div>
      {mixed.field}
      <div className={style.actions}>
        <Button
          type="submit"
          leftSection={<IconShare size={15} />}
          disabled={!isReady && !sharing.isPending}
          loading={sharing.isPending}
          // a message under a field that is left would move the button away from under the pointer
          onMouseDown={(event) => event.preventDefault()}
        >
          {t('share.button', { count: studies.length })}
        </Button>
        {recipients.length === 0 && !sharing.data && <span className={style.note}>{t('share.chooseFirst')}</span>}
      </div>
      {sharing.isError && (
        <Failed onRetry={recipients.length > 0 ? handleShare : undefined}>
          {t('share.failed')}
          <span className={style.reason}>{shareReason(sharing.error)}</span>
        </Failed>
      )}
      {sharing.data && (
        <Outcome
          results={sharing.data}
          delaySeconds={sharing.variables.delaySeconds}
          onGone={() => sharing.reset()}
          onRetry={recipients.length > 0 ? handleShare : undefined}
        />
      )}
    </form>
  )
}

interface FailedProps {
  /** Shares again as the form says now; not offered to nobody. */
  onRetry: (() => void) | undefined
  children: ReactNode
}

function Failed({ onRetry, children }: FailedProps) {
  if (!onRetry) return <Banner tone="failed">{children}</Banner>
  return (
    <FailedBanner retry={t('button.retry')} onRetry={onRetry}>
      {children}
    </FailedBanner>
  )
}

interface OutcomeProps extends Pick<FailedProps, 'onRetry'> {
  results: readonly ShareResult[]
  delaySeconds: number
  onGone: () => void
}

/** SHARE-05: done is what was done everywhere; only that passes (CONST-01). */
function Outcome({ results, delaySeconds, onGone, onRetry }: OutcomeProps) {
  const { dateFormat } = usePreferences()
  const lines = failedLines(results, dateFormat)
  const { made, again } = splitAgain(results)
  const count = new Set(made.map(({ recipient }) => recipient.uuid)).size
  const againBanner = <AgainBanner again={again.map((one) => ({ ...one, name: one.recipient.name }))} />
  const when = t(`share.when.${delaySeconds as (typeof delays)[number]}`).toLowerCase() // one of those offered
  const done = delaySeconds > 0 ? t('share.scheduled', { count, when }) : t('share.done', { count })
  if (lines.length === 0) {
    return again.length === 0 ? (
      <PassingBanner key={done} onGone={onGone}>
        {done}
      </PassingBanner>
    ) : (
      <>
        {count > 0 && <Banner tone="completed">{done}</Banner>}
        {againBanner}
      </>
    )
  }
  return (
    <>
      <Failed onRetry={onRetry}>
        {t('share.failed')}
        <ul className={style.lines}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {count > 0 && <span className={style.reason}>{done}</span>}
      </Failed>
      {againBanner}
    </>
  )
}
