import { beforeEach, expect, it, vi } from 'vitest'
import { makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { lookAtRules } from './look-at-rules.job.ts'
import { runRouteActs } from './run-route.job.ts'

/** Rules that change, or whose hours end, while a run of theirs waits. */

const testApp = await startTestApp()
const { services, call, query } = testApp
const { accountUuid, organisation, makePlace, received } = await makeSharing({ services, call })
const admin = await organisation.addPerson({ role: 'Administrator' })

/** A moment on a Wednesday at noon, at which every test begins. */
const noon = new Date('2031-01-15T12:00:00Z')
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: noon })
  return () => vi.useRealTimers()
})
const hours = (start: string, stop: string) => ({ wed: 1, thu: 1, start, stop, tz: 'UTC' })
const minute = 60_000

type Trigger = 'upload' | 'harvest' | 'share'

/** A study at a place with a rule that waits an hour and shares; the rule has looked, and its run waits. */
async function makeWaiting(sent: object = {}, look: { trigger?: Trigger; number?: number } = {}) {
  const [from, to] = [await makePlace(), await makePlace()]
  const rule = {
    sid: admin.sid,
    namespace_id: from.group.namespaceUuid,
    name: 'Later',
    on_harvest: 1,
    delay_seconds: 3600,
    actions: [{ namespace: to.group.namespaceUuid }],
    ...sent,
  }
  const { body } = await call('route/add', rule)
  expect(body).toMatchObject({ status: 'OK' })
  const runs = () =>
    query<{ uuid: string; state: string; reason: string; run_at: Date | null }>(
      `select uuid, state, reason, run_at from route_run where rule_uuid = '${body.uuid}' order by created, uuid`,
    )
  const arrive = async (number = look.number ?? 1) => {
    const occasion = `ready ${number}`
    const trigger = look.trigger ?? 'harvest'
    await lookAtRules(services, { studyUuid: from.uuid, trigger, number, occasion, chain: [] })
  }
  await arrive()
  const [run] = await runs()
  // the database has its own clock
  await query(`update route_run set created = '${noon.toISOString()}' where uuid = '${run?.uuid}'`)
  return {
    rule: body.uuid as string,
    from,
    arrive,
    set: async (change: object) =>
      expect((await call('route/set', { sid: admin.sid, uuid: body.uuid, ...change })).body).toMatchObject({
        status: 'OK',
      }),
    /** Outcome of the run when its work begins so many minutes after its entry. */
    outcome: async (after = 61) => {
      vi.setSystemTime(noon.getTime() + after * minute)
      // its work is taken from the queue
      await query(`delete from work where job = 'run-route'`)
      const work = { work: '', signal: AbortSignal.timeout(30_000) }
      await runRouteActs.run(services, { runUuid: run?.uuid ?? '' }, work)
      const [now] = await runs()
      return {
        state: now?.state,
        reason: now?.reason,
        left: (await received(to, from.study.study_uid)) !== undefined,
        ...(now?.state === 'waiting' ? { until: now.run_at?.toISOString() } : {}),
      }
    },
  }
}

const notMatched = (reason: string) => ({ state: 'not_matched', reason, left: false })
const isDone = { state: 'done', reason: '', left: true }

it('a rule that nobody changed acts when its run is due', async () => {
  const waiting = await makeWaiting({ schedule: hours('08:00', '18:00') })
  expect(await waiting.outcome()).toEqual(isDone)
})

/** Every part of a rule that decides whether it acts: changed while a run waits, it decides anew. */
const changes: [string, object, object][] = [
  ['place', { namespace_id: 'other' }, notMatched('OTHER_PLACE')],
  ['trigger', { on_harvest: 0, on_upload: 1 }, notMatched('OTHER_TRIGGER')],
  ['no trigger at all', { on_harvest: 0 }, notMatched('OTHER_TRIGGER')],
  ['late images alone', { only_re_run: 1 }, notMatched('OTHER_TRIGGER')],
  ['hours', { schedule: hours('20:00', '22:00') }, notMatched('OUTSIDE_SCHEDULE')],
  [
    'hours that are waited for',
    { schedule: hours('20:00', '22:00'), delay_till_schedule: 1 },
    { state: 'waiting', reason: '', left: false, until: '2031-01-15T20:00:00.000Z' },
  ],
  ['all hours but now', { schedule: { ...hours('12:00', '18:00'), invert: 1 } }, notMatched('OUTSIDE_SCHEDULE')],
  ['conditions', { conditions: [{ lv: 'modality', op: 'equals', rv: 'NM' }] }, notMatched('CONDITIONS')],
  ['delay', { delay_seconds: 7200 }, { state: 'waiting', reason: '', left: false, until: '2031-01-15T14:00:00.000Z' }],
  ['switched off', { suspended: 1 }, notMatched('RULE_DISABLED')],
]
it.each(changes)(
  'a run that waits acts by the rule as it is when it is due, not as it was (%s)',
  async (_part, change, outcome) => {
    const waiting = await makeWaiting()
    const other = await makePlace()
    await waiting.set('namespace_id' in change ? { namespace_id: other.group.namespaceUuid } : change)
    expect(await waiting.outcome()).toEqual(outcome)
  },
)

