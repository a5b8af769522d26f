import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/** Tests as docs/hazards.md names them: a file in backticks, then titles or their beginnings in quotes. */
function readNamedTests(): { file: string; title: string }[] {
  const text = readFileSync(path.join(root, 'docs', 'hazards.md'), 'utf8')
  return [...text.matchAll(/`([\w./-]+\.(?:test\.tsx?|e2e\.ts))`((?:,? “[^”]+”)+)/g)].flatMap(
    ([, file = '', titles = '']) => [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ file, title })),
  )
}

it('every hazard names a test that exists', () => {
  const named = readNamedTests()
  const missing = named.filter(({ file, title }) => !readFileSync(path.join(root, file), 'utf8').includes(title))
  expect(missing).toEqual([])
  const rows = readFileSync(path.join(root, 'docs', 'hazards.md'), 'utf8').match(/^\| (?!Hazard|---).*$/gm) ?? []
  expect(rows.filter((row) => !/\.(test\.tsx?|e2e\.ts)` “/.test(row))).toEqual([])
  expect(named.length).toBeGreaterThanOrEqual(rows.length)
})
