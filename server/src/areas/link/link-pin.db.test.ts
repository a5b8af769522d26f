import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { askDoor } from '../../../test/door-target.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { knockAtLink } from './knock.command.ts'
import { sendPin } from './link-pin.command.ts'
import { openLink } from './open-link.command.ts'

const { app, call, query, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
const { sid } = staff
const addressee = 'clinic@outside.example'

async function study(): Promise<string> {
  const studyUid = newUid()
  const url = `/api/v3/storage/namespace/${group.namespaceUuid}/image`
  await askDoor(origin, { method: 'POST', url, payload: new Uint8Array(madeImage({ studyUid, number: 1 })) }, sid)
  const [row] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${studyUid}'`)
  return row?.uuid ?? ''
}

/** Both purposes of a link: what holds for one holds for the other. */
const kinds = {
  request: async () => ({ namespace_id: group.namespaceUuid, action: 'STUDY_UPLOAD' }),
  view: async () => ({ study_id: await study(), action: 'STUDY_VIEW' }),
}
type Kind = keyof typeof kinds
const both: Kind[] = ['request', 'view']

async function make(kind: Kind, more: object = {}) {
  const sent = { ...(await kinds[kind]()), email: addressee, pin_auth: 1, ...more }
  const { body } = await call('link/add', { sid, ...sent })
  expect(body).toMatchObject({ status: 'OK' })
  return { uuid: String(body.uuid), token: tokenOf(body.url) }
}
const tokenOf = (url: unknown) => String(url).split('/link/')[1] ?? ''
/** The link after it was mailed to somebody else, which gives it another address. */
async function mailedTo({ uuid }: Made, email: string): Promise<Made> {
  expect((await call('link/mail', { sid, uuid, email })).body.status).toBe('OK')
  return { uuid, token: tokenOf((await call('link/get', { sid, uuid })).body.url) }
}
type Made = Awaited<ReturnType<typeof make>>

const send = async ({ token }: Made) => (await call('link/pin/send', { token })).body
const open = async ({ token }: Made, more: object = {}) => (await call('link/session', { token, ...more })).body
/** The code of the last mail, as its reader sees it. */
async function pinTo(recipient: string): Promise<string> {
  const [mail] = await query<{ uuid: string; subject: string; body: string; sealed_secret: Buffer }>(
    `select uuid, subject, body, sealed_secret from mail where recipient = '${recipient}' and subject = 'Your code' order by created desc limit 1`,
  )
  expect(`${mail?.subject} ${mail?.body}`).not.toMatch(/\d{6}/)
  return mail ? (services.sealer.open(mail.sealed_secret, mail.uuid) ?? '') : ''
}
const otherThan = (pin: string) => (pin === '000000' ? '000001' : '000000')

test.each(both)(
  '[REQUEST-01][PERM-01] a %s link that asks for a code opens to whoever reads the mailbox of its addressee alone',
  async (kind) => {
    const made = await make(kind)
    expect((await call('link/status', { token: made.token })).body).toMatchObject({ pin_auth: 1, has_password: 0 })
    expect((await call('link/get', { sid, uuid: made.uuid })).body).toMatchObject({ pin_auth: 1 })
    expect(await open(made)).toMatchObject({ error_type: 'MISSING_FIELDS', error_subtype: ['pin'] })
    expect(await open(made, { pin: '123456' })).toMatchObject({ error_type: 'PIN_EXPIRED' })
    expect(await send(made)).toMatchObject({ status: 'OK' })
    const pin = await pinTo(addressee)
    expect(pin).toMatch(/^\d{6}$/)
    expect(await open(made, { pin: otherThan(pin) })).toMatchObject({ error_type: 'INVALID_PIN' })
    expect(await open(made, { pin: ` ${pin.slice(0, 3)} ${pin.slice(3)}` })).toMatchObject({ status: 'OK' })
    // a code opens once
    expect(await open(made, { pin })).toMatchObject({ error_type: 'PIN_EXPIRED' })
    expect(
      await query(
        `select detail ->> 'reason' as reason from audit where action = 'LINK_REFUSED' and object_uuid = '${made.uuid}'`,
      ),
    ).toEqual([{ reason: 'INVALID_PIN' }])
    // whoever looks for how the link was opened finds to whom the code went, and never the code
    const mailed = await query<{ detail: object; actor_kind: string }>(
      `select detail, actor_kind from audit where action = 'LINK_CODE_MAILED' and object_uuid = '${made.uuid}'`,
    )
    expect(mailed).toEqual([{ detail: { email: addressee }, actor_kind: 'link' }])
  },
)

test('a code is no code of another link, of an earlier mail, of another addressee, or after its time', async () => {
  const [one, other] = [await make('request'), await make('request')]
  await send(one)
  const pin = await pinTo(addressee)
  expect(await open(other, { pin })).toMatchObject({ error_type: 'PIN_EXPIRED' })
  await send(one)
  const next = await pinTo(addressee)
  const early = next === pin ? otherThan(pin) : pin
  expect(await open(one, { pin: early })).toMatchObject({ error_type: 'INVALID_PIN' })
  const moved = await mailedTo(one, 'else@outside.example')
  expect(await open(one, { pin: next })).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await open(moved, { pin: next })).toMatchObject({ error_type: 'PIN_EXPIRED' })
  await send(moved)
  const last = await pinTo('else@outside.example')
  await query(`update link set pin_expires_at = now() - interval '1 second' where uuid = '${one.uuid}'`)
  expect(await open(moved, { pin: last })).toMatchObject({ error_type: 'PIN_EXPIRED' })
})

