import { ApiError } from '@hilum/contract/errors'
import { type Study, type StudyDicomField, studyDicomFields } from '@hilum/contract/entities/study'
import type { OwnNames } from '@hilum/dicom/authority'
import { foldId } from '@hilum/dicom/fold-id'
import { compareIdentities } from '@hilum/dicom/identity'
import { foldText } from '@hilum/dicom/person-name'
import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { Services } from '../../services.ts'
import type { Tx } from '../../db/database.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { type FieldValue, mergeFieldValues } from '../customfield/field-values.policy.ts'
import { writeEvent } from '../event/event.sql.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { sayChanged } from '../ingest/say-ready.command.ts'
import { demandWritable, type SentColumns, type StudyEdit, withoutNote } from '../altered/study-edit.ts'
import { type Clash, findClashes } from '../altered/find-clashes.ts'
import { listMrnsOfImages, listSeveralMrns } from '../altered/outgoing-record.sql.ts'
import { presentClashes } from './mrn-clashes.ts'
import { type HolderRow, listMrnHolders, takeTurnForMrn } from '../altered/mrn-holders.sql.ts'
import { personDigest } from '../altered/person-digest.ts'
import { isRejectedAt } from '../nomination/nomination.sql.ts'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'
import { isOwnIssuer, type LockedStudy, lockStudyRow } from '../altered/locked-study.sql.ts'
import { updateStudy } from './study-write.sql.ts'

export interface StudySetting {
  tags: Partial<Record<StudyDicomField, string>>
  /** The assigning authority of the MRN, where somebody says whose it is: empty for the account's own. */
  issuer?: string
  /** Custom fields, an empty value clears one. */
  values?: readonly FieldValue[]
  columns?: SentColumns
  workStatus?: Study['work_status']
  /**
   * Rank of the value of a custom field; more than 0 comes first in a gatekeeper group. Where the record has the value
   * already, it keeps its rank: its group may have taken the value out since.
   */
  priority?: { field: string; rank: number }
  /** The version that the caller saw; another one now is STALE. */
  rowVersion?: number
  /** Why the patient has an MRN that somebody else holds too. */
  mrnReason?: string
  /** The numbers that the person saw on the images; without them all that the images carry. */
  seenMrns?: readonly string[]
  /** The person compared the exam with the new patient, and says that both are one. */
  isPatientConfirmed?: boolean
}

/**
 * Changes a record. Every tag that differs is kept as an edit (old, new, who, when), so that stored bytes stay as they
 * came and a corrected copy can be made on the way out. An edit back to the first value leaves no edit; the MRN that stands,
 * written once more with a reason, is said of all images. A new MRN is the
 * account's own, so its issuer changes with it; the digits that came stay those of their authority, however they are
 * written, unless the edit says whose they are.
 * @throws ApiError INVALID_FIELD when DICOM cannot hold a value; NOT_NOMINATED for one that a gatekeeper group rejected; LOCKED when another user holds the record; STALE when it changed since it was read; MRN_HELD with the
 *   other people when the edit would put two of them under one MRN and no reason is given
 * @returns the version that the change made
 */
