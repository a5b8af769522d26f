import { permissions } from '@hilum/contract/permissions'
import { expect, it } from 'vitest'
import { presentFlags, presentPermissions } from './permissions.presenter.ts'

it('names every flag of the public API, held or not', () => {
  const flags = presentFlags(new Set(['study_view']))
  expect(Object.keys(flags)).toEqual(permissions)
  expect(Object.entries(flags).filter(([, value]) => value !== 0)).toEqual([['study_view', 1]])
})

it('names the role that gives them', () => {
  const shown = presentPermissions({ permissions: new Set(['study_edit']), roleUuid: 'role' })
  expect(shown).toMatchObject({ role_id: 'role', study_edit: 1, study_view: 0 })
})
