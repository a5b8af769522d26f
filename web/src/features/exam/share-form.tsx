import type { Shareable } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { maxShareMessage } from '@hilum/contract/limits'
import { Button, NativeSelect, Textarea } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { t } from '../../labels/label.ts'
import { type ShareResult, useShareStudies } from '../../queries/shares.ts'
import { mayOnAll } from '../../session/use-may.ts'
import { useDraft } from '../../state/drafts.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconShare } from '../../ui/icons.ts'
import { PassingBanner } from './passing-banner.tsx'
import { RecipientPicker } from './recipient-picker.tsx'
import style from './share.module.css'
import { failedLines, shareReason } from './share-words.ts'

/** Seconds until it is shared, and minutes until access ends; 0 is at once, and never. */
const delays = [0, 180, 3600, 86400] as const
const ends = [0, 1440, 10080, 43200, 525600] as const
const nobody: readonly Shareable[] = []

interface ShareFormProps {
  studies: readonly Study[]
  /** Recipients that have access to the study already. */
  known: ReadonlySet<string>
}

/** SHARE-01, SHARE-02: with whom, with what words, from when, until when. */
export function ShareForm({ studies, known }: ShareFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [people, setPeople] = useState(nobody)
  const [groups, setGroups] = useState(nobody)
  const [typed, setTyped] = useState({ user: '', group: '' })
  const [message, setMessage] = useDraft(`share ${studies.map(({ uuid }) => uuid).join(' ')}`)
  const [delaySeconds, setDelaySeconds] = useState(0)
  const [minutes, setMinutes] = useState(0)
  const sharing = useShareStudies()
  const [first] = studies
  const flags = studies.map(({ permissions }) => permissions)
  const [mayUser, mayGroup] = [mayOnAll('shareWithUser', flags), mayOnAll('shareWithGroup', flags)]
  if (!first || (!mayUser && !mayGroup)) return <Banner tone="neutral">{t('share.notPermitted')}</Banner>

  const recipients = [
    ...people.map((one) => ({ ...one, kind: 'user' as const })),
    ...groups.map((one) => ({ ...one, kind: 'group' as const })),
  ]
  const tooMany = message.trim().length - maxShareMessage
  const isReady = recipients.length > 0 && tooMany <= 0 && !sharing.isPending
  const share = () =>
    sharing.mutate(
      { studies, recipients, message, delaySeconds, minutes },
      {
        onSuccess: (results) => {
          const failed = new Set(results.filter(({ failure }) => failure).map(({ recipient }) => recipient.uuid))
          // Recipients whose share failed stay chosen for another try.
          setPeople(people.filter(({ uuid }) => failed.has(uuid)))
          setGroups(groups.filter(({ uuid }) => failed.has(uuid)))
          if (failed.size === 0) setMessage('')
          // the button that had the focus is disabled now
          form.current?.querySelector('input')?.focus()
        },
      },
    )
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) share()
  }
  return (
    <form ref={form} className={style.form} aria-label={t('share.form')} noValidate onSubmit={handleSubmit}>
      <div className={style.pickers}>
        {mayUser && (
          <RecipientPicker
            kind="user"
            studyUuid={first.uuid}
            value={people}
            onChange={setPeople}
            typed={typed.user}
            onTyped={(text) => setTyped({ ...typed, user: text })}
            known={known}
          />
        )}
        {mayGroup && (
          <RecipientPicker
            kind="group"
            studyUuid={first.uuid}
            value={groups}
            onChange={setGroups}
            typed={typed.group}
            onTyped={(text) => setTyped({ ...typed, group: text })}
            known={known}
          />
        )}
      </div>
      <Textarea
        size="xs"
        label={t('share.message')}
        value={message}
        rows={3}
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
      <div className={style.actions}>
        <Button
          type="submit"
          leftSection={<IconShare size={15} />}
          disabled={!isReady && !sharing.isPending}
          loading={sharing.isPending}
        >
          {t('share.button', { count: studies.length })}
        </Button>
        {recipients.length === 0 && !sharing.data && <span className={style.note}>{t('share.chooseFirst')}</span>}
      </div>
      {sharing.isError && (
        <Banner tone="failed">
          {t('share.failed')}
          <span className={style.reason}>{shareReason(sharing.error)}</span>
        </Banner>
      )}
      {sharing.data && (
        <Outcome results={sharing.data} delaySeconds={sharing.variables.delaySeconds} onGone={() => sharing.reset()} />
      )}
    </form>
  )
}

/** SHARE-05: done is what was done everywhere; only that passes (CONST-01). */
function Outcome({
  results,
  delaySeconds,
  onGone,
}: {
  results: readonly ShareResult[]
  delaySeconds: number
  onGone: () => void
}) {
  const lines = failedLines(results)
  const count = new Set(results.filter(({ failure }) => !failure).map(({ recipient }) => recipient.uuid)).size
  const when = t(`share.when.${delaySeconds as (typeof delays)[number]}`).toLowerCase() // one of those offered
  const done = delaySeconds > 0 ? t('share.scheduled', { count, when }) : t('share.done', { count })
  if (lines.length === 0) {
    return (
      <PassingBanner key={done} onGone={onGone}>
        {done}
      </PassingBanner>
    )
  }
  return (
    <Banner tone="failed">
      {t('share.failed')}
      <ul className={style.lines}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {count > 0 && <span className={style.reason}>{done}</span>}
    </Banner>
  )
}
