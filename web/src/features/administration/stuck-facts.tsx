import { formatAgo, formatStamp } from '../../format/dates.ts'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import type { StuckFact } from '../../queries/what-is-stuck.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './account-work.module.css'
import { jobName } from './job-name.ts'

/** Facts that need somebody, each with since when and what to do. */
export function StuckFacts({ facts }: { facts: readonly StuckFact[] }) {
  return (
    <ul className={style.facts} aria-label={t('stuck.facts')}>
      {facts.map((fact, index) => (
        // destinations may share a name
        <li key={`${fact.code} ${fact.name} ${index}`}>
          <Fact fact={fact} />
        </li>
      ))}
    </ul>
  )
}

const early: ReadonlySet<StuckFact['code']> = new Set(['DISK_LOW', 'CERTIFICATE_ENDS'])

function Fact({ fact }: { fact: StuckFact }) {
  const { dateFormat, timeZone } = usePreferences()
  const { code, since, name, count, free_bytes: free, total_bytes: total, certificate_ends: ends } = fact
  return (
    <Banner tone={early.has(code) ? 'priority' : 'failed'}>
      <strong>
        {t(`stuck.${code}`, {
          count,
          name: code === 'CLOCK_WORK_FAILED' ? jobName(name) : name,
          free: formatSize(free),
          total: formatSize(total),
          ends: formatStamp(ends, dateFormat, timeZone),
        })}
      </strong>
      {since && (
        <span className={style.since}>
          {t(`stuck.${sinceWords(fact)}`, { ago: formatAgo(since), stamp: formatStamp(since, dateFormat, timeZone) })}
        </span>
      )}
      <span className={style.advice}>{t(`stuck.do.${code}`)}</span>
    </Banner>
  )
}

function sinceWords({ code, count }: StuckFact): 'since' | 'lastFailed' | 'first' {
  if (code === 'CLOCK_WORK_FAILED') return 'lastFailed'
  return count > 1 ? 'first' : 'since'
}
