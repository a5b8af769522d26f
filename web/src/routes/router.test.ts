import { screenAddresses } from '@hilum/contract/screens'
import { expect, test, vi } from 'vitest'
import { readListSearch } from '../state/list-search.ts'
import { warnOfChildren } from './public-routes.ts'
import { router } from './router.tsx'

test('[SHELL-12] a state name goes into the address and comes back whole', () => {
  const params = { groupId: 'g1', state: 'Shared w/ group' }
  const { href } = router.buildLocation({ to: '/group/$groupId/{-$state}', params })
  expect(href).toBe('/group/g1/Shared%20w%2F%20group')
  const [, rawParams, found] = router.getMatchedRoutes(href)
  expect(found?.fullPath).toBe('/group/$groupId/{-$state}')
  expect(decodeURIComponent(rawParams['state'] ?? '')).toBe(params.state)
})

test.each([
  ['[ROUTE-01]', '/', '/'],
  ['[ROUTE-02]', '/group/list', '/group/list'],
  ['[ROUTE-03]', '/group/g1', '/group/$groupId/{-$state}'],
  ['[ROUTE-04]', '/study/upload', '/study/upload'],
  ['[ROUTE-05]', '/study/request/g1', '/study/request/$groupId'],
  ['[ROUTE-06]', '/study/retrieve/g1', '/study/retrieve/$groupId'],
  ['[ROUTE-09]', '/inbox/group/list', '/inbox/$'],
  ['[ROUTE-08]', '/administration/locations', '/administration/locations'],
  ['[ROUTE-15]', '/organization/users.html', '/organization/$page'],
])('%s %s has its screen', (_id, address, fullPath) => {
  expect(router.getMatchedRoutes(address)[2]?.fullPath).toBe(fullPath)
})

test('[ROUTE-10] any other path has no screen of its own', () => {
  expect(router.getMatchedRoutes('/nothing/here')[2]).toBeUndefined()
})

test('the server answers the addresses of all screens, and of nothing else, with the app', () => {
  const paths = Object.keys(router.routesByPath).map((path) => path.replace(/(?<=.)\/$/, ''))
  expect([...new Set(paths)].toSorted()).toEqual([...screenAddresses].toSorted())
})

test('what the address says wrong is dropped', () => {
  expect(readListSearch({ page: -1, sort: 7, study: '', tab: 'viewer' })).toEqual({
    sort: undefined,
    page: undefined,
    study: undefined,
    tab: 'viewer',
    filter: undefined,
  })
  expect(readListSearch({ starred: 1, modality: ['CT'], exam: 'soon' })).toMatchObject({
    starred: '1',
    modality: '["CT"]',
    exam: 'soon',
  })
  expect(readListSearch({ page: '3' }).page).toBe(3)
})

test('[ROUTE-18] a public route that has children logs a warning', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  warnOfChildren([{ fullPath: '/help' }, { fullPath: '/404', children: {} }])
  expect(warn).not.toHaveBeenCalled()
  warnOfChildren([{ fullPath: '/help', children: { '/secret': {} } }])
  expect(warn).toHaveBeenCalledExactlyOnceWith('The public route /help has children')
  warn.mockRestore()
})

test('[ROUTE-04] the upload wizard is shown in the dashboard shell, behind its guards', () => {
  const shown = router.matchRoutes('/study/upload', {}).map(({ routeId }) => routeId)
  expect(shown).toEqual(['__root__', '/signed-in', '/signed-in/dashboard', '/signed-in/dashboard/study/upload'])
})
