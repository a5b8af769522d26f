import {
  routeAdd,
  routeDelete,
  routeGet,
  routeList,
  routeMove,
  routeRunAgain,
  routeRuns,
  routeSet,
  routeTargets,
  routeTest,
  type RoutingRule,
} from '@hilum/contract/calls/route'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { callBundle } from '../api/call-bundle.ts'
import type { GridView } from '../ui/grid-view.ts'
import { pageOf } from './page-of.ts'

export type { RoutingRule }
export type RuleTargets = Awaited<ReturnType<typeof fetchTargets>>

export interface RuleFilters {
  name: string
  state: '' | 'active' | 'disabled'
}
export const noRuleFilters: RuleFilters = { name: '', state: '' }

const key = 'routing-rules'

/** A page of an account's routing rules (ADMIN-ROUTES-03). */
export function routingRulesQuery(accountId: string, { page, rows, sort }: GridView, filters: RuleFilters) {
  const name = filters.name.trim().replaceAll('%', '')
  return queryOptions({
    queryKey: [key, accountId, page, rows, sort, filters],
    queryFn: ({ signal }) =>
      callApi(
        routeList,
        { account_id: accountId },
        {
          signal,
          list: {
            'page.rows': rows,
            'page.number': page,
            sort_by: `${sort.field}-${sort.isDescending ? 'desc' : 'asc'}`,
            'filter.name.like': name ? `%${name}%` : undefined,
            'filter.suspended.equals': filters.state ? Number(filters.state === 'disabled') : undefined,
          },
        },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

export function routingRuleQuery(uuid: string) {
  return queryOptions({
    queryKey: [key, 'one', uuid],
    queryFn: ({ signal }) => callApi(routeGet, { uuid }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

function fetchTargets(accountId: string, signal: AbortSignal) {
  return callApi(routeTargets, { account_id: accountId }, { signal })
}

/** Names of all that rules of an account can be for and act on. */
export function ruleTargetsQuery(accountId: string) {
  return queryOptions({
    queryKey: [key, 'targets', accountId],
    queryFn: ({ signal }) => fetchTargets(accountId, signal),
  })
}

/** Runs of a rule, or of those the ones that failed. */
export function ruleRunsQuery(uuid: string, view: GridView, onlyFailed: boolean) {
  const list = { ...pageOf(view), ...(onlyFailed ? { 'filter.state.equals': 'failed' } : {}) }
  return queryOptions({
    queryKey: [key, 'runs', uuid, view, onlyFailed],
    queryFn: ({ signal }) => callApi(routeRuns, { uuid }, { signal, list }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

/** Runs a rule again that failed on a study. */
export function useRunAgain() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ rule, run }: { rule: string; run: string }) => callApi(routeRunAgain, { uuid: rule, run_id: run }),
    onSettled: () => client.invalidateQueries({ queryKey: [key, 'runs'] }),
  })
}

/** A rule as the form sends it. */
export interface RuleFields {
  uuid?: string
  row_version?: number
  name: string
  suspended: 0 | 1
  namespace_id: string
  other_namespaces: string
  on_upload: 0 | 1
  on_harvest: 0 | 1
  on_share: 0 | 1
  on_manual_route: 0 | 1
  delay_till_schedule: 0 | 1
  conditions: { lv: string; op: string; rv: string | string[]; lv_transform?: string }[]
  actions: Record<string, string>[]
  options: Record<string, unknown>
  schedule: Record<string, unknown>
  delay_seconds: number
  no_re_run: 0 | 1
  only_re_run: 0 | 1
  delay_from_study_field: string
  delay_from_study_seconds: number
  /** Uuids of roles with commas. */
  manual_roles: string
}

/** Makes or changes a rule. */
export function useSaveRule() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ uuid, row_version, ...rule }: RuleFields) => {
      if (!uuid) return callApi(routeAdd, rule)
      return callApi(routeSet, { ...rule, uuid, ...(row_version === undefined ? {} : { row_version }) })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [key] }),
  })
}

/** Tries a rule that is not saved on the last studies, or those of so many days. */
export function useTestRule() {
  return useMutation({
    mutationFn: ({ rule, days }: { rule: RuleFields; days: number | undefined }) => {
      const { name: _name, row_version: _version, ...tested } = rule
      return callApi(routeTest, { ...tested, ...(days === undefined ? {} : { days }) })
    },
  })
}

export type RuleAct = 'enable' | 'disable' | 'delete' | 'undelete'

/**
 * Does one thing to rules, in one request; tells what became of each, with its version now, also where a deleted one came
 * back switched off. What is taken back is so only where nobody changed the rule since.
 */
export function useActOnRules() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ act, rules, isUndo }: { act: RuleAct; rules: readonly RoutingRule[]; isUndo: boolean }) => {
      const named = ({ uuid, row_version }: RoutingRule) => ({ uuid, ...(isUndo ? { row_version } : {}) })
      const results =
        act === 'delete' || act === 'undelete'
          ? await callBundle(
              routeDelete,
              rules.map((rule) => ({ parameters: { ...named(rule), ...(act === 'undelete' ? { undo: 1 } : {}) } })),
            )
          : await callBundle(
              routeSet,
              rules.map((rule) => ({ parameters: { ...named(rule), suspended: act === 'disable' ? 1 : 0 } })),
            )
      return rules.map((rule, at) => {
        const result = results[at]
        if (!result) return { rule, failure: new ApiFailure('UNEXPECTED_ERROR'), isSwitchedOff: false }
        if (!result.isDone) return { rule, failure: result.failure, isSwitchedOff: false }
        const { reply } = result
        const isSwitchedOff = 'suspended' in reply && reply.suspended === 1
        return { rule: { ...rule, row_version: reply.row_version }, failure: undefined, isSwitchedOff }
      })
    },
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  })
}

const moveKey = ['move-rule']

/** The place that a rule was sent to and whose row does not stand there yet. */
export function useAwaitedPlace(): (uuid: string) => number | undefined {
  const client = useQueryClient()
  return (uuid) =>
    client
      .getMutationCache()
      .findAll({ mutationKey: moveKey, status: 'pending' })
      .map(({ state }) => state.variables as { uuid: string; sequence: number }) // of useMoveRule
      .findLast((one) => one.uuid === uuid)?.sequence
}

/** Puts a rule at another place in the order. */
export function useMoveRule() {
  const client = useQueryClient()
  return useMutation({
    // one after the other, as they were asked for
    scope: { id: 'move-rule' },
    mutationKey: moveKey,
    mutationFn: ({ uuid, sequence }: { uuid: string; sequence: number }) => callApi(routeMove, { uuid, sequence }),
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  })
}
