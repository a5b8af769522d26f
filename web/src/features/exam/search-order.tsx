import { destinationSearch } from '@hilum/contract/calls/retrieve'
import { type Order, orderList } from '@hilum/contract/calls/order'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import type { Study } from '@hilum/contract/entities/study'
import { usePlaceFlags } from '../../queries/namespaces.ts'
import { foundOrdersQuery, type OrderFilter, type OrderSearch, orderFilters } from '../../queries/orders.ts'
import type { Gate } from '../../queries/processing.ts'
import { useAskSearches } from '../../queries/retrieve.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { mayCall, useMayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { examOfOrder } from './chosen-exam.ts'
import type { ChosenExam } from './compare-patient.ts'
import { comparedFields } from './demographic-table.tsx'
import { ExamChoice } from './exam-choice.tsx'
import panel from './exam-panel.module.css'
import { FactList } from './fact-list.tsx'
import part from './nominate.module.css'
import { ordersFailure } from './orders-tab.tsx'
import { shownValue } from './shown-value.ts'
import { WorklistAnswers } from './worklist-answers.tsx'

interface SearchOrderProps {
  study: Study
  gate: Gate
  /** The search that the person made last, which is made again. */
  kept: OrderSearch | undefined
  /** The fields as the person left them. */
  typed: OrderSearch | undefined
  onType: (typed: OrderSearch) => void
  onSearch: (search: OrderSearch) => void
  /** Undefined to send without an order. */
  onChoose: (chosen: ChosenExam | undefined) => void
  onBack: () => void
}

/**
 * PROCESS-07, PROCESS-08: finds the order of an exam by its accession number, the name or the MRN, among the orders here
 * and in the worklists of destinations.
 */
export function SearchOrder({ study, gate, kept, typed, onType, onSearch, onChoose, onBack }: SearchOrderProps) {
  const { account } = useEstablished()
  const valueField = useRef<HTMLInputElement>(null)
  const { by: filter, value } = typed ?? kept ?? { by: 'accession_number' as const, value: '' }
  const [asked, setAsked] = useState({ filter: kept?.by ?? filter, value: kept?.value ?? '' })
  const [isMissing, setMissing] = useState(false)
  const maySeeOrders = useMayCall(orderList)
  const found = foundOrdersQuery(account.uuid, asked.filter, asked.value)
  const { data, error, isFetching } = useQuery({ ...found, enabled: maySeeOrders && asked.value !== '' })
  const placeFlags = usePlaceFlags()
  const worklists = useAskSearches(study.phi_namespace)
  const asksWorklists = gate.worklists.length > 0 && mayCall(destinationSearch, placeFlags(study))
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(value.trim() === '')
    if (value.trim() === '') valueField.current?.focus()
    else {
      setAsked({ filter, value: value.trim() })
      onSearch({ by: filter, value: value.trim() })
      askWorklists(value.trim())
    }
  }
  const askWorklists = (wanted: string) => {
    if (asksWorklists) worklists.mutate({ places: gate.worklists, fields: { [filter]: wanted, worklist: 1 } })
  }
  const askAgain = useEffectEvent(() => {
    if (kept) askWorklists(kept.value)
  })
  useEffect(() => askAgain(), [])
  return (
    <>
      <form className={part.form} aria-label={t('process.step.searchOrder')} noValidate onSubmit={handleSubmit}>
        {isMissing && <Banner tone="failed">{t(`process.provide.${filter}`)}</Banner>}
        <div className={part.search}>
          <NativeSelect
            label={t('process.filter')}
            value={filter}
            data={orderFilters.map((one) => ({ value: one, label: t(`process.filter.${one}`) }))}
            onChange={(event) => {
              onType({ by: event.currentTarget.value as OrderFilter, value }) // one of the options above
              setMissing(false)
            }}
          />
          <TextInput
            ref={valueField}
            label={t('process.value')}
            value={value}
            aria-invalid={isMissing}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onType({ by: filter, value: event.currentTarget.value })}
          />
          <Button type="submit" loading={isFetching}>
            {t('process.search')}
          </Button>
        </div>
      </form>
      {!maySeeOrders && <Banner tone="neutral">{t('orders.notPermitted')}</Banner>}
      {error && <Banner tone="failed">{ordersFailure(error)}</Banner>}
      {isFetching && !data && <LoadingState label={t('process.searching')} isNamed />}
      {data && (
        <p className={panel.note} role="status">
          {foundText(data.orders.length, data.hasMore)}
        </p>
      )}
      {data?.orders.map((order) => (
        <FoundOrder key={order.uuid} order={order} onChoose={onChoose} />
      ))}
      {asked.value !== '' && worklists.data && (
        <WorklistAnswers searches={worklists.data} above={(data?.orders ?? []).map(examOfOrder)} onChoose={onChoose} />
      )}
      <div className={panel.actions}>
        <Button variant="default" onClick={onBack}>
          {t('process.back')}
        </Button>
        <Button variant="default" onClick={() => onChoose(undefined)}>
          {t('process.withoutOrder')}
        </Button>
      </div>
    </>
  )
}

function foundText(count: number, hasMore: boolean): string {
  if (count === 0) return t('process.noOrders')
  return t(hasMore ? 'process.foundFirst' : 'process.found', { count })
}

function FoundOrder({ order, onChoose }: { order: Partial<Order> } & { onChoose: (chosen: ChosenExam) => void }) {
  const { dateFormat, timeZone } = usePreferences()
  const [isOpen, setOpen] = useState(false)
  const chosen = examOfOrder(order)
  const name = nameText(chosen.patient_name) || t('card.noName')
  return (
    <ExamChoice chosen={chosen} label={name} onChoose={onChoose} onDetails={() => setOpen(true)}>
      {isOpen && (
        <Dialog title={name} closeLabel={t('button.close')} onClose={() => setOpen(false)}>
          <FactList
            facts={[
              ...comparedFields.map(([field, label]): [string, string] => [
                t(label),
                shownValue(field, chosen[field], dateFormat),
              ]),
              [t('orders.order'), order.order_number ?? ''],
              [t('field.referring'), nameText(order.referring_physician ?? '')],
              [t('process.orderCreated'), formatStamp(order.created, dateFormat, timeZone)],
            ]}
          />
        </Dialog>
      )}
    </ExamChoice>
  )
}
