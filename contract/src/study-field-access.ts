import { studyFieldFlags } from './permissions.ts'

/** What a role leaves of a field of a study: F all, H nothing, O reading only, R all, but it must not be empty. */
export const fieldAccesses = ['F', 'H', 'O', 'R'] as const
export type FieldAccess = (typeof fieldAccesses)[number]

/** By flag, `study_field_patient_name` or `study_field_customfield_{uuid}`; one that is not there is F. */
export type FieldFlags = Readonly<Record<string, FieldAccess>>

/** The fields of a study that a role may narrow. */
export const narrowedFields = studyFieldFlags.map((flag) => flag.slice('study_field_'.length))

const flagForm = /^study_field_(?:customfield_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const known: ReadonlySet<string> = new Set(studyFieldFlags)

/** Flags as they are kept or sent; what is none, or no access, is passed over. */
export function readFieldFlags(sent: Readonly<Record<string, unknown>>): FieldFlags {
  const pairs = Object.entries(sent).flatMap(([name, value]) => {
    const access = fieldAccesses.find((one) => one === value)
    return access && (known.has(name) || flagForm.test(name)) ? [[name, access] as const] : []
  })
  return Object.fromEntries(pairs)
}

/** What is left of `patient_name` and its like. */
export function fieldAccessOf(flags: FieldFlags, field: string): FieldAccess {
  return flags[`study_field_${field}`] ?? 'F'
}

/** What is left of a custom field; a definition may say what holds where no role and no namespace speaks of it. */
export function customFieldAccessOf(flags: FieldFlags, field: { uuid: string; field_flag?: string }): FieldAccess {
  const own = fieldAccesses.find((one) => one === field.field_flag)
  return flags[`study_field_customfield_${field.uuid}`] ?? own ?? 'F'
}
