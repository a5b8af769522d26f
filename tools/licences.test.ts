import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { describeLicences, isAllowed, listPackages } from './licences.ts'

const root = path.resolve(import.meta.dirname, '..')

it.each([
  'GPL-3.0-only',
  'AGPL-3.0-or-later',
  'SSPL-1.0',
  'LGPL-3.0-or-later',
  'MIT AND GPL-2.0-only',
  'unknown',
  'UNLICENSED',
])('refuses a package under %s', (licence) => expect(isAllowed({ name: 'some-package', licence })).toBe(false))

it.each(['MIT', '(MIT AND Zlib)', '(WTFPL OR MIT)', 'GPL-2.0-only OR MIT'])('accepts a package under %s', (licence) => {
  expect(isAllowed({ name: 'some-package', licence })).toBe(true)
})

it('accepts the shared library under sharp, and says why in the list', () => {
  expect(isAllowed({ name: '@img/sharp-libvips-linux-x64', licence: 'LGPL-3.0-or-later' })).toBe(true)
  expect(describeLicences([])).toContain('libvips')
})

it('finds no incompatible licence among our packages', () => {
  expect(listPackages(root).filter((one) => !isAllowed(one))).toEqual([])
})

it('finds docs/licences.md up to date (npm run licences writes it)', () => {
  expect(readFileSync(path.join(root, 'docs', 'licences.md'), 'utf8')).toBe(describeLicences(listPackages(root)))
})
