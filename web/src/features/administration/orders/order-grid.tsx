import { orderSet } from '@hilum/contract/calls/order'
import { useDebouncedValue } from '@mantine/hooks'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DateFormat } from '../../../format/dates.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import { useLiveOrders } from '../../../queries/live-orders.ts'
import {
  noOrderFilters,
  type Order,
  type OrderSearch,
  ordersQuery,
  useCancelOrder,
  useDeleteOrder,
} from '../../../queries/orders.ts'
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
import { OrderFilterForm } from './order-filter-form.tsx'
import { OrderDetails } from './order-details.tsx'
import { OrderForm } from './order-form.tsx'
import { type OrderAct, orderRowActs } from './order-row-acts.tsx'
import {
  firstStep,
  orderFault,
  orderStatusText,
  procedureText,
  sourceText,
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
  useLiveOrders()
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
  const cancel = useCancelOrder()
  const [cancelled, setCancelled] = useState<Order>()
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
  const handleCancel = (order: Order) => {
    setFault('')
    const onError = (failure: unknown) => setFault(orderFault(failure).text)
    cancel.mutate({ uuid: order.uuid }, { onSuccess: () => setCancelled(order), onError })
  }
  const handleRevive = ({ uuid }: Order) => {
    setFault('')
    const onSuccess = () => {
      setCancelled((one) => (one?.uuid === uuid ? undefined : one))
      putNotice(t('orders.revived'))
    }
    cancel.mutate({ uuid, undo: 1 }, { onSuccess, onError: (failure) => setFault(orderFault(failure).text) })
  }
  const handleAct = (kind: OrderAct, order: Order) => {
    if (kind === 'cancel') handleCancel(order)
    else if (kind === 'revive') handleRevive(order)
    else setOpened({ kind, order })
  }
  return (
    <>
      <p className={style.lead}>{t('orders.lead')}</p>
      <OrderFilterForm typed={typed} search={search} onChange={handleFilter} onSearch={handleSearch} />
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
      {mayEdit && cancelled && (
        <Banner
          tone="neutral"
          action={
            <Button
              size="compact-sm"
              variant="default"
              loading={cancel.isPending}
              onClick={() => handleRevive(cancelled)}
            >
              {t('orders.undo')}
            </Button>
          }
        >
          {t('orders.cancelledOne', { name: nameOf(cancelled) })}
        </Banner>
      )}
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
          acts={orderRowActs({ mayEdit, nameOf, onAct: handleAct })}
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
    cell: orderStatusText,
  },
  {
    key: 'exams',
    title: t('orders.exams'),
    cell: ({ study_count: count }) => (count > 0 ? t('orders.examCount', { count }) : t('orders.noExam')),
  },
  { key: 'source', title: t('orders.sourceTitle'), cell: (order) => sourceText(order.source) },
]
