import type { CustomFieldOptions } from '@hilum/contract/calls/customfield'
import { ActionIcon } from '@mantine/core'
import { type KeyboardEvent, useId, useState } from 'react'
import { t } from '../../../labels/label.ts'
import { type CustomFieldDefinition, useOrderDefinitions } from '../../../queries/custom-field-definitions.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { HeardOnly } from '../../../ui/heard-only.tsx'
import { IconEdit, IconSelector, IconTrash } from '../../../ui/icons.ts'
import table from '../../../ui/row-table.module.css'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { gateFieldText } from '../gate-field-text.ts'
import { RowAct } from '../grid/row-act.tsx'
import style from '../routing/routing.module.css'
import { accessOf, isOfNominations, pagesOf, typeName } from './definition-words.ts'

const dragged = 'application/x-custom-field'

interface DefinitionTableProps {
  title: string
  /** Fields of one object, in their order. */
  fields: readonly CustomFieldDefinition[]
  onEdit: (field: CustomFieldDefinition) => void
  onDelete: (field: CustomFieldDefinition) => void
}

export function DefinitionTable({ title, fields, onEdit, onDelete }: DefinitionTableProps) {
  const { account } = useEstablished()
  const order = useOrderDefinitions(account.uuid)
  const id = useId()
  const move = (uuid: string, to: number) => {
    const moved = fields.find((one) => one.uuid === uuid)
    if (!moved || to < 0 || to >= fields.length || order.isPending) return
    const rest = fields.filter((one) => one !== moved)
    order.mutate([...rest.slice(0, to), moved, ...rest.slice(to)])
  }
  return (
    <TitledSection id={id} title={title} level={3}>
      {order.isError && <Banner tone="failed">{t('customFields.moveFailed')}</Banner>}
      <table className={table.table} aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{t('customFields.order')}</th>
            <th scope="col">{t('customFields.name')}</th>
            <th scope="col">{t('customFields.type')}</th>
            <th scope="col">{t('customFields.shown')}</th>
            <th scope="col">{t('customFields.who')}</th>
            <th scope="col" data-acts>
              <HeardOnly>{t('users.acts')}</HeardOnly>
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field, at) => (
            <tr key={field.uuid}>
              <td data-icon>
                <Handle field={field} at={at} count={fields.length} onMove={move} />
              </td>
              <th scope="row">
                {field.name} {field.required === 1 && <span className={style.mark}>{t('customFields.required')}</span>}
                {field.gate_key && <span className={table.aside}>{gateFieldText(field.gate_key)}</span>}
                {field.options?.field_label && <span className={table.aside}>{field.options.field_label}</span>}
              </th>
              <td>
                {typeName(field.type)}
                {field.options?.values && <span className={table.aside}>{fieldChoices(field.options).join(', ')}</span>}
              </td>
              <td>{pagesText(field)}</td>
              <td>{whoText(field)}</td>
              <td data-acts>
                <div className={style.buttons}>
                  <RowAct
                    label={t('customFields.editOne', { name: field.name })}
                    icon={IconEdit}
                    tabIndex={0}
                    onAct={() => onEdit(field)}
                  />
                  {!field.gate_key && (
                    <RowAct
                      label={t('customFields.deleteOne', { name: field.name })}
                      icon={IconTrash}
                      tabIndex={0}
                      onAct={() => onDelete(field)}
                    />
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TitledSection>
  )
}

function whoText(field: CustomFieldDefinition): string {
  const access = accessOf(field)
  return t(
    isOfNominations(field) && access !== 'H' ? 'customFields.nominationsWrite' : `customFields.whoMark.${access}`,
  )
}

/** The choices in the words that are shown. */
function fieldChoices({ values = [], labels = [] }: CustomFieldOptions): string[] {
  return values.map((value, at) => labels[at] ?? value)
}

function pagesText(field: CustomFieldDefinition): string {
  if (field.object !== 'Study') return ''
  const pages = pagesOf(field)
  if (pages.length === 0) return t('customFields.page.none')
  return pages.map((page) => t(`customFields.page.${page}`)).join(', ')
}

interface HandleProps {
  field: CustomFieldDefinition
  at: number
  count: number
  onMove: (uuid: string, to: number) => void
}

/** Takes a field to another place in the order, by drag onto another row's handle or by the arrow keys. */
function Handle({ field, at, count, onMove }: HandleProps) {
  const [isOver, setIsOver] = useState(false)
  const handleKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(field.uuid, at + by)
  }
  return (
    <ActionIcon
      variant="subtle"
      className={style.handle}
      data-over={isOver}
      aria-label={t('customFields.moveOne', { name: field.name, place: at + 1, count })}
      draggable
      onKeyDown={handleKeyDown}
      onDragStart={(event) => event.dataTransfer.setData(dragged, field.uuid)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(dragged)) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        const uuid = event.dataTransfer.getData(dragged)
        if (uuid && uuid !== field.uuid) onMove(uuid, at)
      }}
    >
      <IconSelector size={16} />
    </ActionIcon>
  )
}
