import { retentionSet } from '@hilum/contract/calls/retention'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../../format/file-size.ts'
import { t } from '../../../labels/label.ts'
import { type Retention, type RuledPlace, retentionQuery } from '../../../queries/retention.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { HeardOnly } from '../../../ui/heard-only.tsx'
import { IconEdit } from '../../../ui/icons.ts'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import table from '../../../ui/row-table.module.css'
import { RowAct } from '../grid/row-act.tsx'
import style from './retention.module.css'
import { RetentionRuleForm } from './retention-rule-form.tsx'

/** A rule that is edited: of the whole organisation, of a place, or of a place still to be chosen. */
type Edited = { of: 'account' } | { of: 'place'; place: RuledPlace } | { of: 'new' }

/** How long exams are kept at least, and how many deleted exams wait for what. */
export function RetentionRules() {
  const { account } = useEstablished()
  const { data, error, isFetching, refetch } = useQuery(retentionQuery(account.uuid))
  if (data) return <Rules retention={data} />
  if (!error) return <LoadingState label={t('loading')} />
  return (
    <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
      {t('retention.failed')}
    </FailedBanner>
  )
}

function Rules({ retention }: { retention: Retention }) {
  const { bin, places, restore_days: days } = retention
  const mayEdit = useMayCall(retentionSet)
  const [edited, setEdited] = useState<Edited>()
  const ruled = places.filter((one) => one.retention_days !== null)
  return (
    <>
      <p className={style.lead}>{t('retention.rulesLead', { days })}</p>
      <h3 className={style.subtitle}>{t('retention.summary')}</h3>
      <dl className={style.facts}>
        {(['due', 'later', 'held'] as const).map((one) => (
          <div key={one}>
            <dt>{t(`retention.${one}`)}</dt>
            <dd>{formatCount(bin[one])}</dd>
          </div>
        ))}
      </dl>
      <h3 className={style.subtitle} id="retention-rules">
        {t('retention.ruleTable')}
      </h3>
      <table className={table.table} aria-labelledby="retention-rules">
        <thead>
          <tr>
            <th scope="col">{t('retention.place')}</th>
            <th scope="col">{t('retention.ruleDays')}</th>
            {mayEdit && (
              <th scope="col" data-acts>
                <HeardOnly>{t('users.acts')}</HeardOnly>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          <RuleRow
            name={t('retention.account')}
            days={retention.retention_days}
            onChange={mayEdit ? () => setEdited({ of: 'account' }) : undefined}
          />
          {ruled.map((place) => (
            <RuleRow
              key={place.namespace_id}
              name={place.name}
              kind={place.kind}
              days={place.retention_days}
              onChange={mayEdit ? () => setEdited({ of: 'place', place }) : undefined}
            />
          ))}
        </tbody>
      </table>
      {ruled.length === 0 && <p className={style.note}>{t('retention.noPlaces')}</p>}
      {mayEdit && ruled.length < places.length && (
        <div className={style.below}>
          <Button variant="default" size="xs" onClick={() => setEdited({ of: 'new' })}>
            {t('retention.addRule')}
          </Button>
        </div>
      )}
      {edited && (
        <RetentionRuleForm
          of={edited.of === 'place' ? edited.place : edited.of}
          days={daysOf(edited, retention)}
          places={places.filter((one) => one.retention_days === null)}
          onSaved={() => {
            putNotice(t('retention.saved'))
            setEdited(undefined)
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

function daysOf(edited: Edited, { retention_days: ofAccount }: Retention): number | null {
  if (edited.of === 'new') return null
  return edited.of === 'account' ? ofAccount : edited.place.retention_days
}

interface RuleRowProps {
  name: string
  kind?: RuledPlace['kind']
  days: number | null
  /** Absent for those who may only look. */
  onChange: (() => void) | undefined
}

function RuleRow({ name, kind, days, onChange }: RuleRowProps) {
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        {kind && <span className={table.aside}>{t(`retention.kind.${kind}`)}</span>}
      </th>
      <td>{days ? t('retention.days', { count: days }) : t('retention.none')}</td>
      {onChange && (
        <td data-acts>
          <RowAct label={t('retention.changeOne', { name })} icon={IconEdit} onAct={onChange} />
        </td>
      )}
    </tr>
  )
}
