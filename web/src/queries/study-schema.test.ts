import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { setSid } from '../api/credentials.ts'
import { pictureFaultQuery } from './study-schema.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['noPicture', 'none'],
  ['damaged', 'damaged'],
  ['unsupported', 'undrawable'],
])('a picture that the server refuses as %s is called %s, in the words of the server', async (reason, kind) => {
  const body = {
    kind: { code: 6, readable_status: 'NOT_ACCEPTABLE' },
    message: 'In words.',
    exception_data: { reason },
  }
  setSid('sid')
  vi.stubGlobal('fetch', async () => Response.json(body, { status: 406 }))
  const asked = new QueryClient().fetchQuery(pictureFaultQuery('/api/v3/storage/picture'))
  expect(await asked).toEqual({ kind, detail: 'In words.' })
})
