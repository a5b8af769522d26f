import fc from 'fast-check'
import type * as z from 'zod/mini'
import { expect, it } from 'vitest'
import type { AnyCall } from './call.ts'
import { readCallInput } from './call-input.ts'
import { calls } from './calls/all-calls.ts'
import { customFieldFault } from './custom-field-rules.ts'
import { hasHiddenSign, replaceHiddenSigns, withoutHiddenSigns } from './hidden-signs.ts'
import * as wire from './wire.ts'

const hiddenSigns =
  '\u0000\u0007\u001b\u007f\u0085\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066\u2069\u206f\u2800\u3164\ufe0f\ufeff\uffa0\ufff9\ue000\ufffe'
const sign = fc.constantFrom(...hiddenSigns, '\u{e0001}', '\u{e0041}', '\u{e007f}', '\u{e0100}', '\ud800')
const letters = fc.string({ unit: fc.constantFrom(...'aZ 9-éßжאש') })

it('finds a sign that nobody sees anywhere in a text, and takes nothing else out', () => {
  fc.assert(
    fc.property(letters, sign, letters, (before, one, after) => {
      const text = `${before}${one}${after}`
      expect([hasHiddenSign(text), withoutHiddenSigns(text)]).toEqual([true, `${before}${after}`])
      expect(replaceHiddenSigns(text, '□')).toBe(`${before}□${after}`)
    }),
  )
})

it.each([
  'Emergency',
  'Två rader\r\n\tmed tabb',
  'می‌خواهم',
  'ශ්‍රී ලංකා',
  'क्‍ष',
  '葛\u{e0100}城',
  'ירושלים',
  'مستشفى',
  'e\u0301cole',
  'Team 👩‍⚕️ ❤️ 👍🏽 1️⃣',
])('takes %j as it is spelled', (text) => {
  expect([hasHiddenSign(text), replaceHiddenSigns(text, '□')]).toEqual([false, text])
})

/** Texts in which any sign may stand: secrets, what is looked for, values that images or other systems gave, and screens' own. */
const takesAny = [
  /^session\/login (login|password|new_password)$/,
  /^(link|link\/\w+|link\/open\/\w+|study\/share|session\/prove|user\/password\/reset|user\/set|user\/add) (old_)?password(_confirm)?$/,
  /^(study\/share\/\w+|system\/account\/users) search$/,
  /^(audit|retention)\/.* (patientid|issuer)$/,
  /^destination\/search (patient_name|patientid|accession_number|study_description)$/,
  /^study\/split\w* (patient_\w+|patientid|accession_number|study_description)$/,
  /^setting\/set value$/,
  /^study\/audit detail$/,
  // addresses as mail programs copy them, read without these signs
  /^\S+ (administrator_)?email$/,
  /^link\/\w+ notify$/,
  // what is there already is named by its text
  /^tag\/delete tag$/,
  /^customfield\/lookup name$/,
  /^(namespace\/share_code\S*|study\/share\S*) share_code$/,
]

it('is refused by every text that a call takes, at its field', () => {
  const [accepted, refused, elsewhere] = [new Set<string>(), new Set<string>(), [] as string[]]
  for (const call of Object.values(calls) as unknown as AnyCall[]) {
    const { shape } = call.input as unknown as { shape?: Record<string, z.ZodMiniType> } // all inputs are objects
    for (const [field, schema] of Object.entries(shape ?? {})) {
      if (!schema.safeParse('plain').success) continue // no text
      const place = `${call.path} ${field}`
      const isRefused = !schema.safeParse('Emer\u202egency').success
      ;(isRefused ? refused : accepted).add(place)
      const read = readCallInput(call, { [field]: 'Emer\u202egency' })
      const isAtField = 'fault' in read && ['MISSING_FIELDS', 'INVALID_FIELD'].includes(read.fault.code)
      if (isRefused && !isAtField) elsewhere.push(place)
    }
  }
  expect(elsewhere).toEqual([])
  const dicomFields = /^study\/(add|set) /
  const odd = [...accepted].filter((one) => !dicomFields.test(one) && !takesAny.some((form) => form.test(one)))
  expect(odd).toEqual([])
  for (const name of [
    'group/add name',
    'location/set name',
    'role/add name',
    'role/add description',
    'destination/add name',
    'route/add name',
    'webhook/add name',
    'tag/add tag',
    'customfield/add name',
    'filter/add name',
    'account/set name',
    'account/user/add first',
    'user/set last',
    'user/set share_description',
    'link/add message',
    'study/share message',
    'study/reject message',
    'account/connect/ask message',
  ])
    expect(refused).toContain(name)
})

it('is told as a fault of its field, and beside it what is missing', () => {
  expect(
    readCallInput(calls.groupAdd as unknown as AnyCall, { account_id: crypto.randomUUID(), name: 'a\u200bb' }),
  ).toEqual({
    fault: { code: 'INVALID_FIELD', subtype: 'name' },
  })
  expect(wire.text().safeParse('').success).toBe(false)
  expect(wire.clearableText().safeParse('').success).toBe(true)
})

it('is a fault of every custom field that is written', () => {
  for (const type of ['text', 'memo', 'search'] as const)
    expect(customFieldFault({ type, required: false, options: null }, 'a\u202eb', new Date())).toEqual({
      kind: 'control',
    })
})
