import { ApiError } from '@hilum/contract/errors'
import type { FilterTerm, SortTerm } from '@hilum/contract/list'
import { type RawBuilder, sql } from 'kysely'
import { hasLiveSource } from '../../access/record-sources.sql.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import { isTakenBack } from '../../access/taken-back.sql.ts'
import { type FilterColumns, filterSql, likePattern } from '../../db/filter-sql.ts'
import { nameSql } from '../../db/name-sql.ts'
import { likeNumberSql, partOfNumberSql, wholeNumberSql } from '../../db/number-sql.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import { customFieldSort } from '../customfield/field-columns.sql.ts'
import { isOvertakenPush } from '../nomination/overtaken-push.sql.ts'
import { columnSql, fieldsOfStudy, isStudyColumn, plainColumns, s } from './study-columns.sql.ts'

/** One alternative of a question: studies of these namespaces for which the condition holds. */
export interface Branch {
  namespaces: readonly string[]
  where: RawBuilder<unknown>
}

/** Studies of any of the branches. */
export function anyOf(branches: readonly Branch[]): RawBuilder<unknown> {
  if (branches.length === 0) return sql`false`
  return sql`(${sql.join(
    branches.map(({ namespaces, where }) => sql`(s.phi_namespace = any(${namespaces as string[]}) and ${where})`),
    sql` or `,
  )})`
}

