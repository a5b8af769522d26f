import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const md5Of = (text: string) => createHash('md5').update(text).digest('hex')

async function makePlace() {
  const organisation = await makeOrganisation(services.db)
  const admin = await organisation.addPerson({ role: 'Administrator' })
  const person = await organisation.addPerson()
  const { accountUuid: account_id } = organisation
  const ask = async (path: string, sid: string, sent: object = {}) =>
    (await call(path, { sid, account_id, ...sent })).body
  const put = (kind: string, text: string, sid = admin.sid) => ask('account/texts/set', sid, { kind, text })
  const textsOf = async (sid: string) => (await ask('account/texts', sid)).texts
  const versions = async () => (await ask('account/texts/versions', admin.sid)).versions
  const settings = async (sid: string) => (await call('account/get', { sid, uuid: account_id })).body.settings
  const agree = (sid: string, sent: object) => call('user/set', { sid, ...sent })
  const agreements = () =>
    query(
      `select object_uuid, detail from audit where account_uuid = '${account_id}' and action = 'TEXT_AGREED' order by id`,
    )
  return { account_id, admin, person, put, textsOf, versions, settings, agree, agreements }
}

it('gives its people the text in force, and its MD5 with the account', async () => {
  const { person, put, textsOf, settings } = await makePlace()
  expect(await textsOf(person.sid)).toEqual([])
  expect(await put('terms', '  Be kind.\r\nÄ ')).toEqual({ status: 'OK' })
  await put('privacy', 'We keep little.')
  const terms = 'Be kind.\nÄ'
  expect(await textsOf(person.sid)).toMatchObject([
    { kind: 'terms', text: terms, md5: md5Of(terms) },
    { kind: 'privacy', text: 'We keep little.', md5: md5Of('We keep little.') },
  ])
  expect(await settings(person.sid)).toMatchObject({
    terms_md5: md5Of(terms),
    privacy_md5: md5Of('We keep little.'),
  })
  await put('terms', '')
  expect((await textsOf(person.sid)).map(({ kind }: { kind: string }) => kind)).toEqual(['privacy'])
  expect(await settings(person.sid)).not.toHaveProperty('terms_md5')
})

it('keeps every version with who wrote it and how many agreed to it last', async () => {
  const { admin, person, put, versions, agree } = await makePlace()
  await put('terms', 'One')
  await put('terms', 'One')
  await agree(person.sid, { terms_md5: md5Of('One') })
  await agree(admin.sid, { terms_md5: md5Of('One') })
  expect(await versions()).toMatchObject([{ text: 'One', agreed: 2, by: admin.name }])
  await put('terms', 'Two')
  await agree(person.sid, { terms_md5: md5Of('Two') })
  expect(await versions()).toMatchObject([
    { kind: 'terms', text: 'Two', agreed: 1 },
    { kind: 'terms', text: 'One', agreed: 1 },
  ])
  await put('terms', '')
  expect((await versions()).map(({ text, agreed }: { text: string; agreed: number }) => [text, agreed])).toEqual([
    ['', 0],
    ['Two', 1],
    ['One', 1],
  ])
})

it('puts on record who agreed to which text, once, and nothing for another text', async () => {
  const { person, put, agree, agreements } = await makePlace()
  await put('terms', 'One')
  await put('privacy', 'Two')
  await agree(person.sid, { terms_md5: md5Of('Other') })
  expect(await agreements()).toEqual([])
  const both = { terms_md5: md5Of('One'), privacy_md5: md5Of('Two') }
  await agree(person.sid, both)
  await agree(person.sid, both)
  expect(await agreements()).toEqual([
    { object_uuid: person.userUuid, detail: { terms_md5: md5Of('One') } },
    { object_uuid: person.userUuid, detail: { privacy_md5: md5Of('Two') } },
  ])
})

it('does not refuse the calls of whoever has not agreed', async () => {
  const { person, put } = await makePlace()
  await put('terms', 'One')
  expect((await call('study/list', { sid: person.sid })).body.status).toBe('OK')
})

it('takes texts of administrators alone, of a known kind, and not too long', async () => {
  const { admin, person, put, textsOf } = await makePlace()
  expect((await put('terms', 'One', person.sid)).error_type).toBe('NOT_PERMITTED')
  expect((await put('rules', 'One')).error_type).toBe('INVALID_TYPE')
  expect((await put('terms', 'x'.repeat(50_001))).error_subtype).toBe('text')
  expect((await put('terms', 'bell \u0007')).error_subtype).toBe('text')
  expect(await textsOf(admin.sid)).toEqual([])
  const other = await makePlace()
  expect(
    (await call('account/texts', { sid: other.person.sid, account_id: (await makePlace()).account_id })).body.status,
  ).toBe('ERROR')
  const both = [put('terms', 'One'), put('terms', 'Two')]
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual(['OK', 'OK'])
  expect((await call('account/texts/versions', { sid: person.sid, account_id: other.account_id })).body.status).toBe(
    'ERROR',
  )
})

it('[API-36] works in a bundle', async () => {
  const { account_id, admin } = await makePlace()
  const items = [
    { URL: '/account/texts/set', sid: admin.sid, account_id, kind: 'terms', text: 'One' },
    { URL: '/account/texts', sid: admin.sid, account_id },
  ]
  const { body } = await call('bundle', {}, { body: items })
  expect(body).toMatchObject([{ HTTP_STATUS_CODE: '200' }, { HTTP_STATUS_CODE: '200', texts: [{ text: 'One' }] }])
})
