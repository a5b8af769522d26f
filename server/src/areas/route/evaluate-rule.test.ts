import { conditionFault, type RouteCondition } from '@hilum/contract/routing-rule'
import { expect, it } from 'vitest'
import { decideRun } from './decide-run.ts'
import { evaluateConditions, meetsCondition, type RuledStudy } from './evaluate-rule.ts'
import { findCircle } from './rule-circle.ts'
import { isWithinSchedule, nextWithin } from './rule-schedule.ts'

const field = '3d5b3a51-9c9d-4d3a-b1c4-5c9d3a51b1c4'
const study: RuledStudy = {
  modalities: ['CT', 'SR'],
  referring_physician: 'KOVAČ^LUKA',
  source_ae_title: 'SCANNER1',
  destination_ae_title: '',
  patientid: 'A-17',
  study_date: '20260301',
  study_description: 'CT Thorax',
  status: 'new',
  patient_age: '034Y',
  patient_birth_date: '19910305',
  accession_number: '100',
  created: new Date('2026-03-02T10:00:00Z'),
  customfields: { [field]: '12' },
}
const now = new Date('2026-03-04T10:00:00Z')
const met = (
  lv: string,
  op: RouteCondition['op'],
  rv: string | string[],
  lv_transform?: RouteCondition['lv_transform'],
) => {
  const condition = { lv, op, rv, ...(lv_transform ? { lv_transform } : {}) }
  expect(conditionFault(condition)).toBeUndefined()
  return meetsCondition(condition, study, now)
}

it('[ENTITY-16] compares texts without regard to case, any of the modalities, and dates with or without dashes', () => {
  expect(met('modality', 'equals', 'sr')).toBe(true)
  expect(met('modality', 'not_equals', 'SR')).toBe(false)
  expect(met('modality', 'in', ['MR', 'CT'])).toBe(true)
  expect(met('modality', 'in', ['MR'])).toBe(false)
  expect(met('study_description', 'contains', 'thorax')).toBe(true)
  expect(met('study_description', 'not_contains', 'thorax')).toBe(false)
  expect(met('referring_physician', 'begins_with', 'kovač')).toBe(true)
  expect(met('referring_physician', 'not_begins_with', 'kovač')).toBe(false)
  expect(met('study_date', 'equals', '2026-03-01')).toBe(true)
  expect(met('study_date', 'less_than', '20260301')).toBe(false)
  expect(met('study_date', 'less_than_or_equals', '20260301')).toBe(true)
  expect(met('destination_ae_title', 'equals', '')).toBe(true)
  expect(met('study_status', 'equals', 'new')).toBe(true)
})

it('compares numbers as numbers, ages in years and moments in time', () => {
  expect(met('accession_number', 'greater_than', '20')).toBe(true)
  expect(met(`customfield-${field}`, 'greater_than_or_equals', '12')).toBe(true)
  expect(met(`customfield-${field}`, 'greater_than', '12')).toBe(false)
  expect(met('patient_age', 'equals', '34')).toBe(true)
  expect(met('patient_age', 'less_than', '408M')).toBe(false)
  expect(met('created', 'equals', '2026-03-02')).toBe(true)
  expect(met('created', 'greater_than', '2026-03-02 09:59')).toBe(true)
  expect(met('patientid', 'greater_than', 'A-16')).toBe(true)
  expect(met('destination_ae_title', 'less_than', 'Z')).toBe(false)
  expect(met('patient_birth_date', 'equals', '34', 'years_old')).toBe(true)
  expect(met('study_date', 'greater_than', '2', 'days_old')).toBe(true)
  expect(met('created', 'less_than', '49', 'hours_old')).toBe(true)
  expect(met('created', 'equals', '2880', 'minutes_old')).toBe(true)
})

