import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call } = await startTestApp()
const organisation = await makeOrganisation(services.db)

it('takes replies into later items, and fills no more memory with them than a body may have', async () => {
  const { sid } = await organisation.addPerson()
  const ask = (sortBy: string) => ({ URL: '/study/list', sid, sort_by: sortBy })
  const double = ask('{{error_subtype}}{{error_subtype}}')
  const begin = 'x'.repeat(1024)
  const { status, body } = await call('bundle', {}, { body: [ask(begin), ...Array.from({ length: 40 }, () => double)] })
  expect(status).toBe(200)
  expect(body).toHaveLength(41)
  expect(body[1]).toMatchObject({ error_type: 'INVALID_SORT_ORDER', error_subtype: begin.repeat(2) })
  expect(body.at(-1)).toEqual({ status: 'ERROR', error_type: 'PAYLOAD_TOO_LARGE', HTTP_STATUS_CODE: '413' })
})
