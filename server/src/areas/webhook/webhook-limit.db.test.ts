import { expect, it } from 'vitest'
import { makeSamples } from '../../../test/call-samples.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { perWebhook } from '../session/attempt-rules.ts'

const app = await startTestApp()
const { services, call, query } = app

it.each(['webhookTest', 'webhookTrigger', 'webhookTryAgain'] as const)(
  '%s calls an address as often as a minute allows, whichever way it is asked',
  async (name) => {
    const organisation = await makeOrganisation(services.db)
    const group = await organisation.addGroup()
    const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
    const study = await makeStudy(services.db, { ...group, accountUuid: organisation.accountUuid })
    const place = {
      ...group,
      accountUuid: organisation.accountUuid,
      studyUuid: study.uuid,
      ownStudyUuid: study.uuid,
      person,
    }
    const { uuid, ...sent } = await makeSamples(app, '')[name](place)
    const { sid } = person
    expect((await call('webhook/test', { sid, uuid })).body.status).toBe('OK')
    await query(`update attempt set count = ${perWebhook.most} where kind = 'webhook-asked'`)
    const path = { webhookTest: 'test', webhookTrigger: 'trigger', webhookTryAgain: 'retry' }[name]
    const calls = async () =>
      (await query<{ n: number }>(`select count(*)::int as n from work where job = 'call-webhook'`))[0]?.n
    const before = await calls()
    expect((await call(`webhook/${path}`, { ...sent, sid, uuid })).body.error_type).toBe('LOCKOUT')
    expect(await calls()).toBe(before)
  },
)
