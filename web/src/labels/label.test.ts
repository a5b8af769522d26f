import { afterEach, expect, test } from 'vitest'
import { chooseLanguage, toPseudo } from './choose-language.ts'
import { englishTexts, setCatalogue, t, tRich } from './label.ts'

afterEach(() => setCatalogue('en', englishTexts))

test('[SHELL-01] texts come by key, with slots and plural forms', () => {
  expect(t('menu.logout')).toBe('Log out')
  expect(t('list.results', { count: 1 })).toBe('1 study')
  expect(t('list.results', { count: 5 })).toBe('5 studies')
  expect(t('card.receiving', { done: 40, total: 60 })).toBe('Receiving 40 of 60')
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

test('a plural text always has both its forms', () => {
  const singular = Object.keys(englishTexts).filter((key) => key.endsWith('_one'))
  expect(singular.filter((key) => !(key.replace(/_one$/, '_other') in englishTexts))).toEqual([])
})
