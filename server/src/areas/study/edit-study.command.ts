import { ApiError } from '@hilum/contract/errors'
import { type StudyTag, studyTags } from '@hilum/contract/entities/study'
import { foldText } from '@hilum/dicom/person-name'
import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { Services } from '../../services.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import type { FieldValue } from '../customfield/field-values.policy.ts'
import { writeEvent } from '../event/event.sql.ts'
import type { StudyEdit } from './study-edit.ts'
import { type LockedStudy, lockStudyRow, updateStudy } from './study-write.sql.ts'

export interface StudySetting {
  tags: Partial<Record<StudyTag, string>>
  /** Custom fields, an empty value clears one. */
  values?: readonly FieldValue[]
  integrationKey?: string
  workStatus?: 'new' | 'in_progress' | 'done'
  /** The version that the caller saw; another one now is STALE. */
  rowVersion?: number
}

/**
 * Changes a record. Every tag that differs is kept as an edit (old, new, who, when), so that stored bytes stay as they
 * came and a corrected copy can be made on the way out. An edit back to the first value leaves no edit. A new MRN is the
 * account's own, so its issuer changes with it.
 * @throws ApiError LOCKED when another user holds the record; STALE when it changed since it was read
 */
export async function editStudy(
  services: Services,
  caller: Caller,
  access: StudyAccess,
  setting: StudySetting,
): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const { record } = access
    const row = await lockStudyRow(tx, record.phi_namespace, record.uuid)
    if (!row) throw new ApiError('NOT_FOUND')
    if (row.locked_by && row.locked_by !== caller.userUuid) throw new ApiError('LOCKED')
    if (setting.rowVersion !== undefined && setting.rowVersion !== row.row_version) throw new ApiError('STALE')
    const changed = studyTags.filter(
      (tag) => setting.tags[tag] !== undefined && setting.tags[tag] !== (row.values[tag] ?? ''),
    )
    const tags = Object.fromEntries(changed.map((tag) => [tag, setting.tags[tag] as string]))
    const values = (setting.values ?? []).filter((one) => one.value !== (row.customfields[one.uuid] ?? ''))
    const issuer = issuerAfter(row, tags.patientid)
    const issued = issuer === row.issuer ? {} : { issuer }
    const before: Readonly<Record<string, string>> = { ...row.values, issuer: row.issuer }
    const after = { ...tags, ...issued }
    await updateStudy(tx, record, {
      tags,
      ...issued,
      ...(changed.length > 0 ? { edits: mergeEdits(row.edits, before, after, caller) } : {}),
      ...(tags.patient_name === undefined ? {} : { search: foldText(tags.patient_name) }),
      ...(values.length > 0 ? { customfields: mergeValues(row.customfields, values) } : {}),
      ...(setting.integrationKey === undefined ? {} : { integrationKey: setting.integrationKey }),
      ...(setting.workStatus === undefined
        ? {}
        : { workStatus: setting.workStatus, takenBy: setting.workStatus === 'new' ? null : caller.userUuid }),
    })
    if (changed.length > 0 || values.length > 0) {
      const detail = Object.fromEntries([
        ...Object.entries(after).map(([tag, value]) => [tag, [before[tag] ?? '', value]]),
        ...values.map((one) => [one.name, [row.customfields[one.uuid] ?? '', one.value]]),
      ])
      await writeStudyAudit(tx, caller, record, 'EDIT', detail)
    }
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  })
  services.events.ring()
}

function mergeValues(before: Readonly<Record<string, string>>, values: readonly FieldValue[]): Record<string, string> {
  const all = { ...before, ...Object.fromEntries(values.map((one) => [one.uuid, one.value])) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** Who gives the MRN that an edit leaves: of the one that came its own issuer, of one that a person writes the account. */
function issuerAfter({ edits, issuer, own_issuer }: LockedStudy, mrn: string | undefined): string {
  if (mrn === undefined) return issuer
  const firstOf = (tag: StudyEdit['tag']) => edits.find((edit) => edit.tag === tag)?.old
  if (mrn === firstOf('patientid')) return firstOf('issuer') ?? issuer
  if (mrn === '') return ''
  return issuer.trim().toUpperCase() === own_issuer.trim().toUpperCase() ? issuer : own_issuer
}

function mergeEdits(
  made: readonly StudyEdit[],
  before: Readonly<Record<string, string>>,
  after: Readonly<Partial<Record<StudyEdit['tag'], string>>>,
  caller: Caller,
): StudyEdit[] {
  const when = new Date().toISOString()
  const changed = Object.entries(after) as [StudyEdit['tag'], string][] // as it is declared
  const kept = made.filter((edit) => after[edit.tag] === undefined)
  const merged = changed.map(([tag, value]) => {
    const first = made.find((edit) => edit.tag === tag)?.old ?? before[tag] ?? ''
    return { tag, old: first, new: value, who: caller.userUuid, when }
  })
  return [...kept, ...merged.filter((edit) => edit.old !== edit.new)]
}
