import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/** Beginnings of a comment that leave open of what it speaks until its second sentence, or for good. */
const vague =
  /^[^\S\n]*\/\*\*?\s+(?:\*\s+)?(?:What|Which|That|Those|This|These|It|Its|They|Their|Who|Whoever|Whose|He|She)\b.*$/gm

it('comments on names begin with the noun that they speak of', () => {
  const files = globSync('{contract,dicom,server,web,viewer,e2e,tools,bench}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: (name) => /(?:^|\/)(?:node_modules|dist|\.cache)(?:\/|$)/.test(name),
  })
  expect(files.length).toBeGreaterThan(1000)
  const found = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    return [...text.matchAll(vague)].map(([comment]) => `${file}: ${comment.trim()}`)
  })
  expect(found).toEqual([])
})
