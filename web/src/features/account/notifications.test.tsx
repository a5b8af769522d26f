import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../../test/routed.tsx'
import { type Replies, sentCalls } from '../../../test/signed-in.tsx'
import { putSession, readSession } from '../../session/session-store.ts'
import { Notifications } from './notifications.tsx'

afterEach(() => vi.unstubAllGlobals())

const group = (uuid: string, designation: string) => ({
  uuid: `ns-${uuid}`,
  name: uuid,
  type: 'group_id',
  type_uuid: uuid,
  permissions: {},
  settings: { inbox_config: { group_designation: designation, meta_info_customfields: { a: 'b' } } },
})
const groups = [group('gate', 'GATEKEEPER'), group('cloud', 'CLOUD')]
const show = (replies: Replies = {}, namespaces: unknown[] = groups) =>
  showRouted(<Notifications />, {
    'user/namespace/list': { namespaces },
    'user/event': ({ namespace_id }: { namespace_id: string }) => ({
      event_share: namespace_id === 'ns-u' ? 1 : 0,
      event_harvest: 0,
      event_approve: 0,
    }),
    ...replies,
  })
const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
const saved = () => sentCalls.filter(({ path }) => path === 'user/event/set').map(({ sent }) => sent)

test('[PERM-02] in a support session nothing is asked of the personal place, which the server keeps closed', async () => {
  show()
  const state = readSession()
  if (state.status !== 'established') throw new Error('Nobody is signed in')
  act(() => putSession({ ...state, session: { ...state.session, proxyName: 'Sam Support' } }))
  expect(await screen.findByText(/^What the person is mailed of/)).toBeDefined()
  expect(sentCalls.map(({ path }) => path)).not.toContain('user/event')
})

test('[ACCOUNT-13] [API-23] chooses four kinds, one by one and all at once, and saves them with their places', async () => {
  show()
  expect((await box('Shared with me')).checked).toBe(true)
  expect((await box('Harvested from a gateway')).checked).toBe(false)
  expect((await box('Select all')).indeterminate).toBe(true)
  const kinds = ['Shared with me', 'Harvested from a gateway', 'Shared with gatekeeper groups', 'Waiting for approval']
  const chosen = () => kinds.map((name) => screen.getByRole<HTMLInputElement>('checkbox', { name }).checked)
  await userEvent.click(await box('Shared with me'))
  await userEvent.click(await box('Select all'))
  expect(chosen()).toEqual([true, true, true, true])
  await userEvent.click(await box('Select all'))
  expect(chosen()).toEqual([false, false, false, false])
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect((await box('Shared with gatekeeper groups')).checked).toBe(false)
  ;(await box('Harvested from a gateway')).focus()
  await userEvent.keyboard(' ')
  await save()
  await screen.findByText('Your notifications have been saved.')
  expect(saved()).toEqual([{ namespace_id: 'ns-u', event_harvest: 1 }])
})

test('[ACCOUNT-13] leaves gatekeeper groups that differ as they are, until the choice for all of them is changed', async () => {
  show(
    {
      'user/event': ({ namespace_id }: { namespace_id: string }) => ({
        event_share: namespace_id === 'ns-second' ? 0 : 1,
        event_harvest: 0,
        event_approve: 0,
      }),
    },
    [...groups, group('second', 'GATEKEEPER')],
  )
  const ofGatekeepers = await box('Shared with gatekeeper groups')
  expect([ofGatekeepers.checked, ofGatekeepers.indeterminate]).toEqual([false, true])
  await userEvent.click(await box('Waiting for approval'))
  await save()
  await screen.findByText('Your notifications have been saved.')
  expect(saved()).toEqual([{ namespace_id: 'ns-u', event_approve: 1 }])
  await userEvent.click(ofGatekeepers)
  expect([ofGatekeepers.checked, ofGatekeepers.indeterminate]).toEqual([true, false])
  await save()
  await vi.waitFor(() =>
    expect(saved().slice(1)).toEqual([
      { namespace_id: 'ns-gate', event_share: 1 },
      { namespace_id: 'ns-second', event_share: 1 },
    ]),
  )
})

test('offers nothing of gatekeeper groups to those who belong to none', async () => {
  show({}, [group('cloud', 'CLOUD')])
  expect((await box('Shared with gatekeeper groups')).disabled).toBe(true)
  screen.getByText('You belong to no gatekeeper group.')
})

test.each([
  ['NOT_MEMBER', 'You are not a member of this place any more.'],
  ['NOT_PERMITTED', 'You are not allowed to choose notifications.'],
  ['NOT_FOUND', 'The place or the user was not found.'],
  ['INVALID_FLAG', 'Your notifications could not be saved. Please try again.'],
])('[ERROR-08] %s has its own words, and no success stands beside', async (error_type, words) => {
  let isRefused = false
  show({ 'user/event/set': () => (isRefused ? { status: 'ERROR', error_type } : { status: 'OK' }) })
  await userEvent.click(await box('Harvested from a gateway'))
  await save()
  await screen.findByText('Your notifications have been saved.')
  isRefused = true
  await userEvent.click(await box('Harvested from a gateway'))
  await save()
  expect((await screen.findByRole('alert')).textContent).toBe(words)
  expect(screen.queryByText('Your notifications have been saved.')).toBeNull()
})

test('says that the choices could not be loaded, and loads them again', async () => {
  let isDown = true
  show({ 'user/event': () => (isDown ? 500 : { event_share: 1, event_harvest: 0, event_approve: 0 }) })
  await screen.findByText('Your notifications could not be loaded.')
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect((await box('Shared with me')).checked).toBe(true)
})
