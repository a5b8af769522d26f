import { type CustomFieldOptions, customFieldOptions } from '@hilum/contract/calls/customfield'
import type { CustomField } from '@hilum/contract/entities/page-fields'
import { type DateFormat, formatDate } from '../format/dates.ts'
import { t } from '../labels/label.ts'

/** EXCHANGE-01: whether a field's `ui_json.show_on_pages` names a page; the list comes as a list, or as text with commas. */
export function showsOn({ ui_json: ui }: Pick<CustomField, 'ui_json'>, page: string): boolean {
  return pagesOf(ui)?.includes(page) ?? false
}

/** The summary has what names no page at all, and everything that is filled; other pages have what names them. */
export function fieldsOn<Field extends Pick<CustomField, 'ui_json' | 'value'>>(
  fields: readonly Field[],
  page: 'summary' | 'exchange',
): Field[] {
  return fields.filter((field) => {
    if (page === 'exchange') return showsOn(field, page)
    return field.value !== '' || (pagesOf(field.ui_json)?.includes(page) ?? true)
  })
}

/** The pages that are named; undefined where none is. */
function pagesOf(ui: unknown): string[] | undefined {
  const read = typeof ui === 'string' ? parse(ui) : ui
  if (typeof read !== 'object' || read === null || !('show_on_pages' in read)) return undefined
  const pages = read.show_on_pages
  const names = typeof pages === 'string' ? pages.split(',').map((name) => name.trim()) : pages
  return Array.isArray(names) ? names.map(String) : undefined
}

/** A field's label: that of its options, else its name. */
export function fieldLabel({ name, options }: Pick<CustomField, 'name' | 'options'>): string {
  const label = optionsOf(options)['field_label']
  return typeof label === 'string' && label !== '' ? label : name
}

/** A value as a person reads it, by its type. */
export function fieldText(field: Pick<CustomField, 'type' | 'value' | 'options'>, dateFormat: DateFormat): string {
  const { type, value } = field
  if (value === '') return ''
  if (type === 'date') return formatDate(value.replaceAll('-', ''), dateFormat) || value
  if (type === 'checkbox' || type === 'bool') return t(value === '1' ? 'field.yes' : 'field.no')
  if (type === 'select') return labelOf(field, value)
  if (type === 'multiselect' || type === 'picker' || type === 'radio') {
    return value
      .split(',')
      .map((one) => labelOf(field, one))
      .join(', ')
  }
  return value
}

export function labelOf({ options }: Pick<CustomField, 'options'>, value: string): string {
  const { values, labels } = optionsOf(options)
  const at = Array.isArray(values) ? values.indexOf(value) : -1
  const label: unknown = Array.isArray(labels) ? labels[at] : undefined
  return typeof label === 'string' ? label : value
}

/** A field's options; none when any of them is malformed. */
export function fieldOptions(options: unknown): CustomFieldOptions {
  const read = customFieldOptions.safeParse(optionsOf(options))
  return read.success ? read.data : {}
}

function optionsOf(options: unknown): Record<string, unknown> {
  const read = typeof options === 'string' ? parse(options) : options
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {} // looked at field by field
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // settings of a field that cannot be read show it nowhere
  }
}

/** CONST-07: of the 12 columns of a form those that a field takes, by its `ui_json.grid_columns`; all without it. */
export function columnsOf({ ui_json }: Pick<CustomField, 'ui_json'>): number {
  const columns = Number(optionsOf(ui_json)['grid_columns'])
  return Number.isInteger(columns) && columns >= 1 && columns <= 12 ? columns : 12
}