it('a run that waits is put off by a later Not before', async () => {
  const waiting = await makeWaiting()
  await query(`update study set study_date = '20310114' where uuid = '${waiting.from.uuid}'`)
  await waiting.set({ delay_from_study_field: 'study_date', delay_from_study_seconds: 2 * 24 * 3600 })
  const until = '2031-01-16T00:00:00.000Z'
  expect(await waiting.outcome()).toEqual({ state: 'waiting', reason: '', left: false, until })
  expect(await waiting.outcome(24 * 60)).toEqual(isDone)
})

it('a run for late images waits in vain once the rule takes the first images alone', async () => {
  const waiting = await makeWaiting({}, { number: 2 })
  await waiting.set({ no_re_run: 1 })
  expect(await waiting.outcome()).toEqual(notMatched('OTHER_TRIGGER'))
})

it('a rule for one more place and one more trigger acts all the same', async () => {
  const waiting = await makeWaiting()
  const other = await makePlace()
  await waiting.set({
    namespace_id: other.group.namespaceUuid,
    other_namespaces: waiting.from.group.namespaceUuid,
    on_upload: 1,
  })
  expect(await waiting.outcome()).toEqual(isDone)
})

it('a run that begins late, after a standstill, acts in the hours of its rule alone', async () => {
  const schedule = hours('08:00', '18:00')
  const strict = await makeWaiting({ schedule })
  expect(await strict.outcome(8 * 60)).toEqual(notMatched('OUTSIDE_SCHEDULE'))
  vi.setSystemTime(noon)
  const patient = await makeWaiting({ schedule, delay_till_schedule: 1 })
  const until = '2031-01-16T08:00:00.000Z'
  expect(await patient.outcome(8 * 60)).toEqual({ state: 'waiting', reason: '', left: false, until })
  expect(await query(`select run_at from work where job = 'run-route'`)).toEqual([{ run_at: new Date(until) }])
  expect(await patient.outcome(20 * 60)).toEqual(isDone)
})

it('Run again says so where the rule takes exams that come this way no more', async () => {
  const waiting = await makeWaiting()
  await query(`update route_run set state = 'failed', reason = 'FAILED' where rule_uuid = '${waiting.rule}'`)
  const [failed] = await query<{ uuid: string }>(`select uuid from route_run where rule_uuid = '${waiting.rule}'`)
  await waiting.set({ on_harvest: 0, on_upload: 1 })
  const again = { sid: admin.sid, uuid: waiting.rule, run_id: failed?.uuid }
  expect((await call('route/run/again', again)).body).toMatchObject({
    error_type: 'ROUTE_NOT_MATCHED',
    error_subtype: 'OTHER_TRIGGER',
  })
})

/** A field that an earlier release let people delete although a rule asks about it. */
async function makeField() {
  const field = { sid: admin.sid, account_id: accountUuid, name: 'Teaching refused', object: 'Study', type: 'text' }
  return (await call('customfield/add', field)).body.uuid as string
}
const stuckRules = async (): Promise<unknown[]> =>
  (await call('account/stuck', { sid: admin.sid, account_id: accountUuid })).body.stuck ?? []

it.each([
  ['FIELD_GONE', 'while its run waits'],
  ['FIELD_GONE', 'before the exam comes'],
  ['BAD_CONDITION', 'while its run waits'],
  ['BAD_CONDITION', 'before the exam comes'],
])(
  'a rule whose condition cannot be asked any more fails and is told, and sends nothing (%s, %s)',
  async (reason, when) => {
    const field = await makeField()
    const conditions = [{ lv: `customfield-${field}`, op: 'not_equals', rv: 'yes' }]
    const waiting = await makeWaiting({ conditions })
    if (reason === 'FIELD_GONE') await query(`update customfield set deleted_at = now() where uuid = '${field}'`)
    else
      await query(`update routing_rule set conditions = '[{"lv": "study_description", "op": "contains", "rv": " "}]'
      where uuid = '${waiting.rule}'`)
    if (when === 'before the exam comes') {
      await query(`delete from route_run where rule_uuid = '${waiting.rule}'`)
      await waiting.arrive()
    }
    expect(await waiting.outcome()).toEqual({ state: 'failed', reason, left: false })
    expect(await stuckRules()).toContainEqual(expect.objectContaining({ code: 'RULE_FAILS', rule_id: waiting.rule }))
    const by = { sid: waiting.from.sid, uuid: waiting.from.uuid }
    await query(`update routing_rule set flags = '{on_manual_route}' where uuid = '${waiting.rule}'`)
    expect((await call('study/manual/route', { ...by, route_id: waiting.rule })).body).toMatchObject({
      error_type: 'ROUTE_NOT_MATCHED',
    })
  },
)
