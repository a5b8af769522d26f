import { Button } from '@mantine/core'
import { useAgo } from '../../../format/use-ago.ts'
import { t } from '../../../labels/label.ts'
import { type FoundIssuer, useNamedIssuers, useSayWhose } from '../../../queries/named-issuers.ts'
import { Banner } from '../../../ui/banner.tsx'
import style from './organisation.module.css'

/** Authorities that exams name and that are no name of the own one; one press says whose each is. */
export function NamedIssuers() {
  const found = useNamedIssuers()
  const say = useSayWhose()
  const { variables: said, data: before } = say
  const [issuer, isOurs] = said && 'issuer' in said ? [said.issuer, said.isOurs] : []
  if (!found || (found.issuers.length === 0 && say.isIdle)) return null
  return (
    <div className={style.named} role="group" aria-labelledby="named-issuers">
      <p id="named-issuers" className={style.tagTitle}>
        {t('organisation.named')}
      </p>
      <p className={style.hint}>{t('organisation.namedHelp')}</p>
      {say.isError && <Banner tone="failed">{t('organisation.namedFailed')}</Banner>}
      {say.isSuccess && issuer !== undefined && (
        <Banner
          tone="completed"
          action={
            <Button size="compact-xs" variant="default" onClick={() => before && say.mutate({ back: before })}>
              {t('organisation.namedBack')}
            </Button>
          }
        >
          {t(isOurs ? 'organisation.saidOurs' : 'organisation.saidOutside', { issuer })}
        </Banner>
      )}
      {found.issuers.length > 0 && (
        <ul className={style.names}>
          {found.issuers.map((one) => (
            <li key={one.issuer}>
              <NamedIssuer
                one={one}
                isBusy={say.isPending}
                onSay={(ours) => say.mutate({ issuer: one.issuer, isOurs: ours })}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface NamedIssuerProps {
  one: FoundIssuer
  isBusy: boolean
  onSay: (isOurs: boolean) => void
}

function NamedIssuer({ one, isBusy, onSay }: NamedIssuerProps) {
  const agoOf = useAgo()
  const { issuer, study_count: count, newest, ae_titles: titles, is_outside: isOutside } = one
  return (
    <>
      <span className={style.namedText}>
        <strong>{issuer}</strong>
        <span className={style.hint}>
          {t('organisation.namedLine', { count, ago: agoOf(newest) })}
          {titles.length > 0 && t('organisation.namedBy', { titles: titles.join(', ') })}
          {isOutside === 1 && t('organisation.namedOutside')}
        </span>
      </span>
      <Button
        size="compact-sm"
        variant="default"
        disabled={isBusy}
        aria-label={t('organisation.oursOf', { issuer })}
        onClick={() => onSay(true)}
      >
        {t('organisation.ours')}
      </Button>
      {isOutside !== 1 && (
        <Button
          size="compact-sm"
          variant="subtle"
          disabled={isBusy}
          aria-label={t('organisation.outsideOf', { issuer })}
          onClick={() => onSay(false)}
        >
          {t('organisation.outside')}
        </Button>
      )}
    </>
  )
}
