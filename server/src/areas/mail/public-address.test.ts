import { screenAddresses } from '@hilum/contract/screens'
import { expect, test } from 'vitest'
import { screenAt } from './public-address.ts'

test('the address of a screen has its parts filled in and nothing left open', () => {
  expect(screenAt('https://h.example', '/account-settings/outside')).toBe('https://h.example/account-settings/outside')
  expect(screenAt('https://h.example', '/group/$groupId/{-$state}', { groupId: 'g1', state: 'Pending Requests' })).toBe(
    'https://h.example/group/g1/Pending%20Requests',
  )
  expect(screenAt('https://h.example', '/link/$token', { token: 'a/b' })).toBe('https://h.example/link/a%2Fb')
  for (const screen of screenAddresses) {
    expect(screenAt('', screen, { token: 't', code: 'c', groupId: 'g', page: 'p' })).not.toMatch(/\$[a-zA-Z]|[{}]/)
  }
})
