import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import { routeFlags } from '../routing-rule.ts'
import * as wire from '../wire.ts'

/** A condition: left value, operator, right value. */
const conditionObject = z.object({
  lv: z.string(),
  op: z.string(),
  rv: z.union([z.string(), z.array(z.string())]),
  lv_transform: z.optional(z.string()),
})

/** An action with one of the keys, and ours: kind and name of the object, empty when it was deleted. */
const actionObject = z.object({
  namespace: z.optional(z.string()),
  webhook: z.optional(z.string()),
  destination: z.optional(z.string()),
  share_code: z.optional(z.string()),
  type: z.optional(z.enum(['GROUP', 'LOCATION', 'PERSONAL'])),
  name: z.string(),
})
export type ShownAction = z.infer<typeof actionObject>

const placeObject = z.object({ uuid: z.string(), name: z.string() })

const flagsOut = Object.fromEntries(routeFlags.map((name) => [name, flagOut])) as Record<
  (typeof routeFlags)[number],
  typeof flagOut
> // one entry for each name

/** A routing rule (ENTITY-16). */
const routeObject = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Place of the studies that the rule looks at; more in `other_namespaces`, ids with commas. */
  namespace_id: z.string(),
  namespace_name: z.string(),
  /** 1 where the place is that of a group, or of a location. */
  for_group: flagOut,
  for_location: flagOut,
  other_namespaces: z.string(),
  /** Ours: all places with their names. */
  namespaces: z.array(placeObject),
  /** Place in the order in which rules are looked at, from 1. */
  sequence: z.number(),
  suspended: flagOut,
  ...flagsOut,
  conditions: z.array(conditionObject),
  actions: z.array(actionObject),
  options: z.record(z.string(), z.unknown()),
  schedule: z.nullable(z.record(z.string(), z.unknown())),
  /** In minutes, rounded down. */
  delay: z.number(),
  delay_seconds: z.number(),
  delay_from_study_field: z.string(),
  delay_from_study_seconds: z.number(),
  /** Uuids of roles with commas; empty for all. */
  manual_roles: z.string(),
  capture_email: flagOut,
  /** Changes with each change of the rule (ours). */
  row_version: z.number(),
})
export type RoutingRule = z.infer<typeof routeObject>

export const routeList = defineCall({
  path: 'route/list',
  reads: true,
  summary: 'Lists the routing rules of an account, in the order in which they are looked at.',
  on: { kind: 'account', by: ['account_id'], may: 'administerRoutes' },
  list: {
    object: 'route',
    rowsKey: 'routes',
    filters: {
      uuid: 'uuid',
      name: 'text',
      suspended: 'flag',
      namespace_id: 'uuid',
      namespace_name: 'text',
      on_upload: 'flag',
      on_harvest: 'flag',
      on_share: 'flag',
      on_manual_route: 'flag',
      on_thin: 'flag',
      no_re_run: 'flag',
      only_re_run: 'flag',
      delay_till_schedule: 'flag',
      delay_seconds: 'integer',
      sequence: 'integer',
    },
    sorts: ['name', 'sequence', 'suspended', 'namespace_name', 'delay_seconds'],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ routes: z.array(routeObject), page: wire.page }),
  errors: [],
})

export const routeGet = defineCall({
  path: 'route/get',
  reads: true,
  summary: 'Reads one routing rule.',
  on: { kind: 'account', by: ['uuid'], owner: 'routing_rule', may: 'administerRoutes' },
  input: z.object({ uuid: wire.id() }),
  output: routeObject,
  errors: [],
})

const flagsIn = Object.fromEntries(routeFlags.map((name) => [name, z.optional(wire.flag())])) as Record<
  (typeof routeFlags)[number],
  z.ZodMiniOptional<ReturnType<typeof wire.flag>>
> // one entry for each name

const values = {
  conditions: z.optional(wire.json(z.unknown())),
  actions: z.optional(wire.json(z.unknown())),
  options: z.optional(wire.json(z.unknown())),
  schedule: z.optional(wire.json(z.unknown())),
  ...flagsIn,
  suspended: z.optional(wire.flag()),
  delay: z.optional(wire.integer()),
  delay_seconds: z.optional(wire.integer()),
  other_namespaces: z.optional(wire.clearableText()),
  manual_roles: z.optional(wire.clearableText()),
  delay_from_study_field: z.optional(wire.clearableText()),
  delay_from_study_seconds: z.optional(wire.integer()),
}

const faultsOfValues = [
  'INVALID_ACTION',
  'INVALID_CONDITION',
  'INVALID_FIELD',
  'INVALID_FLAG',
  'INVALID_INTEGER',
  'INVALID_JSON',
  'INVALID_MANUAL_ROLES',
  'INVALID_OPTION',
  'INVALID_OTHER_NAMESPACES',
  'INVALID_SCHEDULE',
] as const

