import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()

async function makeSide() {
  const organisation = await makeOrganisation(services.db)
  const { accountUuid: account_id } = organisation
  const admin = await organisation.addPerson({ role: 'Administrator' })
  const ask = async (path: string, more: object = {}) =>
    (await call(`account/can/share${path}`, { sid: admin.sid, account_id, ...more })).body
  const rule = (other: string, more: object = {}) => ({
    by_type: 'account',
    by_id: account_id,
    with_type: 'account',
    with_id: other,
    ...more,
  })
  const connections = async () =>
    (await call('account/connect/list', { sid: admin.sid, account_id })).body.connections.map(
      (one: { state: string }) => one.state,
    )
  return { organisation, account_id, admin, ask, rule, connections }
}

it('[API-37] connects two accounts by rules that both make, lists them, and ends them', async () => {
  const [one, two] = [await makeSide(), await makeSide()]
  // who is in both may ask the one for the other
  await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
    values ('${two.account_id}', '${one.admin.userUuid}', '${two.organisation.roles.get('Viewer')}')`)
  expect(await one.ask('', one.rule(two.account_id))).toEqual({ status: 'OK' })
  expect(await one.ask('', one.rule(two.account_id))).toEqual({ status: 'OK' })
  expect([await one.connections(), await two.connections()]).toEqual([['asking'], ['asked']])
  expect((await one.ask('/list')).rules).toEqual([])
  // the one that was asked knows the other
  expect(await two.ask('', two.rule(one.account_id))).toEqual({ status: 'OK' })
  expect([await one.connections(), await two.connections()]).toEqual([['connected'], ['connected']])
  const [{ by_name, with_name, ...rule }] = (await one.ask('/list')).rules
  expect(rule).toEqual(one.rule(two.account_id))
  expect((await two.ask('/list')).rules).toEqual([
    { ...two.rule(one.account_id), by_name: with_name, with_name: by_name },
  ])
  expect(await two.ask('/stop', two.rule(one.account_id))).toEqual({ status: 'OK' })
  expect(await two.ask('/stop', two.rule(one.account_id))).toMatchObject({ error_type: 'WITH_NOT_FOUND' })
  expect([await one.connections(), await two.connections()]).toEqual([[], []])
})

it('tells of no account that has nothing to do with the asking one', async () => {
  const [one, two] = [await makeSide(), await makeSide()]
  for (const path of ['', '/stop']) {
    for (const other of [two.account_id, randomUUID(), one.account_id])
      expect(await one.ask(path, one.rule(other))).toEqual({ status: 'ERROR', error_type: 'WITH_NOT_FOUND' })
    expect(await one.ask(path, one.rule(two.account_id, { by_id: two.account_id }))).toMatchObject({
      error_type: 'BY_NOT_FOUND',
    })
    for (const type of ['by_type', 'with_type'])
      expect(await one.ask(path, one.rule(two.account_id, { [type]: 'group' }))).toMatchObject({
        error_type: 'INVALID_TYPE',
        error_subtype: type,
      })
    const { sid } = await one.organisation.addPerson()
    expect(await one.ask(path, { ...one.rule(two.account_id), sid })).toMatchObject({ error_type: 'NOT_PERMITTED' })
  }
  expect(await two.connections()).toEqual([])
})