export async function editStudy(
  services: Services,
  caller: Caller,
  access: StudyAccess,
  setting: StudySetting,
): Promise<number> {
  const version = await services.db.transaction().execute(async (tx) => {
    const { record } = access
    const row = await lockStudyRow(tx, record.phi_namespace, record.uuid)
    if (!row) throw new ApiError('NOT_FOUND')
    if (row.locked_by && row.locked_by !== caller.userUuid) throw new ApiError('LOCKED')
    if (setting.rowVersion !== undefined && setting.rowVersion !== row.row_version) throw new ApiError('STALE')
    const differing = studyDicomFields.filter(
      (tag) => setting.tags[tag] !== undefined && setting.tags[tag] !== (row.values[tag] ?? ''),
    )
    const isOfAll = differing.length === 0 && (await saysMrnOfAll(tx, record, row, setting))
    const changed = isOfAll ? (['patientid'] as const) : differing
    const tags = Object.fromEntries(changed.map((tag) => [tag, setting.tags[tag] as string]))
    // values that came with the images may be restored, whatever they are
    const isRestored = (tag: StudyDicomField) => tags[tag] === row.edits.find((edit) => edit.tag === tag)?.old
    demandWritable(Object.fromEntries(changed.filter((tag) => !isRestored(tag)).map((tag) => [tag, tags[tag] ?? ''])))
    const values = (setting.values ?? []).filter((one) => one.value !== (row.customfields[one.uuid] ?? ''))
    const rank = values.some((one) => one.uuid === setting.priority?.field) ? setting.priority?.rank : undefined
    const columns = changedColumns(row, setting.columns ?? {})
    // a number without an authority is said to be the organisation's own, as one that is written
    const issuer = issuerAfter(row, tags.patientid, setting.issuer) || (isOfAll ? row.own_issuer : '')
    const issued = issuer === row.issuer ? {} : { issuer }
    const before: Readonly<Record<string, string>> = { ...row.values, issuer: row.issuer }
    const after: Partial<Record<StudyEdit['tag'], string>> = { ...tags, ...issued }
    const isEdited = Object.keys(after).length > 0
    if ((isEdited || values.length > 0) && (await isRejectedAt(tx, record.uuid))) throw new ApiError('NOT_NOMINATED')
    const found = isOfAll ? noClashes : await findNewClashes(tx, access, row, after)
    const { holders } = found
    // without a reason, the first image has to prove who was announced
    const isOnWord = found.isOnWord && !setting.mrnReason
    const clashes = isOnWord ? [] : found.clashes
    const isReasoned = clashes.length > 0 && setting.mrnReason !== undefined
    const heldWith = isReasoned ? [...new Set(holders.map(personDigest))].toSorted() : undefined
    if (clashes.length > 0 && !setting.mrnReason) {
      const held = await presentClashes(caller, after.patientid ?? before['patientid'] ?? '', clashes)
      throw new ApiError('MRN_HELD', { subtype: 'patientid', data: held })
    }
    // the reason why a patient has the MRN of another one is none for somebody else
    const known = isOtherPerson(row, before, after) ? row.edits.map((edit) => withoutNote(edit, 'held')) : row.edits
    const mrns = after.patientid === undefined ? undefined : await findReplaced(tx, record, row, setting.seenMrns)
    await updateStudy(tx, record, {
      tags,
      ...issued,
      ...(isEdited ? { edits: mergeEdits(known, before, after, { caller, heldWith, isOfAll, mrns, isOnWord }) } : {}),
      ...(tags.patient_name === undefined ? {} : { search: foldText(tags.patient_name) }),
      ...(values.length > 0 ? { customfields: mergeFieldValues(row.customfields, values) } : {}),
      columns,
      ...(rank === undefined ? {} : { priority: rank }),
      ...(setting.workStatus === undefined
        ? {}
        : { workStatus: setting.workStatus, takenBy: setting.workStatus === 'new' ? null : caller.userUuid }),
    })
    const isOfExam = isEdited || values.length > 0 || Object.keys(columns).length > 0
    const work = workDetail(row, setting.workStatus)
    if (isOfExam || work.length > 0) {
      const detail = Object.fromEntries([
        ...work,
        ...Object.entries(after).flatMap(([tag, value]) =>
          value === before[tag] ? [] : [[tag, [before[tag] ?? '', value]]],
        ),
        ...Object.entries(columns).map(([name, value]) => [name, [row.columns[name] ?? '', value]]),
        ...values.map((one) => [one.name, [row.customfields[one.uuid] ?? '', one.value]]),
        ...(isOfAll ? [['mrn_of_all', { reason: setting.mrnReason }]] : []),
        ...(setting.mrnReason && !isOfAll
          ? [['mrn_held', { reason: setting.mrnReason, studies: clashes.map(({ holder }) => holder.uuid) }]]
          : []),
        ...(setting.isPatientConfirmed ? confirmedDifferences(row.own_names, before, after) : []),
      ])
      await writeStudyAudit(tx, caller, record, 'EDIT', detail)
    }
    if (isOfExam) await tellEvent(tx, 'STUDY_EDIT', [record])
    if (isEdited) await sayChanged(tx, [record.uuid])
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
    // pages of the other records with this MRN name this patient too
    for (const { holder } of clashes) await writeEvent(tx, 'study', holder.phi_namespace, holder.uuid)
    return row.row_version + 1
  })
  services.events.ring()
  return version
}

/** For the audit: the work status as it was and as it is now, where it changes. */
export function workDetail(row: Pick<LockedStudy, 'work_status'>, status: Study['work_status'] | undefined) {
  return status === undefined || status === row.work_status ? [] : [['work_status', [row.work_status, status]] as const]
}

