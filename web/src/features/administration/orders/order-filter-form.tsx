import { Button, NativeSelect } from '@mantine/core'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import {
  cancelledStatus,
  noOrderFilters,
  type OrderFilter,
  type OrderFilters,
  type OrderSearch,
  orderFilters,
} from '../../../queries/orders.ts'
import { shownStatuses, statusText } from './order-words.ts'
import own from './orders.module.css'

interface FilterProps {
  typed: OrderFilters
  search: OrderSearch
  onChange: (filters: OrderFilters) => void
  onSearch: (search: OrderSearch) => void
}

/** The fields that orders are found by. */
export function OrderFilterForm({ typed, search, onChange, onSearch }: FilterProps) {
  const put = (part: Partial<OrderFilters>) => onChange({ ...typed, ...part })
  const day = (field: 'from' | 'to') => (
    <TextInput
      type="date"
      label={t(`orders.${field}`)}
      value={typed[field]}
      onChange={(event) => put({ [field]: event.currentTarget.value })}
    />
  )
  return (
    <form className={own.filter} aria-label={t('orders.filter')} onSubmit={(event) => event.preventDefault()}>
      <NativeSelect
        label={t('process.filter')}
        value={search.by}
        data={orderFilters.map((one) => ({ value: one, label: t(`process.filter.${one}`) }))}
        onChange={(event) => onSearch({ ...search, by: event.currentTarget.value as OrderFilter })} // one of the options above
      />
      <TextInput
        label={t('process.value')}
        value={search.value}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onSearch({ ...search, value: event.currentTarget.value })}
      />
      {day('from')}
      {day('to')}
      <TextInput
        label={t('field.modality')}
        value={typed.modality}
        maxLength={16}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => put({ modality: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('orders.statusTitle')}
        value={typed.status}
        data={[
          { value: '', label: t('orders.anyStatus') },
          ...shownStatuses.map((one) => ({ value: one, label: statusText(one) })),
          { value: cancelledStatus, label: t('orders.status.CANCELLED') },
        ]}
        onChange={(event) => put({ status: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('orders.exams')}
        value={typed.exams}
        data={[
          { value: '', label: t('orders.anyExams') },
          { value: 'none', label: t('orders.noExam') },
          { value: 'some', label: t('orders.someExams') },
        ]}
        onChange={(event) => put({ exams: event.currentTarget.value as OrderFilters['exams'] })} // one of the options above
      />
      <Button
        variant="default"
        onClick={() => {
          onChange(noOrderFilters)
          onSearch({ ...search, value: '' })
        }}
      >
        {t('users.filterClear')}
      </Button>
    </form>
  )
}
