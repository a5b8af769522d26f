import { expect, it } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'
import { findPasswordFault } from './password-fault.ts'

const names = [
  'Zoë',
  'Müller-Lüdenscheidt',
  'Zoë Müller-Lüdenscheidt',
  'z.mueller@northside-clinic.example',
  'Kim',
  'Saint Anne',
]

it.each([
  ['short12', 'rule'],
  ['onlyletters', 'rule'],
  ['1234567890', 'rule'],
  // on the lists
  ['1qaz2wsx', 'common'],
  ['password123', 'common'],
  ['QWERTY123', 'common'],
  ['jordan23', 'common'],
  // a common word with digits and signs around it, or in place of letters
  ['Password2026', 'common'],
  ['2026!welcome!', 'common'],
  ['Sommer2026!', 'common'],
  ['p4ssw0rd2027', 'common'],
  ['$ummer2031', 'common'],
  ['radiologie01', 'common'],
  ['aa11aa11aa11', 'common'],
  ['we1c0me2031', 'common'],
  // one word, said more than once
  ['password12password', 'common'],
  ['Dragon-dragon-77', 'common'],
  ['sommersommer26', 'common'],
  // full-width letters are the same word
  ['Ｐａｓｓｗｏｒｄ2026', 'common'],
  ['48northside', 'name'],
  ['12clinic-desk', 'name'],
  ['muller99xyz', 'name'],
  ['mueller99xyz', 'name'],
  ['77LUDENSCHEIDT', 'name'],
  ['xx12saintanne', 'name'],
  ['kim19841984', 'name'],
  ['hilum2026ok', 'product'],
  ['my-HILUM-77', 'product'],
  ['h1lum-boat22', 'product'],
  ['h i l u m 2026', 'product'],
  ['my.H1-1UM.40', 'product'],
  // names with signs in place of letters
  ['N0rth51de-40', 'name'],
  ['77-mu11er-boat', 'name'],
])('refuses %s for the reason "%s"', (password, fault) => {
  expect(findPasswordFault(password, names)).toBe(fault)
})

it.each([
  '42lantern-boat',
  'cobalt93willow',
  'kimono-77-rack',
  'reindeer under 40 moons',
  'Zürichsee 19 Ruder',
  '東京59タワーab',
])('takes %s', (password) => {
  expect(findPasswordFault(password, names)).toBeUndefined()
})

it('refuses nothing for a name that is empty or one letter', () => {
  expect(findPasswordFault('42lantern-boat', ['', ' ', 'L', '@', '.'])).toBeUndefined()
})

it('takes what nobody has chosen before, but for one in some thousands', () => {
  const made = Array.from({ length: 2000 }, (_, number) => `quiet${number}harbour${number * 7}light`)
  expect(made.filter(isCommonPassword).length).toBeLessThan(3)
})
