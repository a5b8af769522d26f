import { outsideKinds } from '@hilum/contract/calls/outside'
import { NativeSelect } from '@mantine/core'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { noOutsideFilters, type OutsideFilters } from '../../../queries/outside-access.ts'
import { filterTexts, GridFilter } from '../grid/grid-filter.tsx'

interface OutsideFilterProps {
  filters: OutsideFilters
  /** Offers to look for who gave an access. */
  hasGivers: boolean
  onChange: (filters: OutsideFilters) => void
}

/** The filter of the accesses; each change is in force at once. */
export function OutsideFilter({ filters, hasGivers, onChange }: OutsideFilterProps) {
  const text = filterTexts(filters, onChange)
  return (
    <GridFilter id="outside-filter" label={t('outside.filterForm')} onClear={() => onChange(noOutsideFilters)}>
      <TextInput {...text('who', t('outside.who'))} autoFocus />
      <TextInput {...text('place', t('outside.place'))} />
      {hasGivers && <TextInput {...text('by', t('outside.by'))} />}
      <NativeSelect
        label={t('outside.kind')}
        value={filters.kind}
        data={(['', ...outsideKinds] as const).map((value) => ({ value, label: t(`outside.kind.${value}`) }))}
        onChange={(event) => onChange({ ...filters, kind: event.currentTarget.value as OutsideFilters['kind'] })} // one of the options above
      />
      <NativeSelect
        label={t('outside.reach')}
        value={filters.reach}
        data={(['', '1', '0'] as const).map((value) => ({ value, label: t(`outside.reach.${value}`) }))}
        onChange={(event) => onChange({ ...filters, reach: event.currentTarget.value as OutsideFilters['reach'] })} // one of the options above
      />
    </GridFilter>
  )
}
