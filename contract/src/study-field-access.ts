import { studyFieldFlags } from './permissions.ts'

/** A role's access to a field of a study: F all, H nothing, O reading only, R all, but the field must not be empty. */
export const fieldAccesses = ['F', 'H', 'O', 'R'] as const
export type FieldAccess = (typeof fieldAccesses)[number]

/** By flag, `study_field_patient_name` or `study_field_customfield_{uuid}`; one that is not there is F. */
export type FieldFlags = Readonly<Record<string, FieldAccess>>

/** The fields of a study that a role may narrow. */
export const narrowedFields = studyFieldFlags.map((flag) => flag.slice('study_field_'.length))

const flagForm = /^study_field_(?:customfield_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const known: ReadonlySet<string> = new Set(studyFieldFlags)

/** Speaks for every custom field that has no flag of its own. */
const everyCustomField = 'study_field_customfield'

/** Hides every field that can be hidden. */
export const closedFieldFlags: FieldFlags = Object.fromEntries(
  [...studyFieldFlags, everyCustomField].map((flag) => [flag, 'H'] as const),
)

/** Whether a name is that of the access to a field. */
export function isFieldFlag(name: string): boolean {
  return known.has(name) || flagForm.test(name)
}

/** Flags as they are kept; names that are no flag are passed over, and a field whose access is none is hidden. */
export function readFieldFlags(stored: Readonly<Record<string, unknown>>): { flags: FieldFlags; isReadable: boolean } {
  let isReadable = true
  const pairs = Object.entries(stored).flatMap(([name, value]) => {
    if (!isFieldFlag(name)) return []
    const access = fieldAccesses.find((one) => one === value)
    isReadable &&= access !== undefined
    return [[name, access ?? 'H'] as const]
  })
  return { flags: Object.fromEntries(pairs), isReadable }
}

/** Whether flags open no field further than these do. */
export function isWithinFields(own: FieldFlags, flags: FieldFlags): boolean {
  return Object.entries(own).every(([name, access]) => {
    const given = flags[name] ?? 'F'
    if (access === 'H') return given === 'H'
    return access !== 'O' || given === 'O' || given === 'H'
  })
}

/** The access to a field such as `patient_name`. */
export function fieldAccessOf(flags: FieldFlags, field: string): FieldAccess {
  return flags[`study_field_${field}`] ?? 'F'
}

/** The access to a custom field; its definition may say what holds where no role and no namespace speaks of it. */
export function customFieldAccessOf(flags: FieldFlags, field: { uuid: string; field_flag?: string }): FieldAccess {
  const own = fieldAccesses.find((one) => one === field.field_flag)
  return flags[`study_field_customfield_${field.uuid}`] ?? flags[everyCustomField] ?? own ?? 'F'
}
