import { filterClientKey } from '@hilum/contract/calls/filter'
import { studyListRules } from '@hilum/contract/calls/study'
import { ApiError } from '@hilum/contract/errors'
import type { FilterTerm, ListQuery } from '@hilum/contract/list'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/database.ts'
import { readFilter } from '../read-filter.ts'
import { findSavedSearches, type SavedSearchRow } from './filter.sql.ts'

/** How deep a list of saved searches may name lists, and how many alternatives one search may come to. */
const maxDepth = 3
const maxAlternatives = 20

/**
 * The alternatives that a saved search adds to a list's own filters; one of them holds, with all its terms. Every
 * search on the way must be visible to the reader, and finds only what the reader may see.
 * @throws ApiError FILTER_NOT_FOUND with the uuid that is not there or not for this caller
 */
export async function findAlternatives(db: Db, caller: Caller, query: ListQuery): Promise<FilterTerm[][]> {
  if (query.filterId === undefined) return [[]]
  const alternatives = await expand(db, caller, [query.filterId], maxDepth)
  return alternatives.slice(0, maxAlternatives)
}

/**
 * The terms of a kept configuration; a list of saved searches has none of its own.
 * @throws ApiError INVALID_FIELD, INVALID_CONDITION, INVALID_JSON for an expression that no study list understands
 */
export function readExpressions(configuration: Readonly<Record<string, unknown>>): FilterTerm[] {
  return Object.entries(configuration)
    .map(([key, value]) => [key.startsWith('filter.') ? key : `filter.${key}`, value] as const)
    .filter(([key]) => key !== 'filter.tz' && key !== `filter.${filterClientKey}`)
    .map(([key, value]) => readFilter(studyListRules, key, value))
}

async function expand(db: Db, caller: Caller, uuids: readonly string[], depth: number): Promise<FilterTerm[][]> {
  const rows = await findSavedSearches(db, caller, uuids)
  const found = new Map(rows.map((row) => [row.uuid, row]))
  const alternatives: FilterTerm[][] = []
  for (const uuid of uuids) {
    const row = found.get(uuid.toLowerCase())
    if (!row || depth === 0) throw new ApiError('FILTER_NOT_FOUND', { subtype: uuid })
    // lists of lists of lists come to thousands, each read from the database
    if (alternatives.length >= maxAlternatives) break
    alternatives.push(...(await alternativesOf(db, caller, row, depth)))
  }
  return alternatives
}

async function alternativesOf(db: Db, caller: Caller, row: SavedSearchRow, depth: number): Promise<FilterTerm[][]> {
  return Array.isArray(row.configuration)
    ? expand(db, caller, row.configuration, depth - 1)
    : [readExpressions(row.configuration)]
}
