import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showSignedIn } from '../../../../test/signed-in.tsx'
import { Destinations } from './destinations.tsx'

const destination = (name: string, echo: object | null) => ({
  uuid: name,
  account_id: 'a',
  name,
  type: 'DICOM',
  node_id: 'n',
  node_aetitle: 'HILUM',
  aetitle: name,
  address: '192.0.2.1',
  port: 104,
  uses_tls: 0,
  tls_certificate: '',
  can_search: 1,
  can_search_mwl: 0,
  can_query_retrieve: 0,
  can_push: 1,
  push_unchecked: 0,
  can_commit: 0,
  retrieve_method: 'auto',
  group_ids: null,
  max_associations: 2,
  sort_order: null,
  health: null,
  echo,
})

test('says of each destination whether it answers, since when, and why not', async () => {
  const since = '2026-03-02 10:00:00.000000+00'
  const answer = { asked_at: since, ok: 1, since, message: '' }
  const destinations = [
    destination('GOOD', answer),
    destination('MUTE', { ...answer, ok: 0, message: 'No connection to the peer' }),
    destination('NEW', null),
  ]
  showSignedIn(<Destinations />, { 'destination/list': { destinations, page: {} } }, {}, { destination_edit: 1 })
  const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(`^${name}`) }))
  expect((await row('GOOD')).getByText(/^Answers since .*2026/)).toBeDefined()
  const mute = await row('MUTE')
  expect(mute.getByText(/^No answer since .*2026/)).toBeDefined()
  expect(mute.getByText('No connection to the peer')).toBeDefined()
  expect((await row('NEW')).queryByText(/answer/i)).toBeNull()
})