/**
 * Whether the MRN that a record shows is written once more, with a reason, while its images carry several: a statement that
 * all of them are this patient's.
 */
async function saysMrnOfAll(
  tx: Tx,
  { phi_namespace, uuid }: StudyAccess['record'],
  { values }: LockedStudy,
  { tags, mrnReason }: StudySetting,
): Promise<boolean> {
  if (!mrnReason || !tags.patientid || tags.patientid !== values['patientid']) return false
  return (await listSeveralMrns(tx, phi_namespace, uuid)).length > 0
}

/**
 * The numbers of the images that an MRN replaces: those that the person saw, images to come included, and those that
 * whoever wrote the MRN before saw and images carry. Undefined where nobody saw any and no image is there: the MRN replaces any.
 */
async function findReplaced(
  tx: Tx,
  record: StudyAccess['record'],
  { values, edits }: LockedStudy,
  seen: readonly string[] | undefined,
): Promise<string[] | undefined> {
  const carried = await listMrnsOfImages(tx, record)
  const prior = edits.find((edit) => edit.tag === 'patientid')
  if (carried.length === 0) return seen && !(prior && !prior.mrns) ? [...new Set(seen)] : undefined
  if (!seen || (prior && !prior.mrns)) return carried
  const known = new Set([...seen, ...(prior?.mrns ?? []), values['patientid'] ?? ''].map(foldId))
  return [...new Set([...carried.filter((mrn) => known.has(foldId(mrn))), ...seen])]
}

function changedColumns(row: LockedStudy, sent: SentColumns): SentColumns {
  const isChange = ([name, value]: [string, string | number]) =>
    typeof value === 'number' ? value > Number(row.columns[name] ?? -1) : value !== row.columns[name]
  return Object.fromEntries(Object.entries(sent).filter(isChange))
}

const patientFields = ['patient_name', 'patientid', 'issuer', 'patient_birth_date', 'patient_sex'] as const

function patientOfMost(values: Readonly<Record<string, string>>): ComparedPatient {
  const [patient_name, patientid, issuer, patient_birth_date, patient_sex] = patientFields.map(
    (tag) => values[tag] ?? '',
  )
  return { patient_name, patientid, issuer, patient_birth_date, patient_sex } as ComparedPatient // five of five
}

/** For the audit: the verdict on both patients and the kinds of their differences; their values stand beside. */
function confirmedDifferences(
  ownNames: OwnNames,
  before: Readonly<Record<string, string>>,
  edit: Partial<Record<StudyEdit['tag'], string>>,
): [string, unknown][] {
  const [then, now] = [patientOfMost(before), patientOfMost({ ...before, ...edit })]
  if (patientFields.every((tag) => then[tag] === now[tag])) return []
  const { verdict, reasons } = compareIdentities(asIdentity(then, ownNames), asIdentity(now, ownNames))
  return [['patient_confirmed', { verdict, differs: reasons.filter((reason) => !reason.endsWith('-same')) }]]
}

/** Whether an edit makes another person of the patient. */
function isOtherPerson(
  { own_names: ownNames }: LockedStudy,
  before: Readonly<Record<string, string>> | ComparedPatient,
  edit: Partial<Record<StudyEdit['tag'], string>>,
): boolean {
  const [then, now] = [patientOfMost({ ...before }), patientOfMost({ ...before, ...edit })]
  return compareIdentities(asIdentity(then, ownNames), asIdentity(now, ownNames)).verdict === 'different'
}

const noClashes = { clashes: [], holders: [], isOnWord: false }

/**
 * Records of other people under the MRN that the edit leaves, but for those that stood under it with this patient
 * before, and all records under it. Taking all edits of the patient back asks nobody: the images say so. `isOnWord` where
 * the record waits for images, and those people are no others if these name the patient that was announced.
 */
