import { Button } from '@mantine/core'
import { formatCount } from '../../../format/file-size.ts'
import { t } from '../../../labels/label.ts'
import { type AuditCheck, useAuditCheck } from '../../../queries/audit.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import style from './audit.module.css'

/** Holds the audit against its seals when it is asked to, and shows what came of that. */
export function AuditSeals() {
  const { account } = useEstablished()
  const check = useAuditCheck(account.uuid)
  return (
    <>
      <p className={style.lead}>{t('audit.sealsLead')}</p>
      <div className={style.bar}>
        <Button size="xs" loading={check.isPending} onClick={() => check.mutate()}>
          {t('audit.check')}
        </Button>
      </div>
      {check.isError && <Banner tone="failed">{t('audit.checkFailed')}</Banner>}
      {check.data && <CheckResult result={check.data} />}
    </>
  )
}

function CheckResult({ result }: { result: AuditCheck }) {
  const { fault_count: count, faults } = result
  return (
    <>
      <Banner tone={count === 0 ? 'completed' : 'failed'}>
        {count === 0 ? t('audit.whole') : t('audit.broken', { count })}
      </Banner>
      <dl className={style.facts}>
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
