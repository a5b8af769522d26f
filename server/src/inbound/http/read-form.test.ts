import fc from 'fast-check'
import { maxFormFields } from '@hilum/contract/limits'
import { expect, it } from 'vitest'
import { FormBoundsError, readForm } from './read-form.ts'

it('reads what the platform reads', () => {
  const signs = fc.constantFrom(
    'a',
    'B',
    '&',
    '=',
    '+',
    '%',
    '%2',
    '%41',
    '%C3%A9',
    '%c3',
    '%zz',
    ' ',
    '[',
    '%F0%9F%98%80',
  )
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 40 }), (parts) => {
      const text = parts.join('')
      const names = new URLSearchParams(text)
      const known = [...new Set(names.keys())].map((name): [string, string | string[]] => {
        const [first = '', ...more] = names.getAll(name)
        return [name, more.length > 0 ? [first, ...more] : first]
      })
      expect(readForm(Buffer.from(text))).toEqual(Object.fromEntries(known))
    }),
    { numRuns: 1000 },
  )
})

it('takes letters that were sent without escapes', () => {
  expect(readForm(Buffer.from('Größe=ü%C3%A9%&😀=1'))).toEqual({ Größe: 'üé%', '😀': '1' })
})

it('keeps a field of a name that objects have, and no prototype', () => {
  const form = readForm(Buffer.from('__proto__=a&constructor=b'))
  expect(Object.keys(form)).toEqual(['__proto__', 'constructor'])
  expect(Object.getPrototypeOf(form)).toBe(Object.prototype)
})

it('refuses more fields than any call takes, rather than leave some out', () => {
  expect(
    Object.keys(readForm(Buffer.from(Array.from({ length: maxFormFields }, (_, at) => `a${at}=1`).join('&')))),
  ).toHaveLength(maxFormFields)
  expect(() => readForm(Buffer.from('a=1&'.repeat(maxFormFields + 1)))).toThrow(FormBoundsError)
})
