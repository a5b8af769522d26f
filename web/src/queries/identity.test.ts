import { afterEach, expect, test, vi } from 'vitest'
import { goToProvider } from './identity.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['https://hilum.example', 'https://id.example/auth'],
  // the cookie of a name of its own would not come back with the browser
  ['https://north.hilum.example', 'https://hilum.example/?provider=p'],
])('a sign-in by a provider that is begun at %s goes to %s', async (origin, address) => {
  const assign = vi.fn()
  vi.stubGlobal('location', { origin, assign })
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ status: 'OK', address: 'https://id.example/auth' })))
  await goToProvider({ uuid: 'p', beginAt: 'https://hilum.example/' })
  expect(assign.mock.calls).toEqual([[address]])
})
