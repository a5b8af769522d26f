import { testDays, testStudiesOfDays } from '@hilum/contract/calls/route'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { formatStamp } from '../../../format/dates.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import { type RoutingRule, type RuleFields, type RuleTargets, useTestRule } from '../../../queries/routing-rules.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { Banner } from '../../../ui/banner.tsx'
import table from '../../../ui/row-table.module.css'
import { draftFault, type RuleDraft, sentOf } from './rule-draft.ts'
import { ruleFaultText } from './rule-fault.ts'
import { conditionText } from './rule-words.ts'
import style from './routing.module.css'

interface RuleTestProps {
  draft: RuleDraft
  rule: RoutingRule | undefined
  targets: RuleTargets
}

/** The parts of a test on which its answer depends. */
function signOf({ rule, days }: { rule: RuleFields; days: number | undefined }): string {
  return JSON.stringify({ ...rule, name: '', suspended: 0, days })
}

/** Tries the rule as it stands in the form on studies that are there, before anything is switched on. */
export function RuleTest({ draft, rule, targets }: RuleTestProps) {
  const [isByDays, setIsByDays] = useState(false)
  const [fault, setFault] = useState('')
  const test = useTestRule()
  const { dateFormat, timeZone } = usePreferences()
  const sent = sentOf(draft, rule)
  const asked = { rule: sent, days: isByDays ? testDays : undefined }
  // an answer is about the rule that was tested, not about what was typed since
  const isOfForm = test.variables !== undefined && signOf(test.variables) === signOf(asked)
  const tested = isOfForm ? test.data : undefined
  const handleTest = () => {
    const found = draftFault(draft, true)
    setFault(found ?? '')
    if (!found) test.mutate(asked)
  }
  const failure = test.error instanceof ApiFailure ? ruleFaultText(test.error) : t('routing.testFailed')
  return (
    <div className={style.form}>
      <div className={style.choice}>
        <NativeSelect
          size="xs"
          aria-label={t('routing.testOn')}
          value={isByDays ? 'days' : 'last'}
          data={[
            { value: 'last', label: t('routing.testLast') },
            { value: 'days', label: t('routing.testDays') },
          ]}
          onChange={(event) => setIsByDays(event.currentTarget.value === 'days')}
        />
        <Button variant="default" size="xs" loading={test.isPending} onClick={handleTest}>
          {t('routing.test')}
        </Button>
      </div>
      {fault && <Banner tone="failed">{fault}</Banner>}
      {test.data && !isOfForm && !test.isPending && <p className={style.hint}>{t('routing.testOutdated')}</p>}
      {test.isError && isOfForm && <Banner tone="failed">{failure}</Banner>}
      {tested && !test.isPending && (
        <>
          <p className={style.hint} role="status">
            {t('routing.testResult', { matched: tested.matched, count: tested.studies.length })}{' '}
            {tested.is_cut === 1 && `${t('routing.testCut', { count: testStudiesOfDays })} `}
            {tested.unseen > 0 && t('routing.testUnseen', { count: tested.unseen })}
          </p>
          {tested.conflicts.map((one) => (
            <Banner key={`${one.uuid}${one.reason}`} tone="priority">
              {t(`routing.conflict.${one.reason}`, { name: one.name, count: one.studies })}
            </Banner>
          ))}
          {tested.studies.length > 0 && (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
            <div className={style.tested} tabIndex={0} role="region" aria-label={t('routing.test')}>
              <table className={table.table}>
                <thead>
                  <tr>
                    <th scope="col">{t('routing.testStudy')}</th>
                    <th scope="col">{t('routing.testOutcome')}</th>
                  </tr>
                </thead>
                <tbody>
                  {tested.studies.map((study) => (
                    <tr key={study.uuid}>
                      <th scope="row">
                        {nameText(study.patient_name)} {study.modality} {study.study_description}
                        {study.waits_approval === 1 && <span className={table.aside}>{t('routing.testWaits')}</span>}
                      </th>
                      <td>
                        {study.matched === 1 ? t('routing.matches') : unmet(study.failed)}
                        {study.matched === 1 && (
                          <span className={table.aside}>{timeText(study.acts_at, tested.tested_at)}</span>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      )}
    </div>
  )

  function timeText(actsAt: string | null, testedAt: string): string {
    if (actsAt === null) return t('routing.testNever')
    if (actsAt <= testedAt) return t('routing.testAtOnce')
    return t('routing.testLater', { when: formatStamp(actsAt, dateFormat, timeZone) })
  }

  function unmet(failed: readonly number[]): string {
    const texts = failed.flatMap((at) => {
      const condition = sent.conditions[at]
      return condition ? [conditionText(condition, targets)] : []
    })
    return t('routing.matchesNot', { conditions: texts.join('; ') })
  }
}
