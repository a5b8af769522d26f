import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { lastSent, makeInbox, type Replies, showSignedIn } from '../../../test/signed-in.tsx'
import { noFilters } from '../../state/search-filters.ts'
import { SavedSearches } from './saved-searches.tsx'

const mayShare = { permissions: { filter_share: 1 } }
const emergency = makeInbox('Emergency', mayShare)
const library = makeInbox('Library', { ...mayShare, designation: 'LIBRARY' })
const night = makeInbox('Night shift')
const mine = makeInbox('Mel', { ...mayShare, kind: 'mine', idField: 'user_id' })
const account = makeInbox('a', { ...mayShare, kind: 'organisation', idField: 'account_id' })

const kept = {
  uuid: 's1',
  name: 'Chests',
  owner_name: 'Mel Tanaka',
  namespace_id: null,
  is_mine: 1,
  may_edit: 1,
  configuration: { web: {} },
}
const nobody = { account_id: [], location_id: [], group_id: [], user_id: [], role_id: [] }

function show(replies: Replies, inboxes = [mine, account, emergency, library, night]) {
  return showSignedIn(<SavedSearches draft={noFilters} inboxes={inboxes} today="2026-11-21" onApply={vi.fn()} />, {
    'filter/list': { filters: [kept] },
    ...replies,
  })
}
/** A server that remembers with which groups the search is shared. */
function remember(groups: string[]): Replies {
  return {
    'filter/share/list': () => ({ ...nobody, group_id: [...groups] }),
    'filter/share': ({ group_id }: Record<string, unknown>) => void groups.push(String(group_id)),
    'filter/share/stop': ({ group_id }: Record<string, unknown>) =>
      void groups.splice(groups.indexOf(String(group_id))),
  }
}
async function openShares() {
  await userEvent.click(await screen.findByRole('button', { name: 'Share Chests' }))
  return within(screen.getByRole('region', { name: 'With whom Chests is shared' }))
}

test('[SEARCH-08] a search is shared with a group, shows with whom, and is taken back', async () => {
  show(remember([]))
  const shares = await openShares()
  await shares.findByText('This search is shared with nobody.')
  const place = shares.getByRole('combobox', { name: 'Share with' }) as HTMLSelectElement
  expect([...place.options].map(({ textContent }) => textContent)).toEqual([
    'Everyone at Northside',
    'Emergency',
    'Library',
  ])
  await userEvent.selectOptions(place, 'Emergency')
  await userEvent.click(shares.getByRole('button', { name: 'Share' }))
  await shares.findByText('Shared with Emergency.')
  expect(lastSent('filter/share')).toEqual({ uuid: 's1', group_id: 'Emergency' })
  const stop = await shares.findByRole('button', { name: 'Stop sharing with Emergency' })
  expect([...place.options].map(({ textContent }) => textContent)).not.toContain('Emergency')
  await userEvent.click(stop)
  await shares.findByText('No longer shared with Emergency.')
  expect(lastSent('filter/share/stop')).toEqual({ uuid: 's1', group_id: 'Emergency' })
  await shares.findByText('This search is shared with nobody.')
})

test('[SEARCH-08] people, roles and places of others are listed in words and can be taken back', async () => {
  show({
    'filter/share/list': { ...nobody, account_id: ['a'], group_id: ['elsewhere'], user_id: ['u9'], role_id: ['r1'] },
  })
  const shares = await openShares()
  await shares.findByText('Everyone at Northside')
  for (const text of ['A group that you do not belong to', 'Everyone in one role']) shares.getByText(text)
  await userEvent.click(shares.getByRole('button', { name: 'Stop sharing with One person' }))
  await waitFor(() => expect(lastSent('filter/share/stop')).toEqual({ uuid: 's1', user_id: 'u9' }))
})

test('[SEARCH-08] says who a search comes from, and offers to share only what may be changed', async () => {
  const theirs = { ...kept, uuid: 's2', name: 'Hips', owner_name: 'Ana Silva', is_mine: 0, may_edit: 0 }
  const ofGroup = { ...theirs, uuid: 's3', name: 'Knees', namespace_id: emergency.namespaceId }
  show({ 'filter/list': { filters: [kept, theirs, ofGroup] } })
  await screen.findByText('Mine')
  screen.getByText('From Ana Silva')
  screen.getByText('Emergency, from Ana Silva')
  expect(screen.getAllByRole('button', { name: /^Share / })).toHaveLength(1)
})

test('[SEARCH-08] says so when shares cannot be read, and reads them again; a failed act leaves the form', async () => {
  let isDown = true
  show({ ...remember([]), 'filter/share/list': () => (isDown ? 500 : nobody), 'filter/share': 412 })
  const shares = await openShares()
  await shares.findByText('With whom this search is shared could not be loaded.')
  isDown = false
  await userEvent.click(shares.getByRole('button', { name: 'Try again' }))
  await userEvent.click(await shares.findByRole('button', { name: 'Share' }))
  await shares.findByText('That did not work. Please try again.')
  expect(shares.getByRole('combobox', { name: 'Share with' })).toBeTruthy()
})

test('[SEARCH-08] who may share with no group is told so, and keys open and close it', async () => {
  show(remember([]), [mine, night])
  const button = await screen.findByRole('button', { name: 'Share Chests' })
  button.focus()
  await userEvent.keyboard('{Enter}')
  const region = screen.getByRole('region', { name: 'With whom Chests is shared' })
  expect(document.activeElement).toBe(region)
  await within(region).findByText('You have no group that you may share searches with.')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: 'With whom Chests is shared' })).toBeNull()
  expect(document.activeElement).toBe(button)
})