it('takes all conditions, or one of them, or every study without any, and names those that are not met', () => {
  const conditions: RouteCondition[] = [
    { lv: 'modality', op: 'equals', rv: 'CT' },
    { lv: 'patientid', op: 'equals', rv: 'B' },
  ]
  expect(evaluateConditions({ conditions, options: {} }, study, now)).toEqual({ isMet: false, failed: [1] })
  expect(evaluateConditions({ conditions, options: { match_any: 1 } }, study, now)).toEqual({
    isMet: true,
    failed: [1],
  })
  expect(evaluateConditions({ conditions: [], options: { match_any: 1 } }, study, now).isMet).toBe(true)
  expect(evaluateConditions({ conditions: conditions.slice(1), options: { match_any: 1 } }, study, now).isMet).toBe(
    false,
  )
})

it.each([
  [{ lv: 'hl7_OBR_4', op: 'equals', rv: 'x' }, 'UNKNOWN_FIELD'],
  [{ lv: 'toString', op: 'equals', rv: 'x' }, 'UNKNOWN_FIELD'],
  [{ lv: 'modality', op: 'like', rv: 'x' }, 'UNKNOWN_OPERATOR'],
  [{ lv: 'modality', op: 'equals', rv: '3', lv_transform: 'years_old' }, 'UNKNOWN_TRANSFORM'],
  [{ lv: 'study_date', op: 'equals', rv: '2026-02-30' }, 'BAD_VALUE'],
  [{ lv: 'study_date', op: 'less_than', rv: '' }, 'BAD_VALUE'],
  [{ lv: 'study_date', op: 'less_than', rv: 'x', lv_transform: 'days_old' }, 'BAD_VALUE'],
  [{ lv: 'modality', op: 'in', rv: [] }, 'BAD_VALUE'],
  [{ lv: 'modality', op: 'equals', rv: ['CT'] }, 'BAD_VALUE'],
  [null, 'BAD_VALUE'],
])('refuses the condition %j as %s', (condition, fault) => {
  expect(conditionFault(condition)).toBe(fault)
})

const rule = {
  conditions: [],
  options: {},
  schedule: null,
  flags: [],
  delay_seconds: 0,
  delay_from_study_field: '',
  delay_from_study_seconds: 0,
  saver_zone: '',
  names_gone_field: false,
}
// a Wednesday, 10:00 in London
const hours = { mon: 1, wed: 1, start: '22:00', stop: '02:00', tz: 'Europe/London' } as const

it('waits for its delay, for the time after a date of the study, and for the opening of its schedule', () => {
  const ruled = { ...study, must_approve: false }
  expect(decideRun({ ...rule, delay_seconds: 60 }, ruled, now).runAt).toEqual(new Date('2026-03-04T10:01:00Z'))
  const after = { ...rule, delay_from_study_field: 'study_date', delay_from_study_seconds: 7 * 86_400 }
  expect(decideRun(after, ruled, now).runAt).toEqual(new Date('2026-03-08T00:00:00Z'))
  expect(decideRun({ ...rule, schedule: hours }, ruled, now)).toMatchObject({ reason: 'OUTSIDE_SCHEDULE' })
  const held = decideRun({ ...rule, schedule: hours, flags: ['delay_till_schedule'] }, ruled, now)
  expect(held).toMatchObject({ state: 'waiting', runAt: new Date('2026-03-04T22:00:00Z') })
})

it('waits for approval unless the rule passes over it, before it looks at anything', () => {
  const conditions: RouteCondition[] = [{ lv: 'modality', op: 'equals', rv: 'MR' }]
  const awaiting = { ...study, must_approve: true }
  expect(decideRun({ ...rule, conditions }, awaiting, now)).toMatchObject({
    state: 'waiting',
    reason: 'AWAITS_APPROVAL',
  })
  const passing = { ...rule, conditions, options: { bypass_approval: 1 } as const }
  expect(decideRun(passing, awaiting, now)).toMatchObject({ reason: 'CONDITIONS', detail: { failed: [0] } })
})

