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
