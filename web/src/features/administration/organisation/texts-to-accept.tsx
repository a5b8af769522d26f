import { type AgreedTextKind, agreedTextKinds } from '@hilum/contract/calls/account-text'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatStamp } from '../../../format/dates.ts'
import { t, tRich } from '../../../labels/label.ts'
import { type TextVersion, versionsQuery } from '../../../queries/agreed-texts.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { putNotice } from '../../../state/notices.ts'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { PlainText } from '../../../ui/plain-text.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import style from './organisation.module.css'
import { TextForm } from './text-form.tsx'

/** The texts that people accept after they sign in: what is in force, who wrote it, how many accepted, and what was before. */
export function TextsToAccept() {
  const { account } = useEstablished()
  const { data, error, refetch } = useQuery(versionsQuery(account.uuid))
  const [edited, setEdited] = useState<{ kind: AgreedTextKind; text: string; md5: string }>()
  return (
    <TitledSection id="texts-to-accept" title={t('texts.title')} className={style.form}>
      <p className={style.hint}>{t('texts.lead')}</p>
      {error && (
        <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
          {t('texts.loadFailed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('loading')} />}
      {data &&
        agreedTextKinds.map((kind) => (
          <OneText
            key={kind}
            kind={kind}
            versions={data.versions.filter((one) => one.kind === kind)}
            people={data.people}
            onEdit={(read) => setEdited({ kind, ...read })}
          />
        ))}
      <p className={style.hint}>
        {tRich('texts.record', {
          audit: (
            <Link key="audit" to="/administration/audit">
              {t('audit.title')}
            </Link>
          ),
        })}
      </p>
      {edited && (
        <TextForm
          {...edited}
          onSaved={() => {
            putNotice(t('texts.saved', { name: t(`agree.${edited.kind}`) }))
            setEdited(undefined)
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </TitledSection>
  )
}

interface OneTextProps {
  kind: AgreedTextKind
  /** Newest first. */
  versions: readonly TextVersion[]
  people: number
  onEdit: (read: { text: string; md5: string }) => void
}

function OneText({ kind, versions, people, onEdit }: OneTextProps) {
  const { dateFormat, timeZone } = usePreferences()
  const name = t(`agree.${kind}`)
  const [inForce, ...earlier] = versions
  const since = (one: TextVersion) => formatStamp(one.since, dateFormat, timeZone)
  const isAsked = inForce !== undefined && inForce.text !== ''
  return (
    <div role="group" aria-label={name} className={style.part}>
      <div className={style.textHead}>
        <h3>{name}</h3>
        <Button
          variant="default"
          size="xs"
          onClick={() => onEdit({ text: inForce?.text ?? '', md5: inForce?.md5 ?? '' })}
        >
          {t(isAsked ? 'texts.edit' : 'texts.write', { name })}
        </Button>
      </div>
      <p className={style.hint}>
        {isAsked ? t('texts.agreed', { count: inForce.agreed, people, since: since(inForce) }) : t('texts.none')}
      </p>
      {earlier.length > 0 && (
        <details>
          <summary>{t('texts.versions', { name })}</summary>
          {earlier.map((one) => (
            <div key={one.since} className={style.version}>
              <p className={style.hint}>
                {one.text
                  ? t('texts.version', { since: since(one), by: one.by, count: one.agreed })
                  : t('texts.ended', { since: since(one), by: one.by })}
              </p>
              {one.text && <PlainText text={one.text} />}
            </div>
          ))}
        </details>
      )}
    </div>
  )
}
