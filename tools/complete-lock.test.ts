import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { findMissing } from './complete-lock.ts'

it('names the packages of other platforms that a lock leaves out', () => {
  const lock = {
    packages: {
      'node_modules/tool': {
        dev: true,
        optionalDependencies: { '@tool/linux-x64': '1.2.3', '@tool/darwin-arm64': '1.2.3' },
      },
      'node_modules/@tool/linux-x64': { version: '1.2.3' },
    },
  }
  expect(findMissing(lock)).toEqual({
    'node_modules/@tool/darwin-arm64': { version: '1.2.3', dev: true, optional: true, os: ['darwin'], cpu: ['arm64'] },
  })
})

it('finds the lock complete, so that npm ci accepts it on every platform (mend it with npm run lock)', () => {
  const file = path.resolve(import.meta.dirname, '../package-lock.json')
  expect(findMissing(JSON.parse(readFileSync(file, 'utf8')))).toEqual({})
})
