import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { openTexts, textsQuery, useAgree } from '../../queries/agreed-texts.ts'
import { signOut } from '../../session/establish-session.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './agreement.module.css'

/** Shows the texts of the organisation that the person has not accepted, and takes the acceptance. */
export function Agreement() {
  const session = useEstablished()
  const { account } = session
  const { dateFormat, timeZone } = usePreferences()
  const { data, error, refetch } = useQuery(textsQuery(account.uuid))
  const agree = useAgree()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), []) // the page took the place of another
  const open = openTexts(session)
  const texts = data?.filter(({ kind, md5 }) => open.includes(kind) && session.user[`${kind}_md5`] !== md5)
  return (
    <div className={style.page}>
      <h1 ref={heading} tabIndex={-1}>
        {t('agree.title')}
      </h1>
      <p>{t('agree.lead', { organisation: account.name })}</p>
      {error && (
        <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
          {t('agree.loadFailed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('loading')} />}
      {texts?.map(({ kind, text, since }) => (
        <section key={kind} aria-labelledby={`agree-${kind}`}>
          <h2 id={`agree-${kind}`}>{t(`agree.${kind}`)}</h2>
          <p className={style.since}>{t('agree.since', { since: formatStamp(since, dateFormat, timeZone) })}</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by keyboard */}
          <div role="group" className={style.text} aria-labelledby={`agree-${kind}`} tabIndex={0}>
            <PlainText text={text} />
          </div>
        </section>
      ))}
      {agree.isError && <Banner tone="failed">{t('agree.failed')}</Banner>}
      <div className={style.acts}>
        <Button variant="default" onClick={() => void signOut()}>
          {t('agree.signOut')}
        </Button>
        <Button disabled={!texts} loading={agree.isPending} onClick={() => texts && agree.mutate(texts)}>
          {t('agree.accept')}
        </Button>
      </div>
    </div>
  )
}
