import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { putSetting } from '../setting/setting.sql.ts'
import { areOtherAuthoritiesIn, findOwnNames } from '../storage/authority.sql.ts'
import { areOtherAuthorities } from '@hilum/dicom/authority'
import { sql } from 'kysely'
import type { SentMessage } from './sent-order.ts'
import { takeOrderMessage } from './take-order-message.command.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const group = await organisation.addGroup()
const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
await call('account/set', { sid, uuid: accountUuid, issuer: 'OWN' })
await putSetting(services.db, 'account', accountUuid, 'other_issuers', 'KIS, his north')
const ownNames = await findOwnNames(services.db, accountUuid)
const place = { namespaceUuid: group.namespaceUuid, accountUuid, ownNames, senders: null }
/** Names by which messages and people call the organisation's own authority. */
const names = ['', 'OWN', 'own ', 'KIS', 'HIS North']

function send(message: SentMessage) {
  const sender = { sender: 'HIS', controlId: randomUUID(), digest: randomBytes(32), type: 'ADT', address: '' }
  return takeOrderMessage(services, place, sender, message).catch((error: Error) => error.message)
}

/** Numbers that anybody can repeat, 0 to 1. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const patients = ['A', 'B', 'C', 'D']
type Act = { kind: 'order'; at: string } | { kind: 'merge'; from: string; to: string } | { kind: 'set'; to: string }

function actsFrom(seed: number): Act[] {
  const next = numbersFrom(seed)
  const one = () => patients[Math.floor(next() * patients.length)] ?? 'A'
  return Array.from({ length: 10 }, () => {
    const kind = next()
    if (kind < 0.4) return { kind: 'order', at: one() }
    return kind < 0.9 ? { kind: 'merge', from: one(), to: one() } : { kind: 'set', to: one() }
  })
}

/** Does the acts under numbers of their own; gives the numbers that the orders end under, and what was answered. */
async function run(acts: readonly Act[], nameOf: () => string): Promise<unknown[]> {
  const run = randomUUID().slice(0, 8)
  const numberOf = (patient: string) => ({ patientid: `${patient}-${run}`, issuer: nameOf() })
  const put = (order_number: string, at: { patientid: string; issuer: string }) =>
    send({ kind: 'orders', patient: at, orders: [{ act: 'put', order_number, step: {} }] })
  for (const patient of patients) await put(`S-${patient}-${run}`, { patientid: `${patient}-${run}`, issuer: 'SOUTH' })
  const answers: unknown[] = []
  let made = 0
  for (const act of acts) {
    if (act.kind === 'order') answers.push(await put(`O-${made++}-${run}`, numberOf(act.at)))
    if (act.kind === 'merge')
      answers.push(await send({ kind: 'merge', patient: numberOf(act.to), prior: numberOf(act.from) }))
    if (act.kind === 'set' && made > 0) {
      const [order] = await query<{ uuid: string }>(
        `select uuid from imaging_order where order_number = 'O-${made - 1}-${run}'`,
      )
      const { patientid } = numberOf(act.to)
      answers.push((await call('order/set', { sid, uuid: order?.uuid, patientid })).body.status)
    }
  }
  const ended = await query<{ order_number: string; patientid: string; issuer: string }>(
    `select order_number, patientid, issuer from imaging_order where order_number like '%-${run}' order by order_number`,
  )
  const orders = ended.map(({ order_number, patientid, issuer }) => [
    order_number.replace(`-${run}`, ''),
    patientid.replace(`-${run}`, ''),
    areOtherAuthorities(issuer, 'OWN', ownNames) ? issuer : 'own',
  ])
  return [answers, orders]
}

describe('orders and merges of the organisation’s own authority', () => {
  it('end alike whichever of its names each message uses, and leave the same digits of another authority alone', async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const acts = actsFrom(seed)
      const next = numbersFrom(seed + 1000)
      const [plain, mixed] = [
        await run(acts, () => 'OWN'),
        await run(acts, () => names[Math.floor(next() * names.length)] ?? ''),
      ]
      expect({ seed, mixed }).toEqual({ seed, mixed: plain })
      const [, orders] = plain as [unknown, string[][]]
      expect(orders.filter(([number]) => number?.startsWith('S-'))).toEqual(
        patients.map((one) => [`S-${one}`, one, 'SOUTH']),
      )
    }
  }, 240_000)
})

it('order/set writes a number of the organisation’s own, unless it says whose it is', async () => {
  const { uuid } = (
    await call('order/add', {
      sid,
      account_id: accountUuid,
      namespace_id: group.namespaceUuid,
      patientid: '7',
      issuer: 'SOUTH',
    })
  ).body
  const set = async (sent: object) => {
    const { body } = await call('order/set', { sid, uuid, ...sent })
    const { patientid, issuer } = (await call('order/get', { sid, uuid })).body
    return body.error_subtype ?? `${patientid} ${issuer}`
  }
  expect(await set({ patient_name: 'DOE^JANE' })).toBe('7 SOUTH')
  expect(await set({ patientid: ' 7' })).toBe('7 SOUTH')
  expect(await set({ patientid: '8' })).toBe('8 ')
  expect(await set({ issuer: 'KIS' })).toBe('8 KIS')
  expect(await set({ patientid: '9' })).toBe('9 KIS')
  expect(await set({ patientid: '9', issuer: 'WEST' })).toBe('9 WEST')
  expect(await set({ issuer: 'a\\b' })).toBe('issuer')
  expect(await set({ issuer: '' })).toBe('9 ')
})

it('the database compares authorities as the code does', async () => {
  const unnamed = await makeOrganisation(services.db)
  await query(`update account set issuer = '' where uuid = '${unnamed.accountUuid}'`)
  const all = [...names, 'SOUTH', 'south ', 'WEST']
  for (const uuid of [accountUuid, unnamed.accountUuid]) {
    const own = await findOwnNames(services.db, uuid)
    const pairs = all.flatMap((one) => all.map((other) => [one, other] as const))
    const found = await Promise.all(
      pairs.map(async ([one, other]) => {
        const condition = areOtherAuthoritiesIn(sql`${one}::text`, sql`${other}::text`, sql`${uuid}::uuid`)
        return (await sql<{ is_other: boolean }>`select ${condition} as is_other`.execute(services.db)).rows[0]
          ?.is_other
      }),
    )
    expect(found).toEqual(pairs.map(([one, other]) => areOtherAuthorities(one, other, own)))
  }
})

it('no message of another authority changes, cancels or takes over an order under the same digits', async () => {
  const number = `T-${randomUUID().slice(0, 8)}`
  const put = (issuer: string, act: 'put' | 'cancel' = 'put') =>
    send({ kind: 'orders', patient: { patientid: '55', issuer }, orders: [{ act, order_number: number, step: {} }] })
  expect(await put('')).toBe('taken')
  const refused = 'The order is of a patient with another number'
  expect([await put('SOUTH'), await put('SOUTH', 'cancel')]).toEqual([refused, refused])
  expect(await put('KIS')).toBe('taken')
  // what the own names mean stays with the order, whichever message comes without one
  expect(await put('')).toBe('taken')
  expect(await query(`select issuer, cancelled_at from imaging_order where order_number = '${number}'`)).toEqual([
    { issuer: 'KIS', cancelled_at: null },
  ])
  expect(await put('own', 'cancel')).toBe('taken')
})
