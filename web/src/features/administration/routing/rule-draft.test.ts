import {
  conditionOperators,
  conditionTransforms,
  delayFields,
  routeFlags,
  routeTriggers,
  weekdays,
} from '@hilum/contract/routing-rule'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RoutingRule } from '../../../queries/routing-rules.ts'
import { draftFault, draftOf, sentOf } from './rule-draft.ts'

const flag = fc.constantFrom(0 as const, 1 as const)
const clock = fc.constantFrom('00:00', '07:30', '18:00', '24:00')
const condition = fc
  .record({
    lv: fc.constantFrom('modality', 'study_date', 'patient_age'),
    op: fc.constantFrom(...conditionOperators),
    rv: fc.string(),
    more: fc.array(fc.string()),
    transform: fc.option(fc.constantFrom(...conditionTransforms)),
  })
  .map(({ lv, op, rv, more, transform }) => ({
    lv,
    op,
    rv: op === 'in' ? [rv, ...more] : rv,
    ...(transform ? { lv_transform: transform } : {}),
  }))
const action = fc.oneof(
  fc.uuid().map((namespace) => ({ namespace, name: 'A' })),
  fc.uuid().map((webhook) => ({ webhook, name: 'B' })),
  fc.uuid().map((destination) => ({ destination, name: 'C' })),
  fc.constant({ share_code: 'HEART-1', name: 'D' }),
)
const schedule = fc.record({ days: fc.subarray([...weekdays]), start: clock, stop: clock, isInverted: fc.boolean() })
const rules = fc
  .record({
    flags: fc.record(Object.fromEntries(routeFlags.map((name) => [name, flag]))),
    conditions: fc.array(condition, { maxLength: 4 }),
    actions: fc.array(action, { maxLength: 4 }),
    options: fc.subarray(['match_any', 'bypass_approval'] as const),
    hours: fc.option(schedule),
    seconds: fc.nat({ max: 5000 }),
    afterSeconds: fc.nat({ max: 5000 }),
    roles: fc.array(fc.uuid(), { maxLength: 3 }),
    suspended: flag,
    places: fc.array(fc.uuid(), { minLength: 1, maxLength: 3 }),
    from: fc.constantFrom('', ...delayFields),
  })
  .map(
    ({ flags, hours, options, seconds, afterSeconds, roles, places, from, ...rest }): RoutingRule =>
      ({
        uuid: 'r',
        name: 'Rule',
        row_version: 3,
        namespace_id: places[0],
        other_namespaces: places.slice(1).join(','),
        namespaces: places.map((uuid) => ({ uuid, name: uuid })),
        options: Object.fromEntries(options.map((name) => [name, 1])),
        schedule: hours && {
          ...Object.fromEntries(hours.days.map((day) => [day, 1])),
          start: hours.start,
          stop: hours.stop,
          tz: 'Europe/Berlin',
          ...(hours.isInverted ? { invert: 1 } : {}),
        },
        delay_seconds: seconds,
        delay_from_study_field: from,
        delay_from_study_seconds: afterSeconds,
        manual_roles: roles.join(','),
        ...flags,
        ...rest,
      }) as RoutingRule, // fields that only lists show are not read here
  )

/** A rule as the server has it once the form has sent it. */
function saved(rule: RoutingRule, sent: ReturnType<typeof sentOf>) {
  const options = Object.fromEntries(Object.entries(sent.options).filter(([, value]) => value === 1))
  const actions = sent.actions.map((one, at) => ({ ...one, name: rule.actions[at]?.name }))
  const hours = Object.keys(sent.schedule).length > 0 ? sent.schedule : null
  return { ...rule, ...sent, options, actions, schedule: hours }
}

test('a rule that is saved as it was opened loses nothing, whoever made it', () => {
  fc.assert(
    fc.property(rules, (rule) => {
      expect(saved(rule, sentOf(draftOf(rule, 'UTC'), rule))).toEqual(rule)
    }),
  )
})

test('a rule that would do nothing, or never starts, is saved switched off alone', () => {
  fc.assert(
    fc.property(rules, (rule) => {
      const draft = { ...draftOf(rule, 'UTC'), conditions: [], hasHours: false }
      const isWhole = routeTriggers.some((name) => draft.when[name]) && draft.actions.length > 0
      expect(draftFault({ ...draft, isOn: false })).toBeUndefined()
      expect(draftFault({ ...draft, isOn: true }) === undefined).toBe(isWhole)
    }),
  )
})
