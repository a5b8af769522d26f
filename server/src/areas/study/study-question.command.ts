import { isCustomField, type ListQuery } from '@hilum/contract/list'
import { studyListRules } from '@hilum/contract/calls/study'
import type { Caller } from '../../access/caller.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { findAlternatives } from '../filter/search-alternatives.command.ts'
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
  return askStudies(scope, caller, query, alternatives, definitions)
}
