import type { Route } from '@hilum/contract/route'
import { routes } from '@hilum/contract/routes/all-routes'
import { expect, it } from 'vitest'
import { startTestApp } from '../../../test/test-app.ts'
import { undeclaredDoors } from '../../../test/undeclared-doors.ts'

/** Routes that Fastify has registered, against those that are declared: nobody opens a door by hand. */

const { app } = await startTestApp()
const isKnown = (url: string) => undeclaredDoors.some(([address]) => address.test(url))

it('every door of the server serves a declaration, but for those that say why not', () => {
  const byHand = app.doors.filter(({ url, declared }) => !declared && !isKnown(url))
  expect(byHand.map(({ method, url }) => `${method} ${url}`)).toEqual([])
})

it('serves a declaration at its own address, by its own methods', () => {
  const declared: ReadonlySet<Route> = new Set<Route>(Object.values(routes))
  for (const { method, url, declared: route } of app.doors) {
    if (!route) continue
    expect([url, declared.has(route)]).toEqual([url, true])
    // browsers reach an engine through the main host below its name; the framework answers HEAD wherever there is GET
    expect(url.replace(/^\/host\/:engine/, '')).toBe(route.path)
    expect([...route.methods, ...(route.methods.includes('GET') ? ['HEAD'] : [])]).toContain(method)
  }
})

it('every declaration is served', () => {
  const served = new Set(app.doors.map(({ method, url }) => `${method} ${url}`))
  const missing = Object.values(routes)
    .flatMap(({ methods, path }: Route) => methods.map((method) => `${method} ${path}`))
    .filter((one) => !served.has(one))
  // a bundle comes by the way of the calls
  expect(missing).toEqual(['POST /api/v3/bundle'])
})

it('every reason stands for a door that is there', () => {
  const found = ([address]: (typeof undeclaredDoors)[number]) =>
    app.doors.some(({ url, declared }) => !declared && address.test(url))
  expect(undeclaredDoors.filter((one) => one[1] === '' || !found(one))).toEqual([])
})