async function findNewClashes(
  tx: Tx,
  { record }: StudyAccess,
  row: LockedStudy,
  edit: Partial<Record<StudyEdit['tag'], string>>,
): Promise<{ clashes: Clash[]; holders: HolderRow[]; isOnWord: boolean }> {
  const before = patientOfMost({ ...row.values, issuer: row.issuer })
  const after = patientOfMost({ ...before, ...edit })
  const isSame = patientFields.every((tag) => before[tag] === after[tag])
  const asItCame = patientFields.every(
    (tag) => after[tag] === (row.edits.find((edit) => edit.tag === tag)?.old ?? before[tag]),
  )
  if (isSame || asItCame || after.patientid === '') return noClashes
  await takeTurnForMrn(tx, record.account_uuid, after.patientid)
  const holders = await listMrnHolders(tx, record.account_uuid, [after.patientid])
  const stood = isOtherPerson(row, before, edit) ? [] : findClashes(row.own_names, before, holders, record)
  const known = new Set(stood.map(({ holder }) => holder.uuid))
  const clashesOf = (patient: ComparedPatient) =>
    findClashes(row.own_names, patient, holders, record).filter(({ holder }) => !known.has(holder.uuid))
  // an announced patient proves nothing of the images to come
  const isAnnounced = row.arrival === 'announced' && !record.thin
  const shown = isAnnounced ? { ...after, patient_name: '', patient_birth_date: '', patient_sex: '' } : after
  const clashes = clashesOf(shown)
  return { clashes, holders, isOnWord: isAnnounced && clashes.length > 0 && clashesOf(after).length === 0 }
}

/**
 * The issuer of the MRN after an edit: what the edit says of it, else of the digits that stand or came there their own, and
 * the account's of any other.
 */
function issuerAfter(row: LockedStudy, mrn: string | undefined, said: string | undefined): string {
  const { issuer, own_issuer, values } = row
  const number = mrn ?? values['patientid'] ?? ''
  if (number === '') return mrn === undefined ? issuer : ''
  const own = isOwnIssuer(issuer, row) ? issuer : own_issuer
  if (said !== undefined) return said === '' || isOwnIssuer(said, row) ? own : said
  if (mrn === undefined) return issuer
  const firstOf = (tag: StudyEdit['tag']) => row.edits.find((edit) => edit.tag === tag)?.old
  if (mrn === firstOf('patientid')) return firstOf('issuer') ?? issuer
  if (foldId(mrn) === foldId(values['patientid'] ?? '')) return issuer
  return foldId(mrn) === foldId(firstOf('patientid') ?? '') ? (firstOf('issuer') ?? issuer) : own
}

function pickHeld({ held, heldWith }: StudyEdit): Pick<StudyEdit, 'held' | 'heldWith'> {
  return { ...(held === undefined ? {} : { held }), ...(heldWith ? { heldWith } : {}) }
}

function mergeEdits(
  made: readonly StudyEdit[],
  before: Readonly<Record<string, string>>,
  after: Readonly<Partial<Record<StudyEdit['tag'], string>>>,
  {
    caller,
    heldWith,
    isOfAll,
    mrns,
    isOnWord,
  }: {
    caller: Caller
    heldWith: string[] | undefined
    isOfAll: boolean
    mrns: string[] | undefined
    isOnWord: boolean
  },
): StudyEdit[] {
  const number = after.patientid ?? before['patientid'] ?? ''
  const when = new Date().toISOString()
  const changed = Object.entries(after) as [StudyEdit['tag'], string][] // as it is declared
  const unchanged = made.filter((edit) => after[edit.tag] === undefined)
  const merged = changed.map(([tag, value]) => {
    const prior = made.find((edit) => edit.tag === tag)
    const reasoned = heldWith ? { held: number, heldWith } : prior && pickHeld(prior)
    const first = prior?.old ?? before[tag] ?? ''
    const edit = { tag, old: first, new: value, who: caller.userUuid, when, ...reasoned }
    if (tag !== 'patientid') return edit
    return {
      ...edit,
      ...(mrns ? { mrns } : {}),
      ...(isOfAll ? { isOfAll: true as const } : {}),
      ...(isOnWord ? { isOnWord: true as const } : {}),
    }
  })
  // a number that was said to be that of all images stays so, whatever else is edited
  const edits: StudyEdit[] = [
    ...unchanged.filter((edit) => edit.old !== edit.new || edit.tag === 'patientid'),
    ...merged.filter((edit) => edit.old !== edit.new || (isOfAll && edit.tag === 'patientid')),
  ]
  if (edits.some((edit) => edit.tag === 'patientid')) return edits
  // an authority that is corrected alone is that of this number
  return edits.map((edit) => (edit.tag === 'issuer' ? { ...edit, of: number } : edit))
}
