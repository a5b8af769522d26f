import { orderSet } from '@hilum/contract/calls/order'
import { useDebouncedValue } from '@mantine/hooks'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DateFormat } from '../../../format/dates.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import {
  noOrderFilters,
  type Order,
  type OrderFilters,
  type OrderSearch,
  ordersQuery,
  useDeleteOrder,
} from '../../../queries/orders.ts'
import { type OrderFilter, orderFilters } from '../../../queries/processing.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { AskDialog } from '../grid/ask-dialog.tsx'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import style from '../users/users.module.css'
import { OrderDetails } from './order-details.tsx'
import { OrderForm } from './order-form.tsx'
import { orderRowActs } from './order-row-acts.tsx'
import {
  firstStep,
  orderFault,
  procedureText,
  shownStatuses,
  sourceText,
  statusText,
  todaysStatus,
  whenText,
} from './order-words.ts'
import own from './orders.module.css'

const filterAfterMs = 300

type Opened = { kind: 'form'; order: Order | undefined } | { kind: 'details' | 'delete'; order: Order }

/** Orders in rows, found by patient, date, status and modality; entered, changed and deleted by those who may. */
export function OrderGrid() {
  const { account } = useEstablished()
  const { dateFormat } = usePreferences()
  const mayEdit = useMayCall(orderSet)
  const { view, handleView, typed, filters, handleFilter, countInForce } = useGridPage({
    name: 'orders',
    sorts: ['created', 'patient_name', 'patientid', 'accession_number', 'scheduled_procedure_step_start_date'],
    isNewestFirst: true,
    noFilters: noOrderFilters,
    renew: (stored) => ({ ...stored, status: todaysStatus(stored.status) }),
  })
  // names and numbers of patients stand in no address
  const [search, setSearch] = useState<OrderSearch>({ by: 'patient_name', value: '' })
  const [value] = useDebouncedValue(search.value.trim(), filterAfterMs)
  const [opened, setOpened] = useState<Opened>()
  const [fault, setFault] = useState('')
  const answer = useQuery(ordersQuery(account.uuid, view, filters, { by: search.by, value }))
  const remove = useDeleteOrder()
  const { data } = answer
  const close = () => setOpened(undefined)
  const handleSearch = (next: OrderSearch) => {
    setSearch(next)
    if (view.page > 1) handleView({ ...view, page: 1 })
  }
  const handleDelete = (order: Order) => {
    setFault('')
    remove.mutate(order.uuid, {
      onSuccess: () => putNotice(t('orders.deleted')),
      onError: (failure) => setFault(orderFault(failure).text),
      onSettled: close,
    })
  }
  return (
    <>
      <p className={style.lead}>{t('orders.lead')}</p>
      <Filter typed={typed} search={search} onChange={handleFilter} onSearch={handleSearch} />
      {mayEdit && (
        <div className={style.bar}>
          <Button
            size="xs"
            leftSection={<IconPlus size={15} />}
            onClick={() => setOpened({ kind: 'form', order: undefined })}
          >
            {t('orders.add')}
          </Button>
        </div>
      )}
      {fault && <Banner tone="failed">{fault}</Banner>}
      <div className={own.scroll}>
        <DataGrid
          texts={gridTexts(
            {
              label: t('orders.title'),
              failed: t('orders.failed'),
              empty: t(countInForce > 0 || value ? 'orders.notFound' : 'orders.empty'),
            },
            data?.page.total,
          )}
          columns={columnsOf(dateFormat)}
          rows={data?.orders}
          keyOf={(one) => one.uuid}
          nameOf={nameOf}
          {...gridPaging(answer, view, handleView)}
          onOpen={(order) => setOpened({ kind: 'details', order })}
          acts={orderRowActs({ mayEdit, nameOf, onAct: (kind, order) => setOpened({ kind, order }) })}
        />
      </div>
      {opened?.kind === 'details' && <OrderDetails order={opened.order} onClose={close} />}
      {opened?.kind === 'form' && (
        <OrderForm
          order={opened.order}
          onSaved={() => {
            close()
            putNotice(t('orders.saved'))
          }}
          onClose={close}
        />
      )}
      {opened?.kind === 'delete' && (
        <AskDialog
          title={t('orders.askDelete')}
          text={t('orders.deleteText', { name: nameOf(opened.order) })}
          act={t('users.delete')}
          isBusy={remove.isPending}
          onAct={() => handleDelete(opened.order)}
          onClose={close}
        />
      )}
    </>
  )
}

function nameOf({ patient_name: name, accession_number: accession }: Order): string {
  return [nameText(name) || t('card.noName'), accession].filter(Boolean).join(', ')
}

const columnsOf = (dateFormat: DateFormat): GridColumn<Order>[] => [
  {
    key: 'patient',
    title: t('orders.patient'),
    sort: 'patient_name',
    isName: true,
    cell: (order) => nameText(order.patient_name) || t('card.noName'),
  },
  { key: 'mrn', title: t('field.mrn'), sort: 'patientid', cell: (order) => order.patientid },
  {
    key: 'accession',
    title: t('field.accession'),
    sort: 'accession_number',
    cell: (order) => order.accession_number,
  },
  {
    key: 'procedure',
    title: t('orders.procedure'),
    cell: (order) => (
      <>
        {procedureText(firstStep(order))}
        <div className={own.note}>{firstStep(order)?.modality}</div>
      </>
    ),
  },
  {
    key: 'when',
    title: t('orders.step'),
    sort: 'scheduled_procedure_step_start_date',
    cell: (order) => (
      <>
        <span className={style.stamp}>{whenText(firstStep(order), dateFormat)}</span>
        <div className={own.note}>{firstStep(order)?.scheduled_station_aetitle}</div>
      </>
    ),
  },
  {
    key: 'status',
    title: t('orders.statusTitle'),
    cell: (order) => {
      const step = firstStep(order)
      return step ? statusText(step.mpps_status) : t('orders.noStep')
    },
  },
  {
    key: 'exams',
    title: t('orders.exams'),
    cell: ({ study_count: count }) => (count > 0 ? t('orders.examCount', { count }) : t('orders.noExam')),
  },
  { key: 'source', title: t('orders.sourceTitle'), cell: (order) => sourceText(order.source) },
]

interface FilterProps {
  typed: OrderFilters
  search: OrderSearch
  onChange: (filters: OrderFilters) => void
  onSearch: (search: OrderSearch) => void
}

function Filter({ typed, search, onChange, onSearch }: FilterProps) {
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
