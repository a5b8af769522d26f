import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { permissions } from '@hilum/contract/permissions'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const names = new RegExp(`['"\`](?:${permissions.join('|')})['"\`]|permissions\\.has\\(`)

it('[PERM-01] permissions are read by name in the table of acts alone: server and screens ask for acts', () => {
  const files = globSync('{server/src,web/src,viewer/page/src}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.test\.tsx?$|\/migrations\//.test(file),
  )
  expect(files.length).toBeGreaterThan(500)
  const found = files.filter((file) => names.test(readFileSync(path.join(root, file), 'utf8')))
  expect(found).toEqual([])
})
