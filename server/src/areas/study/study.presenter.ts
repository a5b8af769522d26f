import { mayDo } from '@hilum/contract/acts'
import { type Permission, type PermissionSet, permissions } from '@hilum/contract/permissions'
import { customFieldAccessOf, type FieldFlags } from '@hilum/contract/study-field-access'
import type { Membership } from '../../access/caller.ts'
import { type Nomination, otherDicomFields, type Study, studyFields } from '@hilum/contract/entities/study'
import { presentFieldValues } from '../customfield/customfield.presenter.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import { hiddenFields } from './field-access.policy.ts'
import type { FieldDefinitions } from './field-definitions.ts'
import { leadingModality } from './leading-modality.ts'
import type { StudyRow } from './study-rows.sql.ts'

const studyFlags = permissions.filter((name) => name.startsWith('study_'))

/** A record as the wire shows it to this caller: what the role may not see of it is empty. */
export function presentStudy(
  row: StudyRow,
  { permissions: held, fieldFlags: flags }: Pick<Membership, 'permissions' | 'fieldFlags'>,
  engineFqdn: string,
  definitions: FieldDefinitions,
): Study {
  const shownFields = (definitions.get(row.account_uuid) ?? []).flatMap((one) => {
    const access = customFieldAccessOf(flags, one)
    return access === 'H' ? [] : [access === 'R' ? { ...one, required: true } : one]
  })
  const fields = presentFieldValues(shownFields, row.customfields)
  const hidden = Object.fromEntries(hiddenFields(flags).map((name) => [name, '']))
  const isMrnHidden = Object.hasOwn(hidden, 'patientid')
  return {
    uuid: row.uuid,
    study_uid: row.study_uid,
    phi_namespace: row.phi_namespace,
    phi_namespace_name: row.phi_namespace_name,
    storage_namespace: row.storage_namespace,
    engine_fqdn: engineFqdn,
    viewer_link: `/proviewer/#study/${row.storage_namespace}/${row.study_uid}/${row.phi_namespace}`,
    patient_name: row.patient_name,
    patientid: row.patientid,
    issuer: row.issuer,
    mrn_outside: flag(row.mrn_outside && !isMrnHidden),
    patient_sex: row.patient_sex,
    patient_birth_date: row.patient_birth_date,
    patient_birth_time: row.patient_birth_time,
    patient_age: row.patient_age,
    ...presentOtherDicomFields(row.demographics),
    accession_number: row.accession_number,
    study_description: row.study_description,
    study_date: row.study_date,
    study_time: row.study_time,
    modality: leadingModality(row.modality, row.modalities),
    referring_physician: row.referring_physician,
    source: row.source,
    source_ae_title: row.source_ae_title,
    destination_ae_title: row.destination_ae_title,
    integration_key: row.integration_key,
    ...(row.source === 'share' ? { share_message: row.share_message } : {}),
    // outside clients wait for phantom to fall to 0: the study is complete then, or given up on
    phantom: flag(row.arrival === 'announced' || row.arrival === 'receiving'),
    thin: flag(row.thin),
    star: flag(row.starred),
    must_approve: flag(row.must_approve),
    is_locked: flag(row.locked),
    locked_by_name: row.locked_by_name?.trim() ?? '',
    is_frozen: flag(row.is_frozen),
    is_deidentified: flag(row.is_nameless),
    is_being_retrieved: 0,
    has_direct_shares: flag(row.has_direct_shares),
    has_waiting_shares: flag(row.has_waiting_shares && mayDo('approveStudy', { permissions: held })),
    is_deleted: flag(row.deleted),
    image_count: row.image_count,
    series_count: row.series_count,
    attachment_count: row.attachment_count,
    size: row.size,
    study_status: null,
    study_push_status: row.pushes ?? [],
    ...(row.nomination ? { nomination: withoutHiddenFields(row.nomination, hidden, flags) } : {}),
    tags: row.tags,
    customfields: fields,
    customfield_h: Object.fromEntries(fields.map(({ uuid, value }) => [uuid, value])),
    permissions: withLetters(presentStudyPermissions(held), readOnlyByDefinition(shownFields, flags), flags),
    hl7: [],
    created: row.created,
    updated: row.updated,
    created_by_name: row.created_by_name?.trim() ?? '',
    arrival: row.arrival,
    expected_count: row.expected_count,
    mixed_patients: flag(row.mixed_patients),
    conflict_count: row.conflict_count,
    settled_count: row.settled_count,
    work_status: row.status,
    taken_by: row.taken_by,
    taken_by_name: row.taken_by_name?.trim() ?? '',
    unread: flag(row.unread),
    priority: row.priority,
    row_version: row.row_version,
    ...presentDeletedBefore(row, held),
    ...(row.retraction && mayKnow(held) ? { retraction: row.retraction } : {}),
    ...(row.deleted_at
      ? { deleted_at: row.deleted_at, deleted_by_name: row.deleted_by_name?.trim() ?? '', newer_uuid: row.newer_uuid }
      : {}),
    ...hidden,
  }
}

