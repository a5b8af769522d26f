import { expect, it } from 'vitest'
import type { Caller } from '../../access/caller.ts'
import { presentSavedSearch } from './filter.presenter.ts'
import type { SavedSearchRow } from './filter.sql.ts'

const row: SavedSearchRow = {
  uuid: 'search',
  name: 'Mine',
  type: 'Study',
  configuration: { 'filter.modality.equals': 'CT' },
  owner_uuid: 'ann',
  owner_name: 'Ann Reader',
  account_uuid: 'account',
  namespace_uuid: null,
}
const show = (userUuid: string) => presentSavedSearch(row, { userUuid } as Caller, [])

it('shows a saved search, to its owner as one to be changed', () => {
  const shown = {
    uuid: 'search',
    name: 'Mine',
    type: 'Study',
    configuration: { 'filter.modality.equals': 'CT' },
    owner: 'ann',
    owner_name: 'Ann Reader',
    account_id: 'account',
    namespace_id: null,
  }
  expect(show('ann')).toEqual({ ...shown, is_mine: 1, may_edit: 1 })
  expect(show('ben')).toEqual({ ...shown, is_mine: 0, may_edit: 0 })
})
