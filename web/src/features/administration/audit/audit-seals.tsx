import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatStamp } from '../../../format/dates.ts'
import { formatCount } from '../../../format/file-size.ts'
import { t } from '../../../labels/label.ts'
import { type AuditCheck, auditCheckQuery, useAuditCheck } from '../../../queries/audit.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import style from './audit.module.css'

/** Begins a check of the audit against its seals, shows how far it is, and what came of the latest one. */
export function AuditSeals() {
  const { account } = useEstablished()
  const latest = useQuery(auditCheckQuery(account.uuid))
  const begin = useAuditCheck(account.uuid)
  const check = latest.data
  return (
    <>
      <p className={style.lead}>{t('audit.sealsLead')}</p>
      <div className={style.bar}>
        <Button
          size="xs"
          loading={begin.isPending || check?.state === 'running'}
          disabled={latest.isPending}
          onClick={() => begin.mutate()}
        >
          {t('audit.check')}
        </Button>
      </div>
      {begin.isError && <Banner tone="failed">{t('audit.checkFailed')}</Banner>}
      {latest.isPending && <LoadingState label={t('loading')} />}
      {latest.isLoadingError && (
        <FailedBanner retry={t('button.retry')} onRetry={() => void latest.refetch()}>
          {t('audit.checkUnknown')}
        </FailedBanner>
      )}
      {check?.state === 'none' && <p className={style.lead}>{t('audit.neverChecked')}</p>}
      {check?.state === 'running' && <CheckProgress check={check} />}
      {check?.state === 'failed' && <Banner tone="failed">{t('audit.checkBroke')}</Banner>}
      {check?.state === 'done' && <CheckResult result={check} />}
    </>
  )
}

function CheckProgress({ check: { rows_done: done, rows_total: total } }: { check: AuditCheck }) {
  const label = total === 0 ? t('audit.checkBegins') : t('audit.checkRuns')
  return (
    <div className={style.progress}>
      <p role="status" className={style.lead}>
        {label} {t('audit.checkLeave')}
      </p>
      <progress aria-label={label} {...(total === 0 ? {} : { value: done, max: total })} />
    </div>
  )
}

function CheckResult({ result }: { result: AuditCheck }) {
  const { dateFormat, timeZone } = usePreferences()
  const { fault_count: count, faults } = result
  return (
    <>
      <Banner tone={count === 0 ? 'completed' : 'failed'}>
        {count === 0 ? t('audit.whole') : t('audit.broken', { count })}
      </Banner>
      <dl className={style.facts}>
        <dt>{t('audit.checkedAt')}</dt>
        <dd>
          {formatStamp(result.ended, dateFormat, timeZone)}, {result.who}
        </dd>
        <dt>{t('audit.checkedRows')}</dt>
        <dd>{formatCount(result.rows)}</dd>
        <dt>{t('audit.checkedUnsealed')}</dt>
        <dd>{formatCount(result.unsealed)}</dd>
        <dt>{t('audit.checkedSeal')}</dt>
        <dd>{result.seal_number || t('field.none')}</dd>
        <dt>{t('audit.checkedDigest')}</dt>
        <dd>
          {result.seal_digest || t('field.none')}
          <span className={style.aside}>{t('audit.digestHelp')}</span>
        </dd>
      </dl>
      {faults.length > 0 && (
        <>
          <h3 className={style.subtitle}>{t('audit.faults')}</h3>
          <ul className={style.faults}>
            {faults.map(({ kind, what }) => (
              <li key={`${kind} ${what}`}>
                {kind}: {what}
              </li>
            ))}
          </ul>
          {count > faults.length && <p className={style.lead}>{t('audit.faultsCut', { count: faults.length })}</p>}
        </>
      )}
    </>
  )
}