test('a code goes to whom the link is addressed when it is sent, not when it was asked for', async () => {
  const made = await make('request', { email: 'before@outside.example' })
  const knocked = await knockAtLink(services.db, made.token, '127.0.0.1')
  if (typeof knocked !== 'object') throw new Error('There is no link')
  const moved = await mailedTo(made, 'after@outside.example')
  expect(await sendPin(services, knocked, '127.0.0.1')).toBe(true)
  expect(
    await query(`select 1 from mail where recipient = 'before@outside.example' and subject = 'Your code'`),
  ).toEqual([])
  const pin = await pinTo('after@outside.example')
  expect(await open(made, { pin })).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await open(moved, { pin })).toMatchObject({ status: 'OK' })
})

test('a code that is used twice at once opens the link once, and is told as used up the other time', async () => {
  const made = await make('request')
  await send(made)
  const pin = await pinTo(addressee)
  const knocked = await knockAtLink(services.db, made.token, '127.0.0.1')
  if (typeof knocked !== 'object') throw new Error('There is no link')
  const from = { clientAddress: '127.0.0.1', userAgent: 'Tests', address: 'http://127.0.0.1' }
  const tried = await Promise.all([1, 2, 3].map(() => openLink(services.db, knocked, { password: '', pin }, from)))
  expect(tried.map(({ kind }) => kind).toSorted()).toEqual(['no pin', 'no pin', 'open'])
  expect(await query(`select 1 from audit where action = 'LINK_REFUSED' and object_uuid = '${made.uuid}'`)).toEqual([])
})

test.each(both)(
  'five wrong codes lock a %s link until somebody in the organisation unlocks it, the right one included',
  async (kind) => {
    const made = await make(kind)
    await send(made)
    const pin = await pinTo(addressee)
    const wrong = { pin: otherThan(pin) }
    const tries = await Promise.all(Array.from({ length: 8 }, () => open(made, wrong)))
    expect(tries.filter(({ error_type: type }) => type === 'INVALID_PIN')).toHaveLength(5)
    expect(await open(made, { pin })).toMatchObject({ error_type: 'LOCKOUT', error_subtype: 'password' })
    expect(await send(made)).toMatchObject({ error_type: 'LOCKOUT', error_subtype: 'password' })
    await call('link/set', { sid, uuid: made.uuid, unlock: 1 })
    expect(await open(made, { pin })).toMatchObject({ status: 'OK' })
  },
)

test('a password and a code are asked for together, and the code is judged for those alone who know the password', async () => {
  const made = await make('request', { password: 'walrus7' })
  await send(made)
  const pin = await pinTo(addressee)
  expect(await open(made, { pin })).toMatchObject({ error_type: 'MISSING_FIELDS', error_subtype: ['password'] })
  for (const tried of [pin, otherThan(pin)])
    expect(await open(made, { password: 'wrong77', pin: tried })).toMatchObject({ error_type: 'INVALID_CREDENTIALS' })
  expect(await open(made, { password: 'walrus7', pin: otherThan(pin) })).toMatchObject({ error_type: 'INVALID_PIN' })
  expect(await open(made, { password: 'walrus7', pin })).toMatchObject({ status: 'OK' })
})

test('a link sends three codes in a quarter of an hour, and none once it has ended', async () => {
  const made = await make('request')
  const mailed = async () => (await query(`select 1 from mail where subject = 'Your code'`)).length
  const before = await mailed()
  const sent = await Promise.all(Array.from({ length: 6 }, () => send(made)))
  expect(sent.filter(({ status }) => status === 'OK')).toHaveLength(3)
  expect(sent.filter(({ error_type: type }) => type === 'LOCKOUT')).toHaveLength(3)
  expect(await mailed()).toBe(before + 3)
  const ended = await make('request')
  await call('link/delete', { sid, uuid: ended.uuid })
  expect(await send(ended)).toMatchObject({ error_type: 'EXPIRED', error_subtype: 'ended' })
  expect(await send({ uuid: '', token: 'no-such-link' })).toMatchObject({ error_type: 'NOT_FOUND' })
  const plain = await make('request', { pin_auth: 0 })
  expect(await send(plain)).toMatchObject({ error_type: 'INVALID_FIELD' })
  expect(await open(plain, { pin: 'anything' })).toMatchObject({ status: 'OK' })
})

test('a link asks for no code that could be mailed to nobody', async () => {
  const { body } = await call('link/add', { sid, ...(await kinds.view()), pin_auth: 1 })
  expect(body.error_type).toBe('INVALID_EMAIL')
})
