import { expect, it } from 'vitest'
import { startTestApp } from '../../test/test-app.ts'
import { askAdministrator } from './ask-administrator.ts'
import { makeDemo } from './make-demo.ts'
import { makeFirstAccount } from './make-first-account.ts'

const administrator = { email: 'head@hospital.example', password: '42lantern-boat' }
const { services, call, query } = await startTestApp({
  HILUM_ADMIN_EMAIL: administrator.email,
  HILUM_ADMIN_PASSWORD: administrator.password,
})

it('makes one account with a cloud group and its administrator, once', async () => {
  expect(await makeFirstAccount(services)).toEqual([])
  await makeFirstAccount(services)
  const { sid } = (await call('session/login', { login: administrator.email, password: administrator.password })).body
  const { accounts } = (await call('account/list', { sid })).body
  expect(accounts).toMatchObject([{ role_name: 'Administrator', settings: { enable_inbox_view: '1' } }])
  const { namespaces } = (await call('user/namespace/list', { sid, account_id: accounts[0].uuid })).body
  const group = namespaces.find((one: { type: string }) => one.type === 'group_id')
  expect(group).toMatchObject({
    settings: { inbox_config: { group_designation: 'CLOUD' } },
    permissions: { study_upload: 1 },
  })
})

it('makes no demo beside it', async () => {
  expect(await makeDemo(services)).toEqual([])
  expect(await query('select count(*)::integer as count from account')).toEqual([{ count: 1 }])
})

it('asks again with the rule when an address or password will not do', async () => {
  const answers = ['no address', administrator.email]
  const passwords = ['short1', 'lettersonly', 'Password2026', '26head-office', 'hilum2026ok', administrator.password]
  const said: string[] = []
  const asked = await askAdministrator({
    say: (line) => said.push(line),
    ask: async () => answers.shift() ?? '',
    askHidden: async () => passwords.shift() ?? '',
  })
  expect(asked).toEqual(administrator)
  expect(said).toEqual([
    'Hilum is empty. Who is its first administrator?',
    'This is not an e-mail address.',
    'It takes 8 characters or longer, containing 2 numbers and 2 letters.',
    'It takes 8 characters or longer, containing 2 numbers and 2 letters.',
    'This is a common password, or a common word with digits around it. Please choose another.',
    'It must not hold the name or the e-mail address of the person, or the name of the organisation.',
    'It must not hold the name of this product.',
  ])
})

it('says in words why the password of the settings will not do', async () => {
  const other = await startTestApp({ HILUM_ADMIN_EMAIL: administrator.email, HILUM_ADMIN_PASSWORD: 'Welcome2026' })
  await expect(makeFirstAccount(other.services)).rejects.toThrow('HILUM_ADMIN_PASSWORD will not do. This is a common')
  expect(await other.query('select count(*)::integer as count from account')).toEqual([{ count: 0 }])
})
