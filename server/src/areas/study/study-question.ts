import { ApiError } from '@hilum/contract/errors'
import type { FilterTerm, ListQuery, SortTerm } from '@hilum/contract/list'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { hasLiveSource } from '../../access/record-sources.sql.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import { type FilterColumns, filterSql, likePattern } from '../../db/filter-sql.ts'
import { filterZone } from '../../db/filter-zone.ts'
import { nameSql } from '../../db/name-sql.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import { customFieldColumns, customFieldSort } from './custom-field-columns.ts'
import { asksHidden } from './field-access.policy.ts'
import { columnSql, isStudyColumn, plainColumns, s } from './study-columns.ts'
import type { StudyQuestion } from './study-list.sql.ts'

/**
 * Turns a list request into SQL within what the caller may see. Announced studies appear with their first image,
 * deleted ones only to whom they concern.
 * @param alternatives of a saved search: besides the request's own terms, those of one of them hold
 * @param definitions of the custom fields that it may be about
 * @throws ApiError INVALID_FIELD, INVALID_CONDITION for filters that make no sense
 */
export function askStudies(
  scope: StudyScope,
  caller: Caller,
  query: ListQuery,
  alternatives: readonly (readonly FilterTerm[])[],
  definitions: readonly CustomFieldRow[],
): StudyQuestion {
  const columns = { ...columnsFor(caller.userUuid), ...customFieldColumns(definitions) }
  const zone = filterZone(caller.timeZone, query.timeZone)
  const branches = alternatives.map((terms) =>
    askBranch(scope, [...query.filters, ...terms], columns, zone, definitions),
  )
  const [only] = branches
  return {
    scope,
    namespaces: [...new Set(branches.flatMap((one) => one.namespaces))],
    where: only && branches.length === 1 ? only.where : anyOf(branches),
    wants: wantsOf(query.filters, alternatives),
    order: orderOf(query.sort, scope, definitions),
    userUuid: caller.userUuid,
    sessionUuid: caller.sessionUuid,
  }
}

function wantsOf(
  terms: readonly FilterTerm[],
  alternatives: readonly (readonly FilterTerm[])[],
): StudyQuestion['wants'] {
  const always = [...terms, ...(alternatives.length === 1 ? alternatives.flat() : [])]
  if (always.some(isSought)) return 'sought'
  const narrowing = [...terms, ...alternatives.flat()].filter(({ field }) => field !== 'phi_namespace')
  return narrowing.length > 0 ? 'some' : 'all'
}

function isSought({ field, condition }: FilterTerm): boolean {
  if (field === 'patient_birth_date') return condition === 'equals'
  return soughtFields.has(field)
}

/** Fields with an index that knows no namespace. */
const soughtFields: ReadonlySet<string> = new Set([
  'patient_name',
  'SMART_SEARCH',
  'patientid',
  'accession_number',
  'study_uid',
  'uuid',
  'tags',
])

interface Branch {
  namespaces: readonly string[]
  where: RawBuilder<unknown>
}

function anyOf(branches: readonly Branch[]): RawBuilder<unknown> {
  if (branches.length === 0) return sql`false`
  return sql`(${sql.join(
    branches.map(({ namespaces, where }) => sql`(s.phi_namespace = any(${namespaces as string[]}) and ${where})`),
    sql` or `,
  )})`
}

function askBranch(
  scope: StudyScope,
  terms: readonly FilterTerm[],
  columns: FilterColumns,
  zone: string,
  definitions: readonly CustomFieldRow[],
): Branch {
  const place = terms.filter((term) => term.field === 'phi_namespace')
  const rest = terms.filter((term) => term.field !== 'phi_namespace')
  const all = scope.namespaces
    // what a role may not see of a study cannot be found out by searching for it either
    .filter(({ fieldFlags }) => !rest.some((term) => asksHidden(fieldFlags, term, definitions)))
    .map((one) => one.namespaceUuid)
  const wantsDeleted = rest.some((term) => term.field === 'is_deleted' && term.value === '1')
  const wantsPhantoms = rest.some((term) => term.field === 'phantom')
  const conditions = [
    filterSql(rest, columns, zone),
    wantsDeleted ? sql`s.deleted_at is not null` : sql`s.deleted_at is null`,
    wantsPhantoms ? sql`true` : sql`s.arrival <> 'announced'`,
    hasLiveSource('s'),
    ...(scope.onlyStudies ? [sql`s.uuid = any(${[...scope.onlyStudies]})`] : []),
  ]
  return {
    namespaces: place
      .reduce((left, term) => narrowNamespaces(left, term), all)
      .filter((uuid) => !wantsDeleted || scope.deleting.has(uuid)),
    where: sql.join(conditions, sql` and `),
  }
}

