import { outsideKinds } from '@hilum/contract/calls/outside'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import { noOutsideFilters, type OutsideFilters } from '../../../queries/outside-access.ts'
import style from '../users/users.module.css'

interface OutsideFilterProps {
  filters: OutsideFilters
  /** Offers to look for who gave an access. */
  hasGivers: boolean
  onChange: (filters: OutsideFilters) => void
}

/** The filter of the accesses; each change is in force at once. */
export function OutsideFilter({ filters, hasGivers, onChange }: OutsideFilterProps) {
  const text = (field: 'who' | 'place' | 'by') => ({
    label: t(`outside.${field}`),
    value: filters[field],
    maxLength: 200,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...filters, [field]: event.currentTarget.value }),
  })
  return (
    <form
      id="outside-filter"
      className={style.filter}
      aria-label={t('outside.filterForm')}
      onSubmit={(event) => event.preventDefault()}
    >
      <TextInput {...text('who')} autoFocus />
      <TextInput {...text('place')} />
      {hasGivers && <TextInput {...text('by')} />}
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
      <Button variant="default" onClick={() => onChange(noOutsideFilters)}>
        {t('outside.filterClear')}
      </Button>
    </form>
  )
}
