import { expect, it } from 'vitest'
import { permissionsOfScopes, scopesOfPermissions } from './key-scopes.ts'

it('the kinds of work of a key are found again from its permissions', () => {
  expect(scopesOfPermissions(permissionsOfScopes(['view', 'upload']))).toEqual({
    scopes: ['view', 'upload'],
    others: 0,
  })
})

it('permissions that make up no whole kind of work are counted', () => {
  expect(scopesOfPermissions(['study_download', 'study_upload', 'account_edit'])).toEqual({
    scopes: ['download'],
    others: 2,
  })
})
