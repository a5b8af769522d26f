import { isCustomField, type FilterTerm, type ListQuery } from '@hilum/contract/list'
import { studyListRules } from '@hilum/contract/calls/study'
import { foldText } from '@hilum/dicom/person-name'
import type { Caller } from '../../access/caller.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { findAlternatives } from '../filter/search-alternatives.command.ts'
import { listSpellings } from '../tag/tag.sql.ts'
import type { StudyQuestion } from './study-list.sql.ts'
import { askStudies } from './study-question.ts'

/**
 * The question of a list or count of studies, with its saved search and the definitions of the custom fields in it.
 * @throws ApiError FILTER_NOT_FOUND, and as `askStudies`
 */
export async function prepareStudyQuestion(
  db: Db,
  scope: StudyScope,
  caller: Caller,
  query: ListQuery,
): Promise<StudyQuestion> {
  const alternatives = await findAlternatives(db, caller, query)
  const named = [...query.filters, ...query.sort, ...alternatives.flat()]
  const needsDefinitions = named.some((one) => isCustomField(studyListRules, one.field))
  const accounts = [...new Set(scope.namespaces.map((one) => one.accountUuid))]
  const definitions = needsDefinitions ? await listDefinitions(db, accounts, 'Study') : []
  const widened = await Promise.all([query.filters, ...alternatives].map((terms) => withSpellings(db, scope, terms)))
  const [filters = [], ...others] = widened
  return askStudies(scope, caller, { ...query, filters }, others, definitions)
}

/**
 * Tags are found as they are added: whatever their case and accents. The spellings in use are looked up first, since the
 * database judges by the values themselves how many studies a tag has, and so whether its index serves.
 */
function withSpellings(db: Db, scope: StudyScope, terms: readonly FilterTerm[]): Promise<FilterTerm[]> {
  const namespaces = scope.namespaces.map((one) => one.namespaceUuid)
  return Promise.all(
    terms.map(async (term) => {
      if (term.field !== 'tags') return term
      const sent = typeof term.value === 'string' ? [term.value] : term.value
      const spellings = await listSpellings(db, namespaces, [...new Set(sent.map(foldText))])
      return { ...term, value: [...new Set([...sent, ...spellings])] }
    }),
  )
}
