import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { lookAtRules } from './look-at-rules.job.ts'
import { runRouteActs } from './run-route.job.ts'

/** Runs that are begun by hand, and that the database stops in the middle. */

const testApp = await startTestApp()
const { services, call, query } = testApp
const { accountUuid, organisation, makePlace, received } = await makeSharing({ services, call })
const admin = await organisation.addPerson({ role: 'Administrator' })

/** A place with a study, and a rule with one action of each kind; its runs are begun by nobody for an hour. */
async function makeRuled(kinds: readonly Kind[], options: object = {}) {
  const [from, to] = [await makePlace(), await makePlace()]
  const hook = {
    sid: admin.sid,
    account_id: accountUuid,
    name: `Hook ${from.uuid}`,
    event: 'ROUTE_RULE',
    url: 'https://ris.example.org/in',
    method: 'POST_JSON',
  }
  const { uuid: webhook } = (await call('webhook/add', hook)).body
  const title = from.uuid.slice(0, 8)
  const { uuid: destination } = await makeDestination(testApp, accountUuid, { title, name: title })
  const actions = {
    namespace: { namespace: to.group.namespaceUuid },
    destination: { destination },
    webhook: { webhook },
  }
  const rule = {
    sid: admin.sid,
    namespace_id: from.group.namespaceUuid,
    name: 'Once',
    on_upload: 1,
    delay_seconds: 3600,
    options,
    actions: kinds.map((kind) => actions[kind]),
  }
  const { body } = await call('route/add', rule)
  expect(body).toMatchObject({ status: 'OK' })
  const runs = () =>
    query<{ uuid: string; state: string; detail: { actions?: { kind: string; result: string }[] } }>(
      `select uuid, state, detail from route_run where rule_uuid = '${body.uuid}' order by created desc, uuid`,
    )
  return {
    uuid: from.uuid,
    runs,
    /** Has the rule look at the study; gives the run that it enters. */
    enter: async (occasion: string) => {
      await lookAtRules(services, { studyUuid: from.uuid, trigger: 'upload', number: 1, occasion, chain: [] })
      const uuid = (await runs())[0]?.uuid ?? ''
      // its hour is over
      await query(`update route_run set delay_from = now() - interval '2 hours' where uuid = '${uuid}'`)
      return uuid
    },
    /** How often each action was done. */
    count: async () => ({
      namespace: (await received(to, from.study.study_uid)) ? 1 : 0,
      destination: (await query(`select from push where destination_uuid = '${destination}'`)).length,
      webhook: (await query(`select from webhook_delivery where webhook_uuid = '${webhook}'`)).length,
    }),
  }
}
type Kind = 'namespace' | 'destination' | 'webhook'
const run = (runUuid: string) =>
  runRouteActs.run(services, { runUuid }, { work: '', signal: AbortSignal.timeout(30_000) })

/** The database refuses one kind of write until it is let go. */
async function refuse(table: string, on: string, when: string): Promise<() => Promise<unknown>> {
  await query(`create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'Refused by the test'; end $$`)
  await query(`create trigger refused before ${on} on ${table} for each row when (${when}) execute function refuse()`)
  return () => query(`drop trigger refused on ${table}`)
}

it('calls the webhook of an exam that waited for approval no second time where a later action fails after the approval', async () => {
  const ruled = await makeRuled(['namespace', 'destination', 'webhook'], { bypass_approval: 1 })
  await query(`update study set must_approve = true where uuid = '${ruled.uuid}'`)
  const first = await ruled.enter('first')
  await run(first)
  expect(await ruled.count()).toEqual({ namespace: 0, destination: 0, webhook: 1 })
  await query(`update study set must_approve = false where uuid = '${ruled.uuid}'`)
  const letGo = await refuse('push', 'insert', 'true')
  await expect(run(first)).rejects.toThrow('Refused by the test')
  const fault = { error: 'FAILED' } as never
  await services.db.transaction().execute(async (tx) => runRouteActs.giveUp?.(tx, { runUuid: first }, '', fault))
  expect((await ruled.runs())[0]?.detail.actions).toMatchObject([
    { kind: 'webhook', result: 'done' },
    { kind: 'namespace', result: 'done' },
  ])
  await letGo()
  const second = await ruled.enter('second')
  expect(second).not.toBe(first)
  await run(second)
  expect((await ruled.runs())[0]).toMatchObject({
    state: 'done',
    detail: {
      actions: [
        { kind: 'namespace', result: 'before' },
        { kind: 'destination', result: 'done' },
        { kind: 'webhook', result: 'before' },
      ],
    },
  })
  expect(await ruled.count()).toEqual({ namespace: 1, destination: 1, webhook: 1 })
})

it.each(['namespace', 'destination', 'webhook'] as const)(
  'an action (%s) is done with the note of it, so that a run that stopped between does it once',
  async (kind) => {
    const ruled = await makeRuled([kind])
    const uuid = await ruled.enter('first')
    const letGo = await refuse('route_run', 'update', `new.detail -> 'actions' -> 0 ->> 'result' = 'done'`)
    await expect(run(uuid)).rejects.toThrow('Refused by the test')
    expect((await ruled.count())[kind]).toBe(0)
    await letGo()
    await run(uuid)
    expect((await ruled.runs())[0]).toMatchObject({ state: 'done', detail: { actions: [{ kind, result: 'done' }] } })
    expect((await ruled.count())[kind]).toBe(1)
  },
)