const places = {
  account_id: z.optional(wire.id()),
  group_id: z.optional(wire.id()),
  location_id: z.optional(wire.id()),
  namespace_id: z.optional(wire.id()),
}
const placeNames = ['namespace_id', 'group_id', 'location_id', 'account_id'] as const

export const routeAdd = defineCall({
  path: 'route/add',
  once: {},
  summary:
    'Makes a routing rule for the studies of one place and perhaps others. A rule that loops, or names something that is not there, is refused with the reason in error_data. Sharing by a share code takes the permissions for it in the account; LOCKOUT after too many codes that nobody has.',
  on: { kind: 'account', by: placeNames, owner: 'namespace', may: 'editRoutes' },
  decides: { share_code: 'sendByShareCode' },
  input: z.object({ ...places, name: wire.text(), ...values }),
  output: z.object({ uuid: z.string() }),
  errors: [...faultsOfValues, 'INVALID_LINKAGE', 'LOCKOUT'],
})

export const routeSet = defineCall({
  path: 'route/set',
  summary:
    'Changes a routing rule. With the row_version that was read, a change by somebody else meanwhile answers STALE.',
  on: { kind: 'account', by: ['uuid'], owner: 'routing_rule', may: 'editRoutes' },
  decides: { share_code: 'sendByShareCode' },
  input: z.object({
    uuid: wire.id(),
    name: z.optional(wire.text()),
    namespace_id: z.optional(wire.id()),
    row_version: z.optional(wire.integer()),
    ...values,
  }),
  /** `row_version` of the rule as it is now (ours). */
  output: z.object({ row_version: z.number() }),
  errors: [...faultsOfValues, 'INVALID_LINKAGE', 'LOCKOUT', 'STALE'],
})

export const routeDelete = defineCall({
  path: 'route/delete',
  summary:
    'Deletes a routing rule; with undo=1 brings it back. Its runs stay on record. A rule that was switched on comes back switched off, with suspended 1, where route/set would not take it by now: what it names is gone, it would send studies round in a circle, or the caller may not share by its codes. With the row_version that was read or answered last, a change by somebody else meanwhile answers STALE.',
  on: { kind: 'account', by: ['uuid'], owner: 'routing_rule', may: 'editRoutes' },
  input: z.object({ uuid: wire.id(), undo: z.optional(wire.flag()), row_version: z.optional(wire.integer()) }),
  /** `row_version` of the rule as it is now (ours). */
  output: z.object({ row_version: z.number(), suspended: z.optional(flagOut) }),
  errors: ['INVALID_FLAG', 'INVALID_INTEGER', 'STALE'],
})

export const routeMove = defineCall({
  path: 'route/move',
  ours: true,
  summary: 'Puts a routing rule at another place in the order in which rules are looked at.',
  on: { kind: 'account', by: ['uuid'], owner: 'routing_rule', may: 'editRoutes' },
  input: z.object({ uuid: wire.id(), sequence: wire.integer() }),
  output: wire.statusOnly,
  errors: ['INVALID_INTEGER'],
})

/** States of a run; those that ended are done, failed, or not matched. */
const routeRunStates = ['waiting', 'done', 'failed', 'not_matched'] as const
export type RouteRunState = (typeof routeRunStates)[number]

const runObject = z.object({
  uuid: z.string(),
  route_id: z.string(),
  route_name: z.string(),
  /** upload, harvest, share or manual. */
  trigger: z.string(),
  state: z.enum(routeRunStates),
  /** Code of the reason, empty when all went well. */
  reason: z.string(),
  /** Results of the actions, and numbers of the conditions that were not met, from 0. */
  detail: z.record(z.string(), z.unknown()),
  study_id: z.string(),
  /** Empty where the caller may not see the study. */
  patient_name: z.string(),
  place_name: z.string(),
  created: z.string(),
  ended: z.nullable(z.string()),
  run_at: z.nullable(z.string()),
  /** 1 where the run failed, no later one of the rule acts on the study, and the study is there: route/run/again takes it. */
  may_run_again: flagOut,
  /** 1 where it does what a failed run did not. */
  again: flagOut,
})
export type RouteRun = z.infer<typeof runObject>

export const routeRuns = defineCall({
  path: 'route/runs',
  ours: true,
  reads: true,
  summary: 'Lists the runs of a routing rule with their reasons, the latest first.',
  on: { kind: 'account', by: ['uuid'], owner: 'routing_rule', may: 'administerRoutes' },
  list: {
    object: 'run',
    rowsKey: 'runs',
    filters: { state: 'exact', created: 'stamp' },
    sorts: ['created'],
    defaultRows: 50,
  },
  input: z.object({ uuid: wire.id() }),
  output: z.object({ runs: z.array(runObject), page: wire.page }),
  errors: [],
})

