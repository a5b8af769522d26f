import { calls } from '@hilum/contract/calls/all-calls'
import { listRefused } from '@hilum/contract/public-calls'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { describedRoutes } from './described-routes.ts'

const { services, app, call } = await startTestApp()
const { sid } = await (await makeOrganisation(services.db)).addPerson({ role: 'Administrator' })
const answered = [
  ...Object.values(calls).map(({ path }) => path),
  ...describedRoutes.map(({ route }) => route.path.replace('/api/v3/', '')),
]
const refused = listRefused(new Set(answered))
const refusalOf = (why: string) => ({
  status: 'ERROR',
  error_type: 'NOT_SUPPORTED',
  error_subtype: 'call',
  error_data: why,
})

it('[API-37] a public call that is not answered is refused with the reason: by GET, by POST, with a session and without', async () => {
  for (const { path, why } of refused) {
    const replies = [
      await call(path, { sid, uuid: 'x' }),
      await call(`/${path}/`, {}),
      await call(path, {}, { method: 'GET' }),
    ]
    for (const { status, body } of replies) expect([path, status, body]).toEqual([path, 412, refusalOf(why)])
  }
})

it('in a bundle the other items run', async () => {
  const { body } = await call(
    'bundle',
    {},
    {
      body: [
        { URL: '/meeting/add', sid },
        { URL: '/session/user', sid },
      ],
    },
  )
  expect(body).toMatchObject([{ HTTP_STATUS_CODE: '412', error_type: 'NOT_SUPPORTED' }, { status: 'OK' }])
})

it('a call that nobody knows is not found, in JSON', async () => {
  for (const path of ['meeting/made/up', 'made/up', 'constructor/add', 'user'])
    expect(await call(path, { sid })).toMatchObject({
      status: 404,
      body: { error_type: 'NOT_FOUND', error_subtype: 'call' },
    })
})

it('the API page lists each with its reason', async () => {
  const page = (await app.inject({ url: '/api/v3/docs' })).body
  for (const { path } of refused) expect(page).toContain(`<dt>${path}</dt>`)
})
