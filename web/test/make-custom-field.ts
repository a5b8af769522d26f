import type { CustomField } from '@hilum/contract/entities/page-fields'

/** A custom field of an object, a line of text that nobody filled. */
export function makeCustomField(uuid: string, name: string, given: Partial<CustomField> = {}): CustomField {
  return { uuid, name, type: 'text', value: '', required: 0, options: null, ui_json: null, ...given }
}
