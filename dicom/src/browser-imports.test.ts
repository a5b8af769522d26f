import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Modules with which the browser reads files: workers bundle these and all that they import. */
const entries = [
  'read',
  'instance-index',
  'end-check',
  'text',
  'uid',
  'person-name',
  'dates',
  'identity',
  'sop-classes',
  'value-rules',
  'dicomdir',
]

it.each(entries)('%s imports neither Node nor the whole dictionary', (entry) => {
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    for (const [, path] of source.matchAll(/from '([^']+)'/g))
      visit(path?.startsWith('./') ? path.slice(2) : `outside: ${path}`)
  }
  expect(() => visit(`${entry}.ts`)).not.toThrow()
  expect([...seen].filter((file) => file.startsWith('node/') || file.startsWith('dictionary'))).toEqual([])
})
