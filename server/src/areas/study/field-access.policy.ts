import type { StudyDicomField } from '@hilum/contract/entities/study'
import { ApiError } from '@hilum/contract/errors'
import type { FilterTerm } from '@hilum/contract/list'
import { customFieldAccessOf, type FieldFlags, fieldAccessOf, narrowedFields } from '@hilum/contract/study-field-access'
import type { FieldValue } from '../customfield/field-values.policy.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'

/** Fields that tell of a field besides itself. */
const tellingToo: Readonly<Record<string, readonly string[]>> = {
  patientid: ['issuer', 'patientid_other', 'medical_record_locator'],
  patient_name: [
    'patient_name_other',
    'patient_birthname',
    'patient_mother_birthname',
    'patient_address',
    'patient_phone',
    'patient_comments',
    'patient_additional_history',
  ],
  study_date: ['study_time'],
  patient_birth_date: ['patient_birth_time'],
}
/** Fields that a search in one box looks at. */
const smartFields = ['patient_name', 'patientid', 'accession_number']

/** The wire's names of what this role may not see of a study. */
export function hiddenFields(flags: FieldFlags): string[] {
  return narrowedFields
    .filter((field) => fieldAccessOf(flags, field) === 'H')
    .flatMap((field) => [field, ...(tellingToo[field] ?? [])])
}

/** The custom fields that this role may not see. */
export function hiddenCustomFields(flags: FieldFlags, definitions: readonly CustomFieldRow[]): CustomFieldRow[] {
  return definitions.filter((one) => customFieldAccessOf(flags, one) === 'H')
}

/** Whether a search asks about something that this role may not see: its answer would tell. */
export function asksHidden(
  flags: FieldFlags,
  { field }: Pick<FilterTerm, 'field'>,
  definitions: readonly CustomFieldRow[],
): boolean {
  const custom = /^customfield-(.+)$/.exec(field.toLowerCase())?.[1]
  if (custom) {
    const definition = definitions.find((one) => one.uuid === custom)
    return customFieldAccessOf(flags, definition ?? { uuid: custom }) === 'H'
  }
  const asked = field === 'SMART_SEARCH' ? smartFields : [field]
  const hidden = hiddenFields(flags)
  return asked.some((one) => hidden.includes(one))
}

/**
 * Refuses changes of what this role may only read or not even see, and clearing what it must fill.
 * @throws ApiError NOT_PERMITTED, MISSING_FIELDS with the names of the fields
 */
export function demandFieldAccess(
  flags: FieldFlags,
  tags: Partial<Record<StudyDicomField, string>>,
  values: readonly FieldValue[],
  definitions: readonly CustomFieldRow[],
): void {
  const hidden = hiddenFields(flags)
  const sent = [
    ...Object.entries(tags).map(([name, value]) => {
      const access = hidden.includes(name) ? 'H' : fieldAccessOf(flags, name)
      return { name, value, access }
    }),
    ...values.map(({ uuid, name, value }) => {
      const definition = definitions.find((one) => one.uuid === uuid)
      return { name, value, access: customFieldAccessOf(flags, definition ?? { uuid }) }
    }),
  ]
  const refused = sent.filter(({ access }) => access === 'H' || access === 'O').map(({ name }) => name)
  if (refused.length > 0) throw new ApiError('NOT_PERMITTED', { subtype: refused })
  const missing = sent.filter(({ access, value }) => access === 'R' && value === '').map(({ name }) => name)
  if (missing.length > 0) throw new ApiError('MISSING_FIELDS', { subtype: missing })
}