function narrowNamespaces(left: readonly string[], term: FilterTerm): string[] {
  const asked = new Set((typeof term.value === 'string' ? [term.value] : term.value).map((one) => one.toLowerCase()))
  switch (term.condition) {
    case 'equals':
    case 'in':
      return left.filter((uuid) => asked.has(uuid))
    case 'not_equals':
      return left.filter((uuid) => !asked.has(uuid))
    default:
      throw new ApiError('INVALID_CONDITION', { subtype: term.expression })
  }
}

function columnsFor(userUuid: string): FilterColumns {
  return {
    ...plainColumns,
    patient_name: (term) => nameSql(s('search'), term),
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
    // The gatekeeper's states ask for it; no study has been sent anywhere while there are no destinations to send to.
    study_push_status: (term) => (term.condition === 'not_equals' ? sql`true` : sql`false`),
    is_deleted: (term) => presence(term, sql`s.deleted_at is not null`),
  }
}

function presence(term: FilterTerm, fact: RawBuilder<unknown>): RawBuilder<unknown> {
  const isYes = term.value === '1'
  if (term.condition !== 'equals' || (!isYes && term.value !== '0'))
    throw new ApiError('INVALID_FIELD', { subtype: term.expression })
  return isYes ? fact : sql`not (${fact})`
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

/** One box: words of the name, or the MRN's beginning, or the whole accession number. */
function smartSql(term: FilterTerm): RawBuilder<unknown> {
  if (term.condition !== 'equals' && term.condition !== 'like')
    throw new ApiError('INVALID_CONDITION', { subtype: term.expression })
  const bare = String(term.value)
    .trim()
    .replace(/^%+|%+$/g, '')
  if (bare === '') return sql`true`
  return sql`(${nameSql(s('search'), { ...term, condition: 'like', value: `%${bare}%` })}
    or lower(s.patientid) like ${`${likePattern(bare.toLowerCase())}%`}
    or s.accession_number = ${bare})`
}

const newestFirst = { field: 'created', descending: true }

/**
 * Studies are sorted by what the caller sees of them: where a role hides the field, its place is as good as empty and
 * the newest come first, since the order would tell what the field holds.
 */
function orderOf(
  sort: readonly SortTerm[],
  scope: StudyScope,
  definitions: readonly CustomFieldRow[],
): StudyQuestion['order'] {
  const hidingIn = ({ field }: SortTerm) =>
    scope.namespaces
      .filter(({ fieldFlags }) => asksHidden(fieldFlags, { field }, definitions))
      .map((one) => one.namespaceUuid)
  const isHidden = sort.some((term) => hidingIn(term).length > 0)
  return [...sort, ...(sort.length === 0 || isHidden ? [newestFirst] : [])].map((term) => {
    const by = sortColumn(term.field, definitions)
    const hiding = hidingIn(term)
    const seen = hiding.length > 0 ? sql`case when s.phi_namespace <> all(${hiding}) then ${by} end` : by
    return { by: seen, descending: term.descending }
  })
}

function sortColumn(field: string, definitions: readonly CustomFieldRow[]): RawBuilder<unknown> {
  // by the folded name, so that case and accents do not part what belongs together
  if (field === 'patient_name') return s('search')
  if (isStudyColumn(field)) return columnSql(field)
  const definition = definitions.find((one) => `customfield-${one.uuid}` === field.toLowerCase())
  if (!definition) throw new ApiError('INVALID_SORT_FIELD', { subtype: field })
  return customFieldSort(definition)
}
