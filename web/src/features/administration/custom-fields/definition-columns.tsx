import type { CustomFieldOptions } from '@hilum/contract/calls/customfield'
import { ActionIcon } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { t } from '../../../labels/label.ts'
import type { CustomFieldDefinition } from '../../../queries/custom-field-definitions.ts'
import type { GridColumn } from '../../../ui/data-grid.tsx'
import { IconEdit, IconSelector, IconTrash } from '../../../ui/icons.ts'
import table from '../../../ui/row-table.module.css'
import { gateFieldText } from '../gate-field-text.ts'
import { RowAct } from '../grid/row-act.tsx'
import style from '../routing/routing.module.css'
import { accessOf, isOfNominations, objectName, pagesOf, typeName } from './definition-words.ts'

const dragged = 'application/x-custom-field'

interface Given {
  /** Fields of the same object in their order, the given one among them. */
  peersOf: (field: CustomFieldDefinition) => readonly CustomFieldDefinition[]
  /** Undefined where the rows do not stand in their order. */
  onMove: ((field: CustomFieldDefinition, to: number) => void) | undefined
}

export function definitionColumns({ peersOf, onMove }: Given): GridColumn<CustomFieldDefinition>[] {
  return [
    {
      key: 'order',
      title: t('customFields.order'),
      isNarrow: true,
      cell: (field) => {
        const peers = peersOf(field)
        if (onMove) return <Handle field={field} peers={peers} onMove={onMove} />
        return peers.findIndex((one) => one.uuid === field.uuid) + 1 || ''
      },
    },
    {
      key: 'object',
      title: t('customFields.ofWhat'),
      sort: 'object',
      cell: ({ object, gate_key: key }) => (key ? t('customFields.ofNominations') : objectName(object)),
    },
    {
      key: 'name',
      title: t('customFields.name'),
      sort: 'name',
      isName: true,
      cell: (field) => (
        <>
          {field.name} {field.required === 1 && <span className={style.mark}>{t('customFields.required')}</span>}
          {field.gate_key && <span className={table.aside}>{gateFieldText(field.gate_key)}</span>}
          {field.options?.field_label && <span className={table.aside}>{field.options.field_label}</span>}
        </>
      ),
    },
    {
      key: 'type',
      title: t('customFields.type'),
      sort: 'type',
      cell: ({ type, options }) => (
        <>
          {typeName(type)}
          {options?.values && <span className={table.aside}>{fieldChoices(options).join(', ')}</span>}
        </>
      ),
    },
    { key: 'shown', title: t('customFields.shown'), cell: pagesText },
    { key: 'who', title: t('customFields.who'), cell: whoText },
  ]
}

interface DefinitionActs {
  isOff: boolean
  onEdit: (field: CustomFieldDefinition) => void
  onDelete: (field: CustomFieldDefinition) => void
}

export function definitionActs({ isOff, onEdit, onDelete }: DefinitionActs) {
  return (field: CustomFieldDefinition, tabIndex: 0 | -1) => (
    <>
      <RowAct
        tabIndex={tabIndex}
        label={t('customFields.editOne', { name: field.name })}
        icon={IconEdit}
        isOff={isOff}
        onAct={() => onEdit(field)}
      />
      {!field.gate_key && (
        <RowAct
          tabIndex={tabIndex}
          label={t('customFields.deleteOne', { name: field.name })}
          icon={IconTrash}
          onAct={() => onDelete(field)}
        />
      )}
    </>
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
  /** Fields of the same object in their order, this one among them. */
  peers: readonly CustomFieldDefinition[]
  onMove: (field: CustomFieldDefinition, to: number) => void
}

/** Takes a field to another place in the order, by drag onto another row's handle or by the arrow keys. */
function Handle({ field, peers, onMove }: HandleProps) {
  const at = peers.findIndex((one) => one.uuid === field.uuid)
  const [isOver, setIsOver] = useState(false)
  const handleKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(field, at + by)
  }
  return (
    <ActionIcon
      variant="subtle"
      className={style.handle}
      data-over={isOver}
      aria-label={t('customFields.moveOne', { name: field.name, place: at + 1, count: peers.length })}
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
        const moved = peers.find((one) => one.uuid === uuid)
        if (moved && moved.uuid !== field.uuid) onMove(moved, at)
      }}
    >
      <IconSelector size={16} />
    </ActionIcon>
  )
}
