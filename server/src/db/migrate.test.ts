import { expect, it } from 'vitest'
import { migrationNames } from './migrate.ts'

it('names the steps in the order in which they are taken, so that a database is known again at the next start', () => {
  expect(migrationNames).toEqual(migrationNames.toSorted())
})
