import { routeRunsAgain } from '@hilum/contract/calls/route'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { useAgo } from '../../format/use-ago.ts'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { type RunsAgainOutcome, type StuckFact, useTendFact } from '../../queries/what-is-stuck.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useMayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './account-work.module.css'
import { jobName } from './job-name.ts'
import { RunsAgain } from './runs-again.tsx'

/** Facts that need somebody, each with since when and what to do, and what came of the last act. */
export function StuckFacts({ facts }: { facts: readonly StuckFact[] }) {
  const { account } = useEstablished()
  const tend = useTendFact(account.uuid)
  const mayRunAgain = useMayCall(routeRunsAgain)
  const [runsAgain, setRunsAgain] = useState<{ name: string; outcome: RunsAgainOutcome | undefined }>()
  const isOf = (fact: StuckFact) => tend.variables !== undefined && keyOf(tend.variables) === keyOf(fact)
  return (
    <>
      {tend.isError && <Banner tone="failed">{t('stuck.actFailed')}</Banner>}
      {runsAgain && <RunsAgainBanner {...runsAgain} />}
      {facts.length > 0 && (
        <ul className={style.facts} aria-label={t('stuck.facts')}>
          {facts.map((fact) => (
            <li key={keyOf(fact)}>
              <Fact
                fact={fact}
                isBusy={tend.isPending && isOf(fact)}
                isDone={tend.isSuccess && isOf(fact)}
                onTend={() => tend.mutate(fact)}
                more={
                  mayRunAgain &&
                  fact.code === 'RULE_FAILS' && (
                    <RunsAgain fact={fact} onEnd={(outcome) => setRunsAgain({ name: fact.name, outcome })} />
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const acts: Partial<
  Record<
    StuckFact['code'],
    { label: 'stuck.retry' | 'stuck.dismiss' | 'stuck.dismissRule'; button: 'button.retry' | 'button.dismiss' }
  >
> = {
  CLOCK_WORK_FAILED: { label: 'stuck.retry', button: 'button.retry' },
  PUSHES_FAILED: { label: 'stuck.dismiss', button: 'button.dismiss' },
  RULE_FAILS: { label: 'stuck.dismissRule', button: 'button.dismiss' },
}

/** Where the exams of what was dismissed are found. */
const hints: Partial<Record<StuckFact['code'], 'stuck.dismissHint' | 'stuck.dismissRuleHint'>> = {
  PUSHES_FAILED: 'stuck.dismissHint',
  RULE_FAILS: 'stuck.dismissRuleHint',
}

/** The outcome of Run again: on how many exams the rule runs, on how many it would not, and how many are left. */
function RunsAgainBanner({ name, outcome }: { name: string; outcome: RunsAgainOutcome | undefined }) {
  if (!outcome) return <Banner tone="failed">{t('stuck.runsAgainFailed')}</Banner>
  const { again, not_again: notAgain, left } = outcome
  return (
    <Banner tone={notAgain + left > 0 ? 'priority' : 'completed'}>
      {t('stuck.runsAgainDone', { name, count: again })}
      {notAgain > 0 && ` ${t('stuck.runsNotAgain', { count: notAgain })}`}
      {left > 0 && ` ${t('stuck.runsLeft', { count: left })}`}
    </Banner>
  )
}

const early: ReadonlySet<StuckFact['code']> = new Set(['DISK_LOW', 'CERTIFICATE_ENDS', 'DESTINATION_CERTIFICATE_ENDS'])

/** Destinations and rules may share a name. */
function keyOf({ code, name, destination_id: destination, rule_id: rule }: StuckFact): string {
  return `${code} ${name} ${destination} ${rule}`
}

interface FactProps {
  fact: StuckFact
  isBusy: boolean
  /** The entry was acted on and is listed still. */
  isDone: boolean
  onTend: () => void
  /** A further act, before the one of the table. */
  more: ReactNode
}

function Fact({ fact, isBusy, isDone, onTend, more }: FactProps) {
  const agoOf = useAgo()
  const { dateFormat, timeZone } = usePreferences()
  const { code, since, name, count, free_bytes: free, total_bytes: total, certificate_ends: ends } = fact
  const act = acts[code]
  const hint = hints[code]
  const words = code === 'CLOCK_WORK_FAILED' ? jobName(name) : name
  return (
    <Banner
      tone={early.has(code) ? 'priority' : 'failed'}
      action={
        act && (
          <>
            {more}
            <Button
              size="compact-sm"
              variant="default"
              loading={isBusy}
              aria-label={t(act.label, { name: words, place: fact.place_name })}
              onClick={onTend}
            >
              {t(act.button)}
            </Button>
          </>
        )
      }
    >
      <strong>
        {t(`stuck.${code}`, {
          count,
          name: words,
          place: fact.place_name,
          free: formatSize(free),
          total: formatSize(total),
          ends: formatStamp(ends, dateFormat, timeZone),
        })}
      </strong>
      {since && (
        <span className={style.since}>
          {t(`stuck.${sinceWords(fact)}`, { ago: agoOf(since), stamp: formatStamp(since, dateFormat, timeZone) })}
        </span>
      )}
      <span className={style.advice}>{t(`stuck.do.${code}`)}</span>
      {hint && <span className={style.advice}>{t(hint)}</span>}
      {isDone && code === 'CLOCK_WORK_FAILED' && (
        <span className={style.advice} role="status">
          {t('stuck.retried')}
        </span>
      )}
    </Banner>
  )
}

function sinceWords({ code, count }: StuckFact): 'since' | 'lastFailed' | 'first' {
  if (code === 'CLOCK_WORK_FAILED') return 'lastFailed'
  return count > 1 ? 'first' : 'since'
}
