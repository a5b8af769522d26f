import '@mantine/core/styles/Tooltip.layer.css'
import { type CustomFieldDefinition, customfieldList } from '@hilum/contract/calls/customfield'
import { ActionIcon, Checkbox, NativeSelect, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type KeyboardEvent, useState } from 'react'
import { Textarea, TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { type PlaceValues, writtenLines } from '../../../queries/account-groups.ts'
import { definitionsQuery } from '../../../queries/custom-field-definitions.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { HeardOnly } from '../../../ui/heard-only.tsx'
import { IconArrowDown, IconArrowUp, IconX } from '../../../ui/icons.ts'
import style from '../users/users.module.css'
import row from './nomination-fields.module.css'

interface NominationFieldsProps {
  values: PlaceValues
  onChange: (part: Partial<PlaceValues>) => void
}

/** The fields that a nomination asks for: their order by drag or by keys, and the form as the nominator sees it. */
export function NominationFields({ values, onChange }: NominationFieldsProps) {
  const { account } = useEstablished()
  const maySee = useMayCall(customfieldList)
  const { data, isLoadingError } = useQuery({ ...definitionsQuery(account.uuid), enabled: maySee })
  const { formFields } = values
  const fields = (data ?? []).filter((one) => one.object === 'Study')
  const put = (next: string[]) => onChange({ formFields: next })
  const gone = data ? formFields.filter((uuid) => !fields.some((one) => one.uuid === uuid)).length : 0
  // the gate writes its own fields, but for the priority
  const isOwn = ({ gate_key: key }: CustomFieldDefinition) => key !== '' && key !== 'priority'
  const rest = fields.filter((one) => !formFields.includes(one.uuid) && !isOwn(one))
  return (
    <fieldset className={style.part}>
      <legend>{t('groups.formPart')}</legend>
      {!maySee && <p className={style.hint}>{t('groups.fieldsHidden')}</p>}
      {isLoadingError && <Banner tone="failed">{t('groups.fieldsFailed')}</Banner>}
      {maySee && !data && !isLoadingError && <p className={style.hint}>{t('loading')}</p>}
      {gone > 0 && <Banner tone="failed">{t('groups.fieldsGone', { count: gone })}</Banner>}
      {data && (
        <>
          <p className={style.hint}>{t('groups.formText')}</p>
          <FieldOrder fields={fields} chosen={formFields} onChange={put} />
          <NativeSelect
            label={t('groups.addField')}
            value=""
            disabled={rest.length === 0}
            data={[
              { value: '', label: t(rest.length === 0 ? 'groups.noFieldLeft' : 'groups.chooseField') },
              ...rest.map((one) => ({ value: one.uuid, label: labelOfField(one) })),
            ]}
            onChange={({ currentTarget: { value } }) => value && put([...formFields, value])}
          />
          <Preview
            fields={formFields.flatMap((uuid) => fields.find((one) => one.uuid === uuid) ?? [])}
            priorities={writtenLines(values.priorities)}
          />
        </>
      )}
    </fieldset>
  )
}

interface FieldOrderProps {
  fields: readonly CustomFieldDefinition[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

function FieldOrder({ fields, chosen, onChange }: FieldOrderProps) {
  const [dragged, setDragged] = useState('')
  const [moved, setMoved] = useState('')
  const put = (uuid: string, to: number) => {
    if (to < 0 || to >= chosen.length) return
    onChange(chosen.filter((one) => one !== uuid).toSpliced(to, 0, uuid))
    setMoved(t('groups.fieldMoved', { name: nameOf(uuid), place: to + 1, all: chosen.length }))
  }
  const nameOf = (uuid: string) => {
    const field = fields.find((one) => one.uuid === uuid)
    return field ? labelOfField(field) : t('groups.fieldGone', { id: uuid.slice(0, 8) })
  }
  const handleKey = (event: KeyboardEvent, uuid: string, at: number) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    put(uuid, event.key === 'ArrowUp' ? at - 1 : at + 1)
  }
  if (chosen.length === 0) return <p className={style.hint}>{t('groups.formEmpty')}</p>
  return (
    <>
      <ol className={row.list} aria-label={t('groups.formOrder')}>
        {chosen.map((uuid, at) => {
          const name = nameOf(uuid)
          const isRequired = fields.find((one) => one.uuid === uuid)?.required === 1
          return (
            <li
              key={uuid}
              className={row.field}
              data-dragged={dragged === uuid}
              draggable
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move'
                setDragged(uuid)
              }}
              onDragEnd={() => setDragged('')}
              onDragOver={(event) => dragged !== '' && event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged !== '') put(dragged, at)
                setDragged('')
              }}
              onKeyDown={(event) => handleKey(event, uuid, at)}
            >
              <span className={row.name}>
                {name}
                {isRequired && <span className={style.mark}>{t('groups.fieldRequired')}</span>}
              </span>
              <Move
                label={t('groups.fieldUp', { name })}
                icon={IconArrowUp}
                isOff={at === 0}
                onAct={() => put(uuid, at - 1)}
              />
              <Move
                label={t('groups.fieldDown', { name })}
                icon={IconArrowDown}
                isOff={at === chosen.length - 1}
                onAct={() => put(uuid, at + 1)}
              />
              <Move
                label={t('groups.fieldOut', { name })}
                icon={IconX}
                onAct={() => onChange(chosen.filter((one) => one !== uuid))}
              />
            </li>
          )
        })}
      </ol>
      <p className={row.told} role="status">
        <HeardOnly>{moved}</HeardOnly>
      </p>
    </>
  )
}

interface MoveProps {
  label: string
  icon: ComponentType<{ size: number }>
  isOff?: boolean
  onAct: () => void
}

/** A button that stays in the order of keys at the ends of the list, so that the focus is not lost there. */
function Move({ label, icon: Icon, isOff = false, onAct }: MoveProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        aria-disabled={isOff}
        data-disabled={isOff || undefined}
        onClick={() => !isOff && onAct()}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

function labelOfField({ name, options }: CustomFieldDefinition): string {
  return options?.field_label || name
}

/** The form as the nominator sees it, to be looked at. */
function Preview({ fields, priorities }: { fields: readonly CustomFieldDefinition[]; priorities: readonly string[] }) {
  if (fields.length === 0) return null
  return (
    <div className={row.preview} role="group" aria-label={t('groups.preview')}>
      <p className={row.title}>{t('groups.preview')}</p>
      {fields.map((field) => (
        <PreviewField key={field.uuid} field={field} priorities={priorities} />
      ))}
    </div>
  )
}

function PreviewField({ field, priorities }: { field: CustomFieldDefinition; priorities: readonly string[] }) {
  const label = labelOfField(field)
  const common = { label, required: field.required === 1, disabled: true, description: field.options?.hint }
  if (field.type === 'memo') return <Textarea {...common} rows={2} />
  if (field.type === 'checkbox' || field.type === 'bool') return <Checkbox size="xs" disabled label={label} />
  const isPriority = field.gate_key === 'priority'
  const values = isPriority ? priorities : (field.options?.values ?? [])
  if (values.length === 0) return <TextInput {...common} />
  const choices = t('groups.previewChoose', { count: values.length })
  return <NativeSelect {...common} data={[isPriority ? `${choices}: ${values.join(', ')}` : choices]} />
}
