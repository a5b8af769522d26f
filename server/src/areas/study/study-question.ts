import { ApiError } from '@hilum/contract/errors'
import type { FilterTerm, ListQuery, SortTerm } from '@hilum/contract/list'
import type { Caller } from '../../access/caller.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { filterZone } from '../../db/filter-zone.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import { customFieldColumns } from '../customfield/field-columns.sql.ts'
import { asksHidden } from './field-access.policy.ts'
import {
  anyOf,
  type Branch,
  conditionOfBranch,
  seenOutside,
  sortColumn,
  studyFilterColumns,
} from './study-filters.sql.ts'
import { fieldsOfStudy } from './study-columns.sql.ts'
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
  const columns = { ...studyFilterColumns(caller.userUuid), ...customFieldColumns(definitions, fieldsOfStudy) }
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
    // fields that a role may not see cannot be found out by searching for them either
    .filter(({ fieldFlags }) => !rest.some((term) => asksHidden(fieldFlags, term, definitions)))
    .map((one) => one.namespaceUuid)
  const wantsDeleted = rest.some((term) => term.field === 'is_deleted' && term.value === '1')
  const wantsPhantoms = rest.some((term) => term.field === 'phantom')
  return {
    namespaces: place
      .reduce((left, term) => narrowNamespaces(left, term), all)
      .filter((uuid) => !wantsDeleted || scope.deleting.has(uuid)),
    where: conditionOfBranch({
      terms: rest,
      columns,
      zone,
      wantsDeleted,
      wantsPhantoms,
      onlyStudies: scope.onlyStudies,
    }),
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
    const by = sortColumn(term, definitions)
    const hiding = hidingIn(term)
    return { by: hiding.length > 0 ? seenOutside(hiding, by) : by, descending: term.descending }
  })
}
