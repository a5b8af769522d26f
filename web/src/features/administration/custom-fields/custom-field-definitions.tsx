import { customfieldList, customfieldSet } from '@hilum/contract/calls/customfield'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import {
  type CustomFieldDefinition,
  type DefinitionFilters,
  definitionsPageQuery,
  definitionsQuery,
  noDefinitionFilters,
  useOrderDefinitions,
} from '../../../queries/custom-field-definitions.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid } from '../../../ui/data-grid.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { useGridPage } from '../grid/use-grid-page.ts'
import style from '../routing/routing.module.css'
import { definitionActs, definitionColumns } from './definition-columns.tsx'
import { DefinitionForm } from './definition-form.tsx'
import { filledObjects, objectName } from './definition-words.ts'
import { DeleteDefinition } from './delete-definition.tsx'

/** The fields that an organisation adds to its exams, orders, people and places (ENTITY-30), for those who may see and edit them. */
export function CustomFieldDefinitions() {
  const maySee = useMayCall(customfieldList)
  const mayEdit = useMayCall(customfieldSet)
  return (
    <TitledSection id="custom-fields" title={t('customFields.title')}>
      {maySee && mayEdit ? <Definitions /> : <Banner tone="failed">{t('customFields.notPermitted')}</Banner>}
    </TitledSection>
  )
}

type Opened =
  | { kind: 'form'; field: CustomFieldDefinition | undefined }
  | { kind: 'delete'; field: CustomFieldDefinition }

function Definitions() {
  const { account } = useEstablished()
  const { view, handleView, typed, filters, handleFilter } = useGridPage<DefinitionFilters>({
    name: 'custom_fields',
    sorts: ['object', 'name', 'type'],
    noFilters: noDefinitionFilters,
  })
  const answer = useQuery(definitionsPageQuery(account.uuid, view, filters))
  const { data } = answer
  // the form compares names, and the order counts places, among all fields of an object
  const whole = useQuery(definitionsQuery(account.uuid))
  const { data: all } = whole
  const [opened, setOpened] = useState<Opened>()
  const order = useOrderDefinitions()
  const close = () => setOpened(undefined)
  const peersOf = (field: CustomFieldDefinition) => (all ?? []).filter((one) => one.object === field.object)
  const move = (field: CustomFieldDefinition, to: number) => {
    const peers = peersOf(field)
    if (to < 0 || to >= peers.length || order.isPending) return
    const rest = peers.filter((one) => one.uuid !== field.uuid)
    order.mutate([...rest.slice(0, to), ...peers.filter((one) => one.uuid === field.uuid), ...rest.slice(to)])
  }
  const isOrdered = all !== undefined && view.sort.field === 'object' && filters.name.trim() === ''
  const objects = [...new Set([...filledObjects, ...(all ?? []).map((one) => one.object)])]
  return (
    <>
      <p className={style.lead}>{t('customFields.lead')}</p>
      <div className={style.bar}>
        <div className={style.filters}>
          <TextInput
            size="xs"
            label={t('customFields.find')}
            value={typed.name}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => handleFilter({ ...typed, name: event.currentTarget.value })}
          />
          <NativeSelect
            size="xs"
            label={t('customFields.ofWhat')}
            value={typed.object}
            data={[
              { value: '', label: t('customFields.all') },
              ...objects.map((value) => ({ value, label: objectName(value) })),
            ]}
            onChange={
              (event) => handleFilter({ ...typed, object: event.currentTarget.value as DefinitionFilters['object'] }) // one of the options above
            }
          />
        </div>
        <Button
          size="xs"
          data-adds
          disabled={!all}
          leftSection={<IconPlus size={15} />}
          onClick={() => setOpened({ kind: 'form', field: undefined })}
        >
          {t('customFields.add')}
        </Button>
      </div>
      {order.isError && <Banner tone="failed">{t('customFields.moveFailed')}</Banner>}
      <DataGrid
        texts={gridTexts(
          {
            label: t('customFields.title'),
            failed: t('customFields.failed'),
            empty: t(filters.name || filters.object ? 'customFields.noneFound' : 'customFields.empty'),
          },
          data?.page.total,
        )}
        columns={definitionColumns({ peersOf, onMove: isOrdered ? move : undefined })}
        rows={data?.customfields}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        {...gridPaging(answer, view, handleView)}
        failure={answer.error ?? whole.error}
        onRetry={() => {
          void answer.refetch()
          void whole.refetch()
        }}
        onOpen={(field) => all && setOpened({ kind: 'form', field })}
        acts={definitionActs({
          isOff: !all,
          onEdit: (field) => setOpened({ kind: 'form', field }),
          onDelete: (field) => setOpened({ kind: 'delete', field }),
        })}
      />
      {opened?.kind === 'form' && (
        <DefinitionForm
          field={opened.field}
          others={(all ?? []).filter(({ uuid }) => uuid !== opened.field?.uuid)}
          onSaved={(name) => {
            putNotice(t('customFields.saved', { name }))
            close()
          }}
          onClose={close}
        />
      )}
      {opened?.kind === 'delete' && <DeleteDefinition field={opened.field} onClose={close} />}
    </>
  )
}
