import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { aeTitleSetting, allowedPeersSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { echoPeer } from '../../outbound/pacs/send-instances.ts'
import { openDicomListener } from './open-dicom-listener.ts'

const { services, query, call } = await startTestApp({ HILUM_DICOM_PORT: '0' })
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
const organisation = await makeOrganisation(services.db)
const administrator = await organisation.addPerson({ role: 'Administrator' })
const { namespaceUuid } = await organisation.addGroup()
await putSetting(services.db, 'namespace', namespaceUuid, aeTitleSetting, 'INBOX')
const closed = await organisation.addGroup()
await putSetting(services.db, 'namespace', closed.namespaceUuid, aeTitleSetting, 'CLOSED')
await putSetting(services.db, 'namespace', closed.namespaceUuid, allowedPeersSetting, '[{"ae_title":"MR_1"}]')

const classes = {
  store: '1.2.840.10008.5.1.4.1.1.2',
  find: '1.2.840.10008.5.1.4.1.2.2.1',
  move: '1.2.840.10008.5.1.4.1.2.2.2',
  echo: '1.2.840.10008.1.1',
}

/** Asks for services, as a sender of this title, and leaves. */
async function ask(callingTitle: string, calledTitle: string, wanted: readonly (keyof typeof classes)[]) {
  const contexts = wanted.map((one) => ({ abstractSyntax: classes[one], transferSyntaxes: ['1.2.840.10008.1.2'] }))
  const peer = { host: '127.0.0.1', port: listeners.port, calledTitle, callingTitle }
  const association = await requestAssociation(peer, contexts).catch(() => undefined)
  await association?.close()
}

const linesOf = async (title: string) => {
  const sent = { sid: administrator.sid, account_id: organisation.accountUuid, 'filter.asker.like': `%${title}%` }
  const { refusals } = (await call('audit/refused', sent)).body
  return (refusals as Record<string, unknown>[])
    .map(({ act, kind, count, ae_title, user_id, client_address }) => {
      return [ae_title, act, kind, count, user_id, client_address]
    })
    .toSorted((one, other) => String(one[1]).localeCompare(String(other[1])))
}

const secondsLeft = `select 3600 - extract(epoch from now() - date_trunc('hour', now()))::integer as seconds`
// a line counts one hour: none of these tests begins at the end of one
beforeEach(async () => {
  const isFarFromEnd = async () => ((await query<{ seconds: number }>(secondsLeft))[0]?.seconds ?? 0) > 30
  await vi.waitUntil(isFarFromEnd, { timeout: 60_000, interval: 500 })
  await query(`delete from access_refusal`)
})

it('counts a sender whose called title nothing has, by each service that was asked for', async () => {
  for (let time = 0; time < 3; time++) await ask('CT_7', 'NOWHERE', ['store', 'echo'])
  await ask('CT_7', 'NOWHERE', ['find', 'move'])
  await expect
    .poll(() => linesOf('CT_7'))
    .toEqual([
      ['CT_7', 'C-FIND', 'Title', 1, '', '127.0.0.1'],
      ['CT_7', 'C-MOVE', 'Title', 1, '', '127.0.0.1'],
      ['CT_7', 'C-STORE', 'Title', 3, '', '127.0.0.1'],
    ])
})

it('counts a sender who is not among the allowed of the group, and a mere test of the connection', async () => {
  await ask('CT_8', 'CLOSED', ['store'])
  await expect(
    echoPeer({ host: '127.0.0.1', port: listeners.port, calledTitle: 'CLOSED', callingTitle: 'CT_8' }),
  ).rejects.toThrow('does not know our AE title')
  await expect
    .poll(() => linesOf('CT_8'))
    .toEqual([
      ['CT_8', 'C-ECHO', 'Namespace', 1, '', '127.0.0.1'],
      ['CT_8', 'C-STORE', 'Namespace', 1, '', '127.0.0.1'],
    ])
})

it('counts queries and retrievals of an allowed sender, whose objects are taken', async () => {
  await ask('CT_9', 'INBOX', ['store', 'find', 'move'])
  await ask('CT_9', 'INBOX', ['find'])
  await expect
    .poll(() => linesOf('CT_9'))
    .toEqual([
      ['CT_9', 'C-FIND', 'Namespace', 2, '', '127.0.0.1'],
      ['CT_9', 'C-MOVE', 'Namespace', 1, '', '127.0.0.1'],
    ])
})

it('counts nothing of a sender who is served', async () => {
  await ask('MR_1', 'CLOSED', ['store', 'echo'])
  await ask('AFTER', 'NOWHERE', ['store'])
  await expect.poll(() => linesOf('AFTER')).toHaveLength(1)
  expect(await linesOf('MR_1')).toEqual([])
})

it('makes one line of senders beyond a number, and leaves addresses without a session their own', async () => {
  for (let index = 0; index < 205; index++) await ask(`FLOOD_${index}`, 'NOWHERE', ['store'])
  const nameless = () =>
    query<{ asker: string; user_name: string; count: number }>(
      `select asker, user_name, count from access_refusal where user_uuid is null and act = 'C-STORE'`,
    )
  await expect.poll(async () => (await nameless()).reduce((sum, { count }) => sum + count, 0)).toBe(205)
  expect((await nameless()).length).toBeLessThanOrEqual(201)
  expect((await nameless()).find(({ asker }) => asker === '*')).toMatchObject({ user_name: '' })
  await call('group/list', { account_id: organisation.accountUuid }, { address: '198.51.100.4' })
  await expect.poll(() => linesOf('198.51.100.4')).toEqual([['', 'group/list', 'Account', 1, '', '198.51.100.4']])
})

it('tells no one of several organisations that a sender called a title of nobody', async () => {
  const other = await makeOrganisation(services.db, { name: 'South' })
  await ask('CT_10', 'NOWHERE', ['store'])
  await ask('CT_10', 'CLOSED', ['find'])
  await expect.poll(() => linesOf('CT_10')).toEqual([['CT_10', 'C-FIND', 'Namespace', 1, '', '127.0.0.1']])
  expect(await query(`select from access_refusal where account_uuid = '${other.accountUuid}'`)).toEqual([])
})