const mayKnow = (permissions: PermissionSet) =>
  mayDo('approveStudy', { permissions }) || mayDo('deleteStudy', { permissions })

/** Earlier deletions of the study, for callers who may restore it. */
function presentDeletedBefore({ deleted_before }: StudyRow, permissions: PermissionSet): Pick<Study, 'deleted_before'> {
  if (!deleted_before || !mayDo('deleteStudy', { permissions })) return {}
  const shown = deleted_before.filter((one) => !one.must_approve || mayDo('approveStudy', { permissions }))
  return {
    deleted_before: shown.map(({ uuid, deleted_at, deleted_by_name }) => ({ uuid, deleted_at, deleted_by_name })),
  }
}

function presentOtherDicomFields(demographics: StudyRow['demographics']) {
  const pairs = otherDicomFields.map((tag) => [tag, demographics[tag] ?? ''])
  return Object.fromEntries(pairs) as Record<(typeof otherDicomFields)[number], string> // one entry for each
}

/** The flags of a role; one object for all studies where no field is narrowed, which is most. */
function withLetters(base: Record<string, number>, readOnly: Record<string, string>, flags: FieldFlags) {
  const isNarrowed = Object.keys(readOnly).length > 0 || Object.keys(flags).length > 0
  return isNarrowed ? { ...base, ...readOnly, ...flags } : base
}

/** Custom fields that are for reading only by their own definition, as flags of the role. */
function readOnlyByDefinition(shown: readonly CustomFieldRow[], flags: FieldFlags): Record<string, string> {
  const readOnly = shown.filter((one) => customFieldAccessOf(flags, one) === 'O')
  return Object.fromEntries(readOnly.map(({ uuid }) => [`study_field_customfield_${uuid}`, 'O']))
}

/** Exactly the fields asked for; names that are no field of a study are passed over. The hash comes on demand only. */
export function narrowStudy(study: Study, fields: readonly string[] | undefined, withHash = false): Partial<Study> {
  if (!fields) {
    const { customfield_h: hash, ...rest } = study
    return withHash && hash ? { ...rest, customfield_h: hash } : rest
  }
  const wanted = new Set(fields)
  return Object.fromEntries(studyFields.filter((name) => wanted.has(name)).map((name) => [name, study[name]]))
}

const shown = new WeakMap<PermissionSet, Record<string, number>>()

/** The study flags of a role, 1 or 0 each. One object for all studies of the same role. */
function presentStudyPermissions(held: PermissionSet): Record<string, number> {
  const known = shown.get(held)
  if (known) return known
  const made = Object.fromEntries(studyFlags.map((name: Permission) => [name, flag(held.has(name))]))
  shown.set(held, made)
  return made
}

function flag(fact: boolean): number {
  return fact ? 1 : 0
}

/** The earlier value of a corrected field is hidden with the field, and a question that was deleted where fields are. */
function withoutHiddenFields(
  nomination: Nomination,
  hidden: Readonly<Record<string, string>>,
  flags: FieldFlags,
): Nomination {
  const { asked } = nomination
  const deleted_questions = nomination.deleted_questions.filter((one) => customFieldAccessOf(flags, one) !== 'H')
  if (!asked) return { ...nomination, deleted_questions }
  const shown = Object.entries(asked.came).filter(([name]) => !Object.hasOwn(hidden, name))
  return { ...nomination, deleted_questions, asked: { ...asked, came: Object.fromEntries(shown) } }
}
