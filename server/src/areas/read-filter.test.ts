import type { ListRules } from '@hilum/contract/list'
import { describe, expect, it } from 'vitest'
import { readFilter, readList, readFilterText } from './read-filter.ts'

const rules: ListRules = {
  object: 'thing',
  rowsKey: 'things',
  filters: { name: 'text', 'settings.logo': 'text' },
  sorts: [],
  defaultRows: 50,
  customFields: true,
}
const field = 'customfield-c0ffee00-0000-4000-8000-000000000001'
const refused = (code: string, subtype: string) => expect.objectContaining({ code, detail: { subtype } })

describe('an expression of a filter', () => {
  it('names a field and a condition, and has a value', () => {
    const expression = 'filter.name.equals'
    expect(readFilter(rules, expression, 'Doe')).toEqual({
      field: 'name',
      condition: 'equals',
      value: 'Doe',
      expression,
    })
    expect(readFilter(rules, 'filter.settings.logo.like', 7)).toMatchObject({ field: 'settings.logo', value: '7' })
    expect(readFilter(rules, `filter.${field}.equals`, 'x')).toMatchObject({ field, value: 'x' })
    expect(readFilter(rules, expression, undefined).value).toBe('')
  })

  it.each(['in', 'in_or_null'])('with %s has several values, as a list or as JSON', (condition) => {
    for (const sent of [['a', 'b'], '["a", "b"]']) {
      expect(readFilter(rules, `filter.name.${condition}`, sent).value).toEqual(['a', 'b'])
    }
    expect(() => readFilter(rules, `filter.name.${condition}`, 'a')).toThrow(
      refused('INVALID_JSON', `filter.name.${condition}`),
    )
  })

  it.each([
    ['filter.name.resembles', 'INVALID_CONDITION'],
    ['filter.name', 'INVALID_CONDITION'],
    ['filter.other.equals', 'INVALID_FIELD'],
    ['filter.constructor.equals', 'INVALID_FIELD'],
    ['filter..equals', 'INVALID_FIELD'],
    ['filter.customfield-1.equals', 'INVALID_FIELD'],
  ])('%s is refused as %s', (expression, code) => {
    expect(() => readFilter(rules, expression, 'x')).toThrow(refused(code, expression))
  })

  it('is refused with a value that no record could hold', () => {
    const long = (count: number) => 'x'.repeat(count)
    const isRefused = refused('INVALID_FIELD', 'filter.name.in')
    expect(readFilter(rules, 'filter.name.equals', long(1024)).value).toHaveLength(1024)
    expect(() => readFilter(rules, 'filter.name.equals', long(1025))).toThrow(
      refused('INVALID_FIELD', 'filter.name.equals'),
    )
    expect(
      readFilter(
        rules,
        'filter.name.in',
        Array.from({ length: 5000 }, () => 'x'),
      ).value,
    ).toHaveLength(5000)
    expect(() =>
      readFilter(
        rules,
        'filter.name.in',
        Array.from({ length: 5001 }, () => 'x'),
      ),
    ).toThrow(isRefused)
    expect(readFilter(rules, 'filter.name.in', ['', long(1024)]).value).toHaveLength(2)
    expect(() => readFilter(rules, 'filter.name.in', ['', long(1025)])).toThrow(isRefused)
  })
})

describe('a list of texts', () => {
  it('is read from typed values and from JSON', () => {
    expect(readList(['a', 1, true], 'fields')).toEqual(['a', '1', 'true'])
    expect(readList('[]', 'fields')).toEqual([])
    expect(readList('["a"]', 'fields')).toEqual(['a'])
  })

  it.each(['', 'a', '{"a": 1}', '[["a"]]', '[null]', '["a"', 7, undefined, null, {}])(
    '%j is none, and the error names the parameter',
    (sent) => {
      expect(() => readList(sent, 'fields')).toThrow(refused('INVALID_JSON', 'fields'))
    },
  )

  it('tells what could not be read', () => {
    expect(() => readList('["a"', 'fields')).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) }))
  })
})

it.each([
  ['a', 'a'],
  ['', ''],
  [7, '7'],
  [false, 'false'],
  [['a', 'b'], 'a'],
  [[['a']], 'a'],
  [[], undefined],
  [null, undefined],
  [{}, undefined],
])('reads the text of %j as %j', (sent, text) => {
  expect(readFilterText(sent)).toBe(text)
})
