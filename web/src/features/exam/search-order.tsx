import type { Order } from '@hilum/contract/calls/order'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { foundOrdersQuery, type OrderFilter, orderFilters } from '../../queries/processing.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './acts.module.css'
import type { ChosenExam } from './compare-patient.ts'
import { comparedFields } from './demographic-table.tsx'
import panel from './exam-panel.module.css'
import { FactList } from './fact-list.tsx'
import part from './nominate.module.css'
import { ordersFailure } from './orders-tab.tsx'
import { sizeStyle } from './process-steps.ts'
import { shownValue } from './shown-value.ts'

interface SearchOrderProps {
  /** Undefined to send without an order. */
  onChoose: (chosen: ChosenExam | undefined) => void
  onBack: () => void
}

/** PROCESS-07, PROCESS-08: finds the order of an exam by its accession number, the name or the MRN. */
export function SearchOrder({ onChoose, onBack }: SearchOrderProps) {
  const { account } = useEstablished()
  const valueField = useRef<HTMLInputElement>(null)
  const [filter, setFilter] = useState<OrderFilter>('accession_number')
  const [value, setValue] = useState('')
  const [asked, setAsked] = useState({ filter, value: '' })
  const [isMissing, setMissing] = useState(false)
  const { data, error, isFetching } = useQuery(foundOrdersQuery(account.uuid, asked.filter, asked.value))
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(value.trim() === '')
    if (value.trim() === '') valueField.current?.focus()
    else setAsked({ filter, value: value.trim() })
  }
  return (
    <>
      <form className={part.form} aria-label={t('process.step.searchOrder')} noValidate onSubmit={handleSubmit}>
        {isMissing && <Banner tone="failed">{t(`process.provide.${filter}`)}</Banner>}
        <NativeSelect
          label={t('process.filter')}
          value={filter}
          data={orderFilters.map((one) => ({ value: one, label: t(`process.filter.${one}`) }))}
          onChange={(event) => {
            setFilter(event.currentTarget.value as OrderFilter) // one of the options above
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
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <div className={panel.actions}>
          <Button variant="default" onClick={onBack}>
            {t('process.back')}
          </Button>
          <Button type="submit" loading={isFetching}>
            {t('process.search')}
          </Button>
          <Button variant="default" onClick={() => onChoose(undefined)}>
            {t('process.withoutOrder')}
          </Button>
        </div>
      </form>
      {error && <Banner tone="failed">{ordersFailure(error)}</Banner>}
      {isFetching && !data && <LoadingState label={t('process.searching')} />}
      {data && (
        <p className={panel.note} role="status">
          {foundText(data.orders.length, data.hasMore)}
        </p>
      )}
      {data?.orders.map((order) => (
        <FoundOrder key={order.uuid} order={order} onChoose={onChoose} />
      ))}
    </>
  )
}

function foundText(count: number, hasMore: boolean): string {
  if (count === 0) return t('process.noOrders')
  return t(hasMore ? 'process.foundFirst' : 'process.found', { count })
}

function FoundOrder({ order, onChoose }: { order: Partial<Order> } & Pick<SearchOrderProps, 'onChoose'>) {
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

/** The orders found, as a table of its own with the button that takes it. */
export function ExamChoice(props: {
  chosen: ChosenExam
  label: string
  onChoose: (chosen: ChosenExam) => void
  onDetails?: () => void
  children?: ReactNode
}) {
  const { chosen, label, onChoose, onDetails, children } = props
  const { dateFormat } = usePreferences()
  return (
    <div className={part.choice} style={sizeStyle('nomination')}>
      <table className={`${style.table} ${part.compared}`} aria-label={label}>
        <tbody>
          {comparedFields.map(([field, name]) => (
            <tr key={field}>
              <th scope="row">{t(name)}</th>
              <td>{shownValue(field, chosen[field], dateFormat)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={panel.actions}>
        <Button
          size="compact-sm"
          aria-label={t('process.selectOf', { name: label, accession: chosen.accession_number || t('field.none') })}
          onClick={() => onChoose(chosen)}
        >
          {t('process.select')}
        </Button>
        {onDetails && (
          <Button size="compact-sm" variant="default" onClick={onDetails}>
            {t('process.detail')}
          </Button>
        )}
      </div>
      {children}
    </div>
  )
}

function examOfOrder(order: Partial<Order>): ChosenExam {
  const [step] = order.sps ?? []
  return {
    kind: 'order',
    ...(order.uuid ? { orderId: order.uuid } : {}),
    patient_name: order.patient_name ?? '',
    patient_birth_date: order.patient_birth_date ?? '',
    patient_sex: order.patient_sex ?? '',
    patientid: order.patientid ?? '',
    accession_number: order.accession_number ?? '',
    study_description: step?.requested_procedure_description || step?.scheduled_procedure_step_description || '',
  }
}
