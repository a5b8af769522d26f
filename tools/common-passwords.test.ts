import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { filterOf, isCommonPassword } from '../server/src/areas/user/common-passwords.ts'
import { listCommonPasswords, readSource } from './common-passwords.ts'

it('ships the filter that the list makes, and refuses what is on the list', () => {
  const root = path.resolve(import.meta.dirname, '..')
  const listed = listCommonPasswords(readSource(root))
  const shipped = readFileSync(path.join(root, 'server/src/areas/user/common-passwords.bin'))
  expect(filterOf(listed).equals(shipped)).toBe(true)
  expect(shipped.length / 4).toBeGreaterThan(90_000)
  const some = listed.filter((_, index) => index % 37 === 0)
  expect(some.filter((password) => !isCommonPassword(password))).toEqual([])
})
