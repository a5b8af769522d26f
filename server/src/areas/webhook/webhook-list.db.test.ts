import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [] })
const account_id = organisation.accountUuid
for (const [name, event, suspended] of [
  ['Ward', 'STUDY_SYNC', 1],
  ['archive', 'STUDY_DELETE', 0],
  ['RIS', 'STUDY_SYNC', 0],
] as const) {
  const url = `https://${name.toLowerCase()}.example.org/in`
  await call('webhook/add', { sid, account_id, name, event, suspended, url, method: 'POST_JSON' })
}

async function list(more: Record<string, unknown>) {
  const { body } = await call('webhook/list', { sid, account_id, ...more })
  return { names: (body.webhooks as { name: string }[]).map(({ name }) => name), page: body.page }
}

it('[GRID-01][GRID-03] lists webhooks by name, page after page, and says whether more follow', async () => {
  const first = await list({ 'page.rows': 2 })
  expect(first).toMatchObject({ names: ['archive', 'RIS'], page: { more: 1, total: 3 } })
  const last = await list({ 'page.rows': 2, 'page.number': 2 })
  expect(last).toMatchObject({ names: ['Ward'], page: { more: 0, total: 3 } })
  expect((await list({})).names).toEqual(['archive', 'RIS', 'Ward'])
})

it('[GRID-01] finds webhooks by their fields, and sorts by those that a row shows', async () => {
  expect((await list({ 'filter.event.equals': 'STUDY_SYNC' })).names).toEqual(['RIS', 'Ward'])
  expect((await list({ 'filter.name.like': '%ar%' })).names).toEqual(['archive', 'Ward'])
  expect((await list({ 'filter.suspended.equals': 1 })).names).toEqual(['Ward'])
  expect((await list({ sort_by: 'url-desc' })).names).toEqual(['Ward', 'RIS', 'archive'])
  expect((await list({ sort_by: 'last_error-asc' })).names).toEqual(['archive', 'RIS', 'Ward'])
})

it.each([
  [{ 'filter.secret.equals': 'x' }, 'INVALID_FIELD'],
  [{ sort_by: 'sealed_secret-asc' }, 'INVALID_SORT_FIELD'],
])('refuses to find or sort by a field that no row shows: %j', async (more, error) => {
  const { status, body } = await call('webhook/list', { sid, account_id, ...more })
  expect([status, body.error_type]).toEqual([412, error])
})

it('puts neither parameters nor more of an address than its origin on record, and shows none of older rows', async () => {
  const url = 'https://ris.example.org/in?token=s3cret-1'
  const { uuid } = (
    await call('webhook/add', { sid, account_id, name: 'Key', event: 'STUDY_SYNC', url, method: 'GET' })
  ).body
  const change = async (sent: object) => {
    expect((await call('webhook/set', { sid, uuid, ...sent })).body.status).toBe('OK')
    const [last] = await query<{ detail: object }>(
      `select detail from audit where object_uuid = '${uuid}' order by id desc limit 1`,
    )
    return last?.detail
  }
  expect(await change({ parameters: { key: 's3cret-2' } })).toEqual({ parameters: 'changed' })
  expect(await change({ url: 'https://ris.example.org/in?token=s3cret-3' })).toEqual({ url: 'changed' })
  expect(await change({ url: 'https://ris.example.org/services/s3cret-7' })).toEqual({ url: 'changed' })
  expect(await change({ url: 'https://chat.example.org/services/s3cret-4', retry: 0 })).toEqual({
    url: ['https://ris.example.org', 'https://chat.example.org'],
    retry: [true, false],
  })
  const written = await query<{ detail: object }>(`select detail from audit where object_uuid = '${uuid}'`)
  expect(JSON.stringify(written)).not.toContain('s3cret')
  const old = [
    { url: [url, 'https://me:s3cret-5@x.example/s3cret-8'], parameters: [{ key: 's3cret-6' }, {}] },
    { url: [url, 'https://ris.example.org/s3cret-9'] },
    { url: 'https://ris.example.org/s3cret-10' },
    { url: 'changed' },
  ]
  for (const detail of old)
    await query(`insert into audit (account_uuid, actor_kind, actor_name, action, type, object_uuid, detail)
      values ('${account_id}', 'user', 'Ida', 'EDIT', 'Webhook', '${uuid}', '${JSON.stringify(detail)}')`)
  const { events } = (await call('audit/account', { sid, account_id, 'filter.type.equals': 'Webhook' })).body
  expect(events.slice(0, 4).map((one: { detail: object }) => one.detail)).toEqual([
    { url: 'changed' },
    { url: 'https://ris.example.org' },
    { url: 'changed' },
    { url: ['https://ris.example.org', 'https://x.example'], parameters: 'changed' },
  ])
  expect(JSON.stringify(events)).not.toContain('s3cret')
})