/** The condition of one branch: its terms, and which states of a record it is about. */
export function conditionOfBranch(branch: {
  terms: readonly FilterTerm[]
  columns: FilterColumns
  zone: string
  wantsDeleted: boolean
  wantsPhantoms: boolean
  onlyStudies: StudyScope['onlyStudies']
}): RawBuilder<unknown> {
  const { terms, columns, zone, wantsDeleted, wantsPhantoms, onlyStudies } = branch
  const conditions = [
    filterSql(terms, columns, zone),
    wantsDeleted ? sql`s.deleted_at is not null` : sql`s.deleted_at is null`,
    wantsPhantoms ? sql`true` : sql`s.arrival <> 'announced'`,
    hasLiveSource('s'),
    ...(wantsDeleted ? [sql`not ${isTakenBack('s')}`] : []),
    ...(onlyStudies ? [sql`s.uuid = any(${[...onlyStudies]})`] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** Fields by which studies are found: the stored columns, and those that take more than a comparison. */
export function studyFilterColumns(userUuid: string): FilterColumns {
  return {
    ...plainColumns,
    patient_name: (term) => nameSql(s('search'), term),
    patientid: mrnSql,
    study_uid: uidSql,
    modality: modalitySql,
    SMART_SEARCH: smartSql,
    star: (term) =>
      presence(term, sql`exists (select from study_star t where t.user_uuid = ${userUuid} and t.study_uuid = s.uuid)`),
    unread: (term) =>
      presence(
        term,
        sql`not exists (select from study_read t where t.user_uuid = ${userUuid} and t.study_uuid = s.uuid)`,
      ),
    phantom: (term) => presence(term, sql`s.arrival in ('announced', 'receiving')`),
    study_push_status: pushSql,
    is_deleted: (term) => presence(term, sql`s.deleted_at is not null`),
  }
}

/** Pieces of an MRN in whatever spelling, and whole ones as they are written. */
function mrnSql(term: FilterTerm, zone: string): RawBuilder<unknown> {
  const inPart = term.condition === 'like' ? likeNumberSql(s('patientid'), String(term.value)) : undefined
  return inPart ?? filterSql([term], plainColumns, zone)
}

/** Pieces of a UID by their own index, and whole ones by theirs. */
function uidSql(term: FilterTerm, zone: string): RawBuilder<unknown> {
  if (term.condition !== 'like') return filterSql([term], plainColumns, zone)
  return sql`lower(s.study_uid) like ${likePattern(String(term.value))}`
}

function presence(term: FilterTerm, fact: RawBuilder<unknown>): RawBuilder<unknown> {
  const isYes = term.value === '1'
  if (term.condition !== 'equals' || (!isYes && term.value !== '0'))
    throw new ApiError('INVALID_FIELD', { subtype: term.expression })
  return isYes ? fact : sql`not (${fact})`
}

/** The study came to a gatekeeper group by a nomination, which was rejected (LIST-07). */
const isRejected = sql`exists (select from nomination m where m.gate_uuid = s.uuid and m.state = 'rejected')`

/** A study is in every state that its last push to some destination is in; `rejected` is the gate's. */
function pushSql(term: FilterTerm): RawBuilder<unknown> {
  const states = typeof term.value === 'string' ? [term.value] : [...term.value]
  const isPushed = sql`exists (
    select from push p
    where p.phi_namespace = s.phi_namespace and p.study_uuid = s.uuid and p.status = any(${states}::text[])
      and not ${isOvertakenPush}
  )`
  const isIn = states.includes('rejected') ? sql`(${isPushed} or ${isRejected})` : isPushed
  switch (term.condition) {
    case 'equals':
    case 'in':
      return isIn
    case 'not_equals':
      return sql`not ${isIn}`
    default:
      throw new ApiError('INVALID_CONDITION', { subtype: term.expression })
  }
}

/** A study has as many modalities as its series; it is found by any of them. */
function modalitySql(term: FilterTerm): RawBuilder<unknown> {
  const values = (typeof term.value === 'string' ? [term.value] : [...term.value]).map((one) => one.toUpperCase())
  switch (term.condition) {
    case 'equals':
    case 'in':
      return sql`(s.modalities && ${values}::text[] or s.modality = any(${values}::text[]))`
    case 'in_or_null':
    case 'equals_or_null':
      return sql`(s.modalities && ${values}::text[] or s.modality = any(${values}::text[]) or s.modality = '')`
    case 'not_equals':
      return sql`not (s.modalities && ${values}::text[] or s.modality = any(${values}::text[]))`
    case 'like':
      return sql`lower(s.modality) like ${likePattern(values[0] ?? '').toLowerCase()}`
    default:
      throw new ApiError('INVALID_CONDITION', { subtype: term.expression })
  }
}

/** One box: words of the name, or a part of the MRN, or the whole accession number; numbers in whatever spelling. */
function smartSql(term: FilterTerm): RawBuilder<unknown> {
  if (term.condition !== 'equals' && term.condition !== 'like')
    throw new ApiError('INVALID_CONDITION', { subtype: term.expression })
  const bare = String(term.value)
    .trim()
    .replace(/^%+|%+$/g, '')
  if (bare === '') return sql`true`
  return sql`(${nameSql(s('search'), { ...term, condition: 'like', value: `%${bare}%` })}
    or ${partOfNumberSql(s('patientid'), bare)}
    or ${wholeNumberSql(s('accession_number'), bare)})`
}

/** The value that studies are sorted by. @throws ApiError INVALID_SORT_FIELD */
export function sortColumn(
  { field, descending }: SortTerm,
  definitions: readonly CustomFieldRow[],
): RawBuilder<unknown> {
  // the index of dates from the oldest has those without one last too
  if (field === 'study_date' && !descending) return sql`coalesce(nullif(s.study_date, ''), '99999999')`
  // by the folded name, so that case and accents do not part what belongs together
  if (field === 'patient_name') return s('search')
  if (isStudyColumn(field)) return columnSql(field)
  const definition = definitions.find((one) => `customfield-${one.uuid}` === field)
  if (!definition) throw new ApiError('INVALID_SORT_FIELD', { subtype: field })
  return customFieldSort(definition, fieldsOfStudy)
}

/** A value, but null in the namespaces that hide it. */
export function seenOutside(namespaces: readonly string[], value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when s.phi_namespace <> all(${[...namespaces]}) then ${value} end`
}
