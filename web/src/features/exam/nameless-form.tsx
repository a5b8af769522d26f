import type { Study } from '@hilum/contract/entities/study'
import { maxNamelessRecipient } from '@hilum/contract/limits'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiFailure } from '../../api/api-failure.ts'
import { attributeName } from '../../format/attribute-name.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { useNameless } from '../../queries/nameless.ts'
import { Banner } from '../../ui/banner.tsx'
import acts from './acts.module.css'
import panel from './exam-panel.module.css'
import { SeriesThumbnails } from './series-thumbnails.tsx'
import share from './share.module.css'
import { shareReason } from './share-words.ts'

const dates = ['MOVED', 'REMOVED'] as const

/** For whom, how dates leave; then what leaves, to be looked at, before the copy is made. */
export function NamelessForm({ study }: { study: Study }) {
  const [recipient, setRecipient] = useState('')
  const [rule, setRule] = useState<(typeof dates)[number]>('MOVED')
  const [texts, setTexts] = useState<readonly string[]>([])
  const [isSeen, setIsSeen] = useState(false)
  const { look, make } = useNameless(study.uuid)
  const choices = { recipient: recipient.trim(), dates: rule }
  const seen = look.data
  const forget = () => {
    look.reset()
    make.reset()
    setTexts([])
    setIsSeen(false)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (choices.recipient === '' || isNothing || look.isPending || make.isPending) return
    if (!seen) look.mutate(choices)
    else if (seen.pixels.length === 0 || isSeen)
      make.mutate(
        { ...choices, digest: seen.digest, texts: [...texts], ...(isSeen ? { pixels_seen: 1 } : {}) },
        { onSuccess: forget },
      )
  }
  const failed = look.isError ? look : make.isError ? make : undefined
  const leftOut = seen?.left_out ?? []
  const leftOutCount = leftOut.reduce((sum, { count }) => sum + count, 0)
  const isNothing = seen !== undefined && leftOutCount === seen.image_count
  return (
    <form className={share.form} aria-label={t('nameless.switch')} noValidate onSubmit={handleSubmit}>
      <div className={share.pickers}>
        <TextInput
          size="xs"
          label={t('nameless.recipient')}
          description={t('nameless.recipientHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={maxNamelessRecipient}
          value={recipient}
          onChange={(event) => {
            setRecipient(event.currentTarget.value)
            forget()
          }}
        />
        <NativeSelect
          label={t('nameless.dates')}
          value={rule}
          onChange={(event) => {
            setRule(dates.find((one) => one === event.currentTarget.value) ?? 'MOVED')
            forget()
          }}
          data={dates.map((one) => ({ value: one, label: t(`nameless.dates.${one}`) }))}
        />
      </div>
      {seen && (
        <>
          <Banner tone="info">{t('nameless.patient', seen)}</Banner>
          {seen.texts.length > 0 && (
            <fieldset className={share.texts}>
              <legend>{t('nameless.texts')}</legend>
              <p className={panel.note}>{t('nameless.textsHint')}</p>
              {[...new Set(seen.texts.map(({ text }) => text))].map((text) => (
                <Checkbox
                  key={text}
                  size="xs"
                  label={text}
                  checked={texts.includes(text)}
                  onChange={(event) =>
                    setTexts(event.currentTarget.checked ? [...texts, text] : texts.filter((one) => one !== text))
                  }
                />
              ))}
            </fieldset>
          )}
          <SeriesThumbnails study={study} />
          {seen.pixels.length > 0 && (
            <>
              <Banner tone="priority">{t('nameless.pixels', { count: seen.pixels.length })}</Banner>
              <Checkbox
                size="xs"
                label={t('nameless.pixelsSeen')}
                checked={isSeen}
                onChange={(event) => setIsSeen(event.currentTarget.checked)}
              />
            </>
          )}
          {leftOut.length > 0 && (
            <Banner tone={isNothing ? 'failed' : 'neutral'}>
              {isNothing && <strong>{t('nameless.nothing')}</strong>} {t('nameless.leftOut', { count: leftOutCount })}{' '}
              {leftOut.map(({ reason, count }) => `${t(`nameless.leftOut.${reason}`)} (${count})`).join(', ')}
              <span className={share.reason}>{t('nameless.leftOutWhy')}</span>
            </Banner>
          )}
          {seen.attachments > 0 && (
            <Banner tone="neutral">{t('nameless.attachments', { count: seen.attachments })}</Banner>
          )}
          <Attributes rows={seen.attributes} />
        </>
      )}
      {failed && (
        <Banner tone="failed">
          {t(look.isError ? 'nameless.lookFailed' : 'nameless.makeFailed')}
          <span className={share.reason}>{namelessFault(failed.error)}</span>
        </Banner>
      )}
      <div className={share.actions}>
        <Button
          type="submit"
          loading={look.isPending || make.isPending}
          disabled={choices.recipient === '' || isNothing || ((seen?.pixels.length ?? 0) > 0 && !isSeen)}
        >
          {t(seen ? 'nameless.make' : 'nameless.look')}
        </Button>
      </div>
    </form>
  )
}

function Attributes({ rows }: { rows: readonly { tag: string; keyword: string; before: string; after: string }[] }) {
  return (
    // a scrolling table must be reachable by keyboard: nothing in it takes the focus
    <section className={`${acts.tableScroll} ${share.changes}`} aria-label={t('nameless.attributes')} tabIndex={0}>
      <table className={acts.table}>
        <thead>
          <tr>
            <th scope="col">{t('nameless.attribute')}</th>
            <th scope="col">{t('nameless.before')}</th>
            <th scope="col">{t('nameless.after')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ tag, keyword, before, after }) => (
            <tr key={tag}>
              <td title={tag}>{attributeName(keyword, tag)}</td>
              <td>{before}</td>
              <td>{after || t('nameless.removed')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function namelessFault(failure: unknown): string {
  const code = failure instanceof ApiFailure ? failure.code : ''
  const known = (['STALE', 'ALREADY_EXISTS', 'NOT_READY', 'INVALID_FIELD'] as const).find((one) => one === code)
  return known ? t(`nameless.reason.${known}`) : shareReason(failure)
}
