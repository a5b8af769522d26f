import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/*
 * docs/proof/faults.md and docs/proof/gate-faults.md tell which test makes a fault happen, and what people then read.
 * Both change; the pages must not be left behind.
 */

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const rowsOf = (page: string) =>
  (read(`docs/proof/${page}`).match(/^\| (?!Fault|---).*$/gm) ?? []).map((row) => row.split(' | '))
const pages = ['faults.md', 'gate-faults.md']

/** Sentences without their full stops. */
const sentencesOf = (text: string) => text.split(/(?<=[.?!])\s+/).map((one) => one.replace(/[.?!,]+$/, ''))

it.each(pages)('%s names tests that exist, by titles that they have', (page) => {
  const rows = rowsOf(page)
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

it.each(pages)('%s quotes what the screens say, or words that its tests expect of the server', (page) => {
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
  const quotes = rowsOf(page).flatMap(([, tests = '', seen = '']) => {
    const files = [...tests.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => read(file))
    return [...seen.matchAll(/"([^"]+)"/g)]
      .flatMap(([, quote = '']) => sentencesOf(quote))
      .map((quote) => ({ quote, isExpected: files.some((text) => text.includes(quote)) }))
  })
  expect(quotes.length).toBeGreaterThan(10)
  expect(quotes.filter(({ quote, isExpected }) => !isExpected && !said.some((label) => label.test(quote)))).toEqual([])
})
