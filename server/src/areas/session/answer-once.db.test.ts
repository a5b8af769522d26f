import { expect, test } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { sweepSessions } from './sweep-sessions.job.ts'

const { call, query, services } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const [staff, colleague] = [
  await organisation.addPerson({ role: 'Staff', groups: [group] }),
  await organisation.addPerson({ role: 'Staff', groups: [group] }),
]

let number = 0
/** A key and an address that nobody used yet. */
const fresh = () => {
  number += 1
  return { key: `key-of-a-press-${number}`, email: `clinic${number}@outside.example` }
}
const askFor = (email: string, key?: string, more: object = {}) => ({
  sid: staff.sid,
  namespace_id: group.namespaceUuid,
  action: 'STUDY_UPLOAD',
  email,
  ...(key === undefined ? {} : { idempotency_key: key }),
  ...more,
})
const ask = async (...sent: Parameters<typeof askFor>) => (await call('link/add', askFor(...sent))).body
const mailsTo = async (email: string) => (await query(`select from mail where recipient = '${email}'`)).length

test('an act under a key is done once, and mails once; whoever sends it again gets the answer of before', async () => {
  const { key, email } = fresh()
  const first = await ask(email, key)
  expect(first).toMatchObject({ status: 'OK', uuid: expect.any(String), url: expect.stringContaining('/link/') })
  expect(await ask(email, key)).toEqual(first)
  expect(await mailsTo(email)).toBe(1)
  const bundle = [{ URL: '/link/add', ...askFor(email, key) }]
  const { body } = await call('bundle', {}, { body: bundle })
  expect(body).toEqual([{ ...first, HTTP_STATUS_CODE: '200' }])
  // another press is another act
  expect((await ask(email, fresh().key)).uuid).not.toBe(first.uuid)
  expect((await ask(email)).uuid).not.toBe(first.uuid)
  expect(await mailsTo(email)).toBe(3)
})

test('two requests at once under one key are one act', async () => {
  const { key, email } = fresh()
  const [one, other] = await Promise.all([ask(email, key), ask(email, key)])
  expect(one).toMatchObject({ status: 'OK' })
  expect(other).toEqual(one)
  expect(await mailsTo(email)).toBe(1)
})

test('a key with other values is refused, and so is that of another act; a colleague has keys of their own', async () => {
  const { key, email } = fresh()
  const made = await ask(email, key)
  const refused = { error_type: 'ANSWERED_BEFORE', error_subtype: 'other_values' }
  expect(await ask(email, key, { message: 'Another one' })).toMatchObject(refused)
  const again = { sid: staff.sid, uuid: made.uuid, email, idempotency_key: key }
  expect((await call('link/mail', again)).body).toMatchObject(refused)
  expect(await mailsTo(email)).toBe(1)
  expect(await ask(email, key, { sid: colleague.sid })).toMatchObject({ status: 'OK' })
  expect(await mailsTo(email)).toBe(2)
})

test('a refused act is forgotten: under the same key it is done once nothing is in its way', async () => {
  const { key, email } = fresh()
  expect(await ask('nobody', key)).toMatchObject({ error_type: 'INVALID_EMAIL' })
  expect(await ask(email, key)).toMatchObject({ status: 'OK' })
})

test('a key is a text of some length, and calls that make nothing take none', async () => {
  const { email } = fresh()
  const refused = { error_type: 'INVALID_FIELD', error_subtype: 'idempotency_key' }
  for (const key of ['short', 'x'.repeat(201)]) expect(await ask(email, key)).toMatchObject(refused)
  const set = { sid: staff.sid, idempotency_key: fresh().key, first: 'Ada' }
  expect((await call('user/set', set)).body).toMatchObject(refused)
  expect(await mailsTo(email)).toBe(0)
})

test('where the process ended in the middle nobody says that it was done, and the answer is sealed', async () => {
  const { key, email } = fresh()
  const { url } = await ask(email, key)
  const rows = await query<{ text: string }>(`select encode(sealed_answer, 'escape') as text from answered_act`)
  expect(rows.some(({ text }) => text?.includes(String(url).split('/link/')[1] ?? ''))).toBe(false)
  await query(`update answered_act set sealed_answer = null, begun = now() - interval '1 hour'`)
  const refused = { error_type: 'ANSWERED_BEFORE', error_subtype: 'no_answer' }
  expect(await ask(email, key)).toMatchObject(refused)
  expect(await ask(email, key, { message: 'Another one' })).toMatchObject(refused)
  expect(await mailsTo(email)).toBe(1)
})

test('answers are forgotten after a day', async () => {
  const [older, newer] = [fresh(), fresh()]
  await ask(older.email, older.key)
  await query(`update answered_act set begun = now() - interval '25 hours'`)
  await ask(newer.email, newer.key)
  await sweepSessions(services)
  expect(await query(`select from answered_act`)).toHaveLength(1)
  for (const { email, key } of [older, newer]) expect(await ask(email, key)).toMatchObject({ status: 'OK' })
  expect([await mailsTo(older.email), await mailsTo(newer.email)]).toEqual([2, 1])
})
