import { Button } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import type { ChosenExam } from './compare-patient.ts'
import { comparedFields } from './demographic-table.tsx'
import { shownValue } from './shown-value.ts'
import type { ChosenNow } from './use-chosen-now.ts'

/** Says how the chosen order or patient stands now, where that is not as it was chosen. */
export function ChosenBanner({ chosen, now }: { chosen: ChosenExam; now: ChosenNow }) {
  const { dateFormat } = usePreferences()
  const name = chosen.archive?.name.replaceAll('_', ' ') ?? ''
  if (now.kind === 'asking') return <LoadingState label={t('process.chosenAsking')} />
  if (now.kind === 'cancelled') return <Banner tone="failed">{t('process.orderCancelled')}</Banner>
  if (now.kind === 'gone')
    return (
      <Banner tone="failed">
        {chosen.kind === 'order' ? t('process.orderGone') : t('process.patientGone', { name })}
      </Banner>
    )
  if (now.kind === 'beyond') return <Banner tone="failed">{t('process.patientBeyond', { name })}</Banner>
  if (now.kind === 'failed') {
    const again = (
      <Button size="compact-sm" variant="default" onClick={now.onAskAgain}>
        {t('button.retry')}
      </Button>
    )
    return (
      <Banner tone="failed" action={again}>
        {chosen.kind === 'order' ? t('process.orderUnread') : t('process.patientUnread', { name })}
      </Banner>
    )
  }
  const changes = changesBetween(chosen, now.exam, (field, value) => shownValue(field, value, dateFormat))
  if (changes.length === 0) return null
  return (
    <Banner tone="priority">
      {t(chosen.kind === 'order' ? 'process.orderChangedSince' : 'process.patientChangedSince')}
      <ul>
        {changes.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </Banner>
  )
}

function changesBetween(
  before: ChosenExam,
  after: ChosenExam | undefined,
  show: (field: (typeof comparedFields)[number][0], value: string) => string,
): string[] {
  if (!after) return []
  const values = comparedFields
    .filter(([field]) => before[field] !== after[field])
    .map(([field, label]) =>
      t('process.changedField', {
        field: t(label),
        before: show(field, before[field]),
        after: show(field, after[field]),
      }),
    )
  if (before.issuer === after.issuer) return values
  const none = t('field.none')
  const slots = { field: t('process.authority'), before: before.issuer || none, after: after.issuer || none }
  return [...values, t('process.changedField', slots)]
}
