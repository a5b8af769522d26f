import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { serverParts } from '../web/first-view.mjs'

/* The built pages leave parts of declared calls and routes out, which unit tests still see: a page that reads one breaks. */

const web = path.resolve(import.meta.dirname, '..', 'web', 'src')
const imports = /^import (?:type )?\{([^}]*)\} from '@hilum\/contract\/(?:calls|routes)\/[^']+'/gm

function findRead(text: string): string[] {
  const names = [...text.matchAll(imports)].flatMap(([, list = '']) => list.match(/\b[a-z]\w+\b/g) ?? [])
  const parts = [...serverParts].join('|')
  const values = text.replace(/\btypeof \w+\.\w+/g, '')
  // any call, as the code that sends calls names one
  return [...new Set([...names, 'call'])].flatMap(
    (name) => values.match(new RegExp(`\\b${name}\\??\\.(?:${parts})\\b`, 'g')) ?? [],
  )
}

it('no page reads a part of a call or a route that is left out of what is built', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: web }).filter((file) => !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    findRead(readFileSync(path.join(web, file), 'utf8')).map((one) => `${file} ${one}`),
  )
  expect(found).toEqual([])
  const reads = "import { roleAdd } from '@hilum/contract/calls/role'\nconst may = roleAdd.asks.settings"
  expect(findRead(reads)).toEqual(['roleAdd.asks'])
})
