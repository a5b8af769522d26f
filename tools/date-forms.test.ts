import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const formats =
  /toLocale(?:Date|Time)?String\(|DateTimeFormat|RelativeTimeFormat|\.get(?:UTC)?(?:FullYear|Month|Date|Day)\(|dayjs/

it('[ACCOUNT-07] dates and times are written in web/src/format alone', () => {
  const files = globSync('web/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.startsWith('web/src/format/') && !/\.test\.tsx?$/.test(file),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => formats.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([])
})
