import { afterEach, expect, test } from 'vitest'
import { chooseLanguage, toPseudo } from './choose-language.ts'
import { english } from './english.ts'
import { addTexts, setWording, t, tRich } from './label.ts'

afterEach(() => setWording('en', (text) => text))

test('[SHELL-01] texts come by key, with slots and plural forms', () => {
  expect(t('menu.logout')).toBe('Log out')
  expect(t('list.results', { count: 1 })).toBe('1 study')
  expect(t('list.results', { count: 5 })).toBe('5 studies')
  expect(t('card.receiving', { done: 40, total: 60 })).toBe('Receiving 40 of 60')
})

/** The code of every screen, by its path. */
const screens: Record<string, string> = import.meta.glob('../**/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('[SHELL-01] no screen writes a text of its own: every label comes from the catalogue', () => {
  const written = Object.entries(screens)
    .filter(([path]) => !path.includes('.test.'))
    .flatMap(([path, code]) => {
      const between = code.match(/<[a-zA-Z](?:[^<>]*[^=<>])?>\s*[A-Za-z][^<>{}=;()]*<\//g) ?? []
      const asAttribute =
        code.match(/\s(label|title|aria-label|placeholder|alt|description|error)="[^"]*[A-Za-z]/g) ?? []
      return [...between, ...asAttribute].map((text) => `${path}: ${text}`)
    })
  expect(Object.keys(screens).length).toBeGreaterThan(100)
  expect(written).toEqual([])
})

test('no key stands in two catalogues, where one text would silently take the place of the other', () => {
  const catalogues = Object.values(import.meta.glob<object>('./en/*.ts', { eager: true }))
  const keys = catalogues.flatMap((catalogue) => Object.values(catalogue).flatMap((texts) => Object.keys(texts)))
  expect(keys.length).toBeGreaterThan(500)
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})

test('a value cannot turn the sentence around it, nor fill another slot', () => {
  expect(t('saved.confirmRemove', { name: '\u202Etxt.exe\u2069' })).toBe('Delete "txt.exe"?')
  expect(t('card.receiving', { done: '{total}', total: '$&' })).toBe('Receiving {total} of $&')
})

test('a slot may hold an element, and the sentence stays one text', () => {
  expect(tRich('header.welcomeAccount', { user: 'A', account: 'B' }).join('')).toBe('Welcome, A (B)')
})

test('the pseudo-language marks every text and keeps the slots', () => {
  chooseLanguage('?lang=xx-pseudo')
  expect(t('menu.logout')).toMatch(/^⟦.*⟧$/)
  expect(t('list.page', { page: 2, pages: 3 })).toContain('2')
  expect(toPseudo('{count} studies')).toContain('{count}')
})

test('texts that come later are worded as the page is', () => {
  chooseLanguage('?lang=xx-pseudo')
  addTexts({ 'menu.logout': 'Log off' })
  expect(t('menu.logout')).toContain(toPseudo('Log off'))
  expect(t('menu.logout')).toMatch(/^⟦.*⟧$/)
})

test('a plural text always has both its forms', () => {
  const singular = Object.keys(english).filter((key) => key.endsWith('_one'))
  expect(singular.filter((key) => !(key.replace(/_one$/, '_other') in english))).toEqual([])
})

test('thousands of a number are grouped, in sentences with elements too, but not those of a name in digits', () => {
  expect(t('list.results', { count: 12345 })).toBe('12,345 studies')
  expect(t('card.receiving', { done: 1000, total: 60_000 })).toBe('Receiving 1,000 of 60,000')
  expect(t('upload.series', { number: 1001 })).toBe('Series 1001')
  expect(tRich('list.results', { count: 12345 }).join('')).toBe('12,345 studies')
})

/** Texts whose number is never one, and why. */
const neverOne: Record<string, string> = {
  'sessions.askOthers': 'one has a text of its own',
  'sessions.endedMany': 'one has a text of its own',
  'jobs.tries': 'shown from two on',
  'list.resultsAtLeast': 'the cap of counting',
  'search.foundAtLeast': 'the cap of counting',
  'mixed.spellings': 'shown from two on',
  'conflict.image': 'a conflict has two versions at least',
  'conflict.more': 'a full page',
  'conflict.moreDifferences': 'more than a full page',
  'orders.giveNewest': 'a full page',
  'history.repeated': 'shown from two on',
  'send.opens': 'shown from two on',
  'audit.csvCut': 'the cap of rows',
  'audit.patientCut': 'the cap of rows',
  'retention.csvCut': 'the cap of rows',
  'links.manyText': 'shown from two on',
  'links.shows': 'shown from two on',
  'outside.severalExams': 'shown from two on',
  'process.foundFirst': 'a full page',
  'process.patientsFirst': 'a full page',
  'routing.testCut': 'a constant',
  'request.presetHint': 'a constant of many minutes',
  'grid.rowsOf': 'sizes of pages',
}
const things =
  'addresses|attributes|characters|copies|downloads|entries|exams|files|groups|hours|images|instances|letters|lines|links|members|minutes|objects|orders|parts|patients|people|places|reports|results|rows|series|sessions|steps|studies|tags|times|tries|uses|versions|ways'

test('no text counts things in the plural alone: of one it would say “1 images”', () => {
  const catalogues = Object.values(import.meta.glob<object>('./en/*.ts', { eager: true }))
  const texts: [string, string][] = catalogues.flatMap((catalogue) =>
    Object.values(catalogue).flatMap((of) => Object.entries<string>(of)),
  )
  const counting = new RegExp(
    String.raw`(?<!of )\{(?:count|completed|done|instances)\} (?:more |DICOM |latest |newest )?(?:${things})\b`,
  )
  const found = texts.filter(([, text]) => counting.test(text)).map(([key]) => key)
  const unpaired = found.filter((key) => !key.endsWith('_other') && !key.endsWith('_one'))
  expect(found.length).toBeGreaterThan(100)
  expect(unpaired.filter((key) => !(key in neverOne))).toEqual([])
  expect(Object.keys(neverOne).filter((key) => !texts.some(([one]) => one === key))).toEqual([])
  const plural = new RegExp(String.raw`\{count\} (?:more |DICOM )?(?!series)(?:${things})\b`)
  expect(texts.filter(([key, text]) => key.endsWith('_one') && plural.test(text)).map(([key]) => key)).toEqual([])
})
