import {
  choosingTypes,
  type CustomFieldObject,
  type CustomFieldType,
  maxCustomFieldLength,
} from '@hilum/contract/calls/customfield'
import type { FieldAccess } from '@hilum/contract/study-field-access'
import { t } from '../../../labels/label.ts'
import type { CustomFieldDefinition, DefinitionValues } from '../../../queries/custom-field-definitions.ts'
import { fromLines, toLines } from './choice-lines.ts'
import { accessOf, type FieldPage, pagesOf } from './definition-words.ts'

/** A definition as its form holds it. */
export interface DefinitionDraft {
  name: string
  shownName: string
  object: CustomFieldObject
  type: CustomFieldType
  hint: string
  /** One choice on each line. */
  choices: string
  longest: string
  noFuture: boolean
  required: boolean
  /** Asked of whoever sends by a share code. */
  captured: boolean
  pages: FieldPage[]
  access: FieldAccess
}

export function definitionDraft(field: CustomFieldDefinition | undefined): DefinitionDraft {
  const options = field?.options ?? {}
  const { forbid_future_dates: future } = options
  return {
    name: field?.name ?? '',
    shownName: options.field_label ?? '',
    object: field?.object ?? 'Study',
    type: field?.type ?? 'text',
    hint: options.hint ?? '',
    choices: toLines(options),
    longest: options.max_length === undefined ? '' : String(options.max_length),
    noFuture: future === true || Number(future) === 1,
    required: field?.required === 1,
    captured: field?.capture_on_share_code === 1,
    pages: field ? pagesOf(field) : ['summary'],
    access: field ? accessOf(field) : 'F',
  }
}

const several: ReadonlySet<CustomFieldType> = new Set(['multiselect', 'picker'])
const written: ReadonlySet<CustomFieldType> = new Set(['text', 'memo', 'search'])

export const takesChoices = ({ type }: DefinitionDraft) => choosingTypes.has(type)
export const takesLength = ({ type }: DefinitionDraft) => written.has(type)

export interface DraftFaults {
  name?: string
  choices?: string
  longest?: string
}

/** Faults of a draft beside the other fields of its account. @param field as it was opened; undefined for a new one */
export function faultsOf(
  draft: DefinitionDraft,
  others: readonly CustomFieldDefinition[],
  field: CustomFieldDefinition | undefined,
): DraftFaults {
  const name = draft.name.trim().toLowerCase()
  const isTaken = others.some((one) => one.object === draft.object && one.name.trim().toLowerCase() === name)
  const choices = takesChoices(draft) ? faultOfChoices(draft, field) : ''
  const isLength = draft.longest === '' || /^[1-9]\d{0,4}$/.test(draft.longest.trim())
  return {
    ...(name === '' ? { name: t('customFields.nameMissing') } : {}),
    ...(name !== '' && isTaken ? { name: t('customFields.nameTaken') } : {}),
    ...(choices ? { choices } : {}),
    ...(takesLength(draft) && (!isLength || Number(draft.longest) > maxCustomFieldLength)
      ? { longest: t('customFields.longestWrong', { most: maxCustomFieldLength }) }
      : {}),
  }
}

function faultOfChoices(draft: DefinitionDraft, field: CustomFieldDefinition | undefined): string {
  const { values } = fromLines(draft.choices, field?.options ?? {})
  if (values.length === 0 || values.includes('')) return t('customFields.choicesMissing')
  const twice = values.find((value, at) => values.indexOf(value) !== at)
  if (twice !== undefined) return t('customFields.choicesTwice', { name: twice })
  const split = several.has(draft.type) ? values.find((value) => value.includes(',')) : undefined
  return split === undefined ? '' : t('customFields.choicesComma', { name: split })
}

/** The values to send; options and settings of pages that the form does not know stay as they are. */
export function valuesOf(draft: DefinitionDraft, field: CustomFieldDefinition | undefined): DefinitionValues {
  const {
    values: _values,
    labels: _labels,
    field_label: _label,
    hint: _hint,
    max_length: _most,
    ...rest
  } = field?.options ?? {}
  const { forbid_future_dates: _future, ...options } = rest
  const { values, labels } = fromLines(draft.choices, field?.options ?? {})
  const shownName = draft.shownName.trim()
  const hint = draft.hint.trim()
  return {
    name: draft.name.trim(),
    object: draft.object,
    type: draft.type,
    required: draft.required ? 1 : 0,
    ...(draft.object === 'Study' ? { capture_on_share_code: draft.captured ? 1 : 0 } : {}),
    field_flag: draft.access,
    options: {
      ...options,
      ...(takesChoices(draft) ? { values, labels } : {}),
      ...(shownName ? { field_label: shownName } : {}),
      ...(hint ? { hint } : {}),
      ...(takesLength(draft) && draft.longest !== '' ? { max_length: Number(draft.longest) } : {}),
      ...(draft.type === 'date' && draft.noFuture ? { forbid_future_dates: 1 } : {}),
    },
    ui_json: { ...field?.ui_json, show_on_pages: draft.pages },
  }
}
