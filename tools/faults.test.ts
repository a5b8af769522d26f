import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/*
 * docs/proof/faults.md tells which test makes a fault happen, and what people then read. Both change; the page must not
 * be left behind.
 */

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const rows = (read('docs/proof/faults.md').match(/^\| (?!Fault|---).*$/gm) ?? []).map((row) => row.split(' | '))

/** Sentences without their full stops. */
const sentencesOf = (text: string) => text.split(/(?<=[.?!])\s+/).map((one) => one.replace(/[.?!,]+$/, ''))

it('names tests that exist, by titles that they have', () => {
  const missing = rows.flatMap(([, tests = '']) =>
    [...tests.matchAll(/`([\w./-]+)`((?:,? \*[^*]+\*)*)/g)].flatMap(([, file = '', titles = '']) => {
      if (!existsSync(path.join(root, file))) return file.includes('.') ? [file] : []
      const text = read(file)
      const parts = [...titles.matchAll(/\*([^*]+)\*/g)].flatMap(([, title = '']) => title.split('…'))
      return parts.map((part) => part.trim()).filter((part) => !text.includes(part))
    }),
  )
  expect(missing).toEqual([])
  expect(rows.filter(([, tests = '']) => !/`[\w./-]+\.(test\.tsx?|e2e\.ts)`/.test(tests))).toEqual([])
})

it('quotes what the screens say', () => {
  const labels = globSync('web/src/labels/en/*.ts', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/'((?:[^'\\]|\\.)+)',?$/gm)].flatMap(([, text = '']) => sentencesOf(text)),
  )
  // those that are little but slots would allow any quote
  const worded = labels.filter((label) => (label.replaceAll(/\{\w+\}/g, '').match(/\p{L}/gu)?.length ?? 0) > 7)
  // slots stand for anything
  const said = worded.map((label) => {
    const literal = label.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    return new RegExp(`^${literal.join('.+')}$`)
  })
  const quotes = rows.flatMap(([, , seen = '']) =>
    [...seen.matchAll(/"([^"]+)"/g)].flatMap(([, quote = '']) => sentencesOf(quote)),
  )
  expect(quotes.length).toBeGreaterThan(10)
  expect(quotes.filter((quote) => !said.some((label) => label.test(quote)))).toEqual([])
})