it('counts hours past midnight to the day they began on, and turns a schedule round', () => {
  expect(isWithinSchedule(hours, new Date('2026-03-04T23:00:00Z'))).toBe(true)
  expect(isWithinSchedule(hours, new Date('2026-03-05T01:59:00Z'))).toBe(true)
  expect(isWithinSchedule(hours, new Date('2026-03-05T02:00:00Z'))).toBe(false)
  expect(isWithinSchedule(hours, new Date('2026-03-05T23:00:00Z'))).toBe(false)
  expect(isWithinSchedule({ ...hours, invert: 1 }, new Date('2026-03-05T23:00:00Z'))).toBe(true)
  // summer time: 22:00 in London is 21:00 in UTC
  expect(nextWithin(hours, new Date('2026-06-02T00:00:00Z'))).toEqual(new Date('2026-06-02T00:00:00Z'))
  expect(nextWithin(hours, new Date('2026-06-03T10:00:00Z'))).toEqual(new Date('2026-06-03T21:00:00Z'))
})

it('finds rules that send studies round, at once or along others that shares start', () => {
  const make = (from: string, to: string, flags: readonly 'on_share'[] = ['on_share']) => ({
    namespace_uuid: from,
    other_namespaces: [],
    actions: [{ webhook: 'w' }, { namespace: to }],
    flags: [...flags],
  })
  expect(findCircle(make('a', 'a', []), [], [])).toBe(1)
  expect(findCircle(make('a', 'b'), [], [])).toBeUndefined()
  expect(findCircle(make('a', 'b'), [make('b', 'c'), make('c', 'a')], [])).toBe(1)
  expect(findCircle(make('a', 'b'), [make('b', 'c'), make('c', 'a', [])], [])).toBeUndefined()
  expect(findCircle(make('a', 'b', []), [make('b', 'a')], [])).toBeUndefined()
  const byCode = {
    ...make('a', 'b'),
    actions: [{ share_code: 'X', to: { kind: 'group' as const, uuid: 'g', name: 'G' } }],
  }
  const led = (uuid: string) => [{ kind: 'group' as const, owner_uuid: 'g', uuid }]
  expect(findCircle(byCode, [], led('a'))).toBe(0)
  expect(findCircle(byCode, [make('b', 'a')], led('b'))).toBe(0)
  expect(findCircle(make('b', 'a'), [byCode], led('b'))).toBe(1)
  expect(findCircle(byCode, [make('b', 'a')], [])).toBeUndefined()
})

it('compares days of an arrival in the zone of the hours of the rule, else of the person who saved the rule', () => {
  const late = { ...study, created: new Date('2026-03-02T23:30:00Z') }
  const on = (op: RouteCondition['op'], rv: string, rule: object) =>
    evaluateConditions({ conditions: [{ lv: 'created', op, rv }], options: {}, ...rule }, late, now).isMet
  const berlin = { saver_zone: 'Europe/Berlin' }
  expect(on('equals', '2026-03-03', berlin)).toBe(true)
  expect(on('equals', '20260303', berlin)).toBe(true)
  expect(on('not_equals', '2026-03-02', berlin)).toBe(true)
  expect(on('greater_than_or_equals', '2026-03-03', berlin)).toBe(true)
  expect(on('less_than', '2026-03-03', berlin)).toBe(false)
  expect(on('begins_with', '2026-03-03', berlin)).toBe(true)
  expect(on('equals', '2026-03-02', {})).toBe(true)
  const schedule = { mon: 1, start: '08:00', stop: '18:00', tz: 'America/New_York' } as const
  expect(on('equals', '2026-03-02', { ...berlin, schedule })).toBe(true)
  // a moment is a moment everywhere
  expect(on('greater_than', '2026-03-02T23:29:00Z', berlin)).toBe(true)
  expect(on('less_than', '2026-03-02T23:31:00Z', berlin)).toBe(true)
})

it.each(['contains', 'not_contains', 'begins_with', 'not_begins_with'])(
  'a part of a text (%s) is not empty: every study would have it',
  (op) => {
    expect(conditionFault({ lv: 'study_description', op, rv: '' })).toBe('BAD_VALUE')
    expect(conditionFault({ lv: 'study_description', op, rv: '  ' })).toBe('BAD_VALUE')
    // dashes of dates do not count
    expect(conditionFault({ lv: 'study_date', op, rv: '-' })).toBe('BAD_VALUE')
    expect(conditionFault({ lv: 'study_description', op, rv: '-' })).toBeUndefined()
    expect(conditionFault({ lv: 'study_date', op, rv: '2026-' })).toBeUndefined()
  },
)
