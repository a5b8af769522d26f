import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { releaseVersion } from './release.ts'

it('is the version of the package', () => {
  const packageFile = path.join(import.meta.dirname, '..', '..', 'package.json')
  expect(JSON.parse(readFileSync(packageFile, 'utf8'))).toMatchObject({ version: releaseVersion })
})