export const routeRunAgain = defineCall({
  path: 'route/run/again',
  ours: true,
  summary:
    'Runs a rule again that failed on a study, for the actions that were not done. ALREADY_EXISTS where a later run of the rule has acted on the study, waits, or failed: that one can be run again. ROUTE_NOT_MATCHED with the reason where the rule would not run: it is switched off, not for the place of the study or the way by which the study came, outside its hours, or its conditions are not met.',
  on: { kind: 'account', by: ['uuid'], owner: 'routing_rule', may: 'editRoutes' },
  input: z.object({ uuid: wire.id(), run_id: wire.id() }),
  output: wire.statusOnly,
  errors: ['ALREADY_EXISTS', 'ROUTE_NOT_MATCHED'],
})

/** Most runs that one call looks at. */
export const mostRunsAgain = 1000

export const routeRunsAgain = defineCall({
  path: 'route/runs/again',
  ours: true,
  postOnly: true,
  summary:
    'Runs a rule again on the studies on which account/stuck says that it failed, the oldest first, as route/run/again does for one, each on record. Tells on how many it runs, and on how many it would not: it is switched off, not for their place or the way by which they came, outside its hours, or its conditions are not met. One call looks at 1,000; left are those behind them, which a call with last_run_id as after_run_id looks at.',
  on: { kind: 'account', by: ['uuid'], owner: 'routing_rule', may: 'editRoutes' },
  input: z.object({ uuid: wire.id(), after_run_id: z.optional(wire.id()) }),
  output: z.object({ again: z.number(), not_again: z.number(), left: z.number(), last_run_id: z.string() }),
  errors: [],
})

/** Days that a test looks back instead of at the last studies. */
export const testDays = 30
/** Most studies of a test. */
export const testStudies = 100
/** Most studies of a test by days. */
export const testStudiesOfDays = 2000

const testedObject = z.object({
  uuid: z.string(),
  patient_name: z.string(),
  study_description: z.string(),
  modality: z.string(),
  place_name: z.string(),
  created: z.string(),
  matched: flagOut,
  /** Numbers of the conditions that were not met, from 0. */
  failed: z.array(z.number()),
  /** 1 where webhooks are called before the study is approved, and all else is done afterwards. */
  waits_approval: flagOut,
  /** When the rule would act, were it asked at `tested_at`; null where it does not match, or never would since that moment is outside its hours. */
  acts_at: z.nullable(z.string()),
})

export const routeConflicts = ['SAME_ACTION', 'SENDS_BACK'] as const

export const routeTest = defineCall({
  path: 'route/test',
  ours: true,
  reads: true,
  summary:
    'Tells which of the last 100 studies, or with days those of so many days, a rule would match and why not, when it would act, and which other rules do the same or send studies back. With the option bypass_approval studies that wait for approval are among them. Only studies that the caller may see are looked at; the others are counted.',
  on: { kind: 'account', by: placeNames, owner: 'namespace', may: 'editRoutes' },
  input: z.object({ ...places, ...values, uuid: z.optional(wire.id()), days: z.optional(wire.integer()) }),
  output: z.object({
    studies: z.array(testedObject),
    matched: z.number(),
    tested_at: z.string(),
    /** 1 where more studies came in the days: only the latest of them were looked at, or counted. */
    is_cut: flagOut,
    /** Studies of the places that the caller may not see, or not before their approval. */
    unseen: z.number(),
    conflicts: z.array(
      z.object({ uuid: z.string(), name: z.string(), reason: z.enum(routeConflicts), studies: z.number() }),
    ),
  }),
  errors: [...faultsOfValues, 'INVALID_LINKAGE'],
})

/** A place that a rule can be for; `takes_shares` is 1 where a rule can share with it. */
const targetObject = z.object({
  uuid: z.string(),
  kind: z.enum(['account', 'group', 'location']),
  name: z.string(),
  takes_shares: flagOut,
})

export const routeTargets = defineCall({
  path: 'route/targets',
  ours: true,
  reads: true,
  summary:
    'Lists by name what rules of an account can be for and act on: places, people, webhooks, destinations and custom fields.',
  on: { kind: 'account', by: ['account_id'], may: 'administerRoutes' },
  input: z.object({ account_id: wire.id() }),
  output: z.object({
    places: z.array(targetObject),
    /** With their addresses, since two may have one name. */
    people: z.array(z.extend(placeObject, { email: z.string() })),
    webhooks: z.array(placeObject),
    destinations: z.array(placeObject),
    roles: z.array(placeObject),
    /** `gate_key` is empty of all but the fields that nominations write. */
    customfields: z.array(z.extend(placeObject, { gate_key: z.string() })),
  }),
  errors: [],
})
