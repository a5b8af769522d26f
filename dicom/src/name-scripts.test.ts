import { describe, expect, it } from 'vitest'
import { looksAlike, mixesScripts } from './name-scripts.ts'
import { compareNames } from './identity-name.ts'
import { foldText } from './person-name.ts'

describe('names in letters of two scripts', () => {
  it.each([
    ['ANNA^MARIA', 'АNNA^MARIA'],
    ['NOVAK^TOM', 'NOVAK^ТОМ'],
    ['КОХ^ANNA', 'KOX^ANNA'],
    ['ΝΙΚΟΣ^ΜΑΡΙΑ', 'NIKOΣ^MAPIA'],
  ])('are two names that look alike: %s and %s', (one, other) => {
    expect(compareNames(one, other)).toBe('name-different')
    expect([looksAlike(one, other), looksAlike(other, one)]).toEqual([true, true])
  })

  it.each([
    ['DOE^JANE', 'DOE^JANE'],
    ['DOE^JANE', 'ROE^RICHARD'],
    ['ИВАНОВ^ИВАН', 'IVANOV^IVAN'],
    ['', 'DOE^JANE'],
  ])('are told of no other pairs: %s and %s', (one, other) => {
    expect(looksAlike(one, other)).toBe(false)
  })

  it.each([
    ['АNNA^MARIA', true],
    ['ANNA^MARIA', false],
    ['YAMADA^TAROU=山田^太郎', false],
    ['ИВАНОВ^ИВАН', false],
    // two names beside each other are each in one script
    ['IVANOV^IVAN=ИВАНОВ^ИВАН', false],
  ])('are seen in one word: %s', (name, mixes) => {
    expect(mixesScripts(name)).toBe(mixes)
  })
})

const blanks = ['\u00a0', '\u3000', '\u2003', '\u202f', '\u1680', '\u2028', '\t']
const unseen = ['\u200b', '\u200c', '\u200d', '\u200e', '\u2060', '\ufeff', '\u00ad', '\u180e', '\u061c']

it.each([...blanks, ...unseen])(
  'a name with another kind of blank, or with a character without a picture, is the same name',
  (sign) => {
    const other = `DE${sign} LA${sign} CRUZ^ANNA${sign} MARIA${sign}`
    expect(['name-same', 'name-spelling']).toContain(compareNames('DE LA CRUZ^ANNA MARIA', other))
    expect(foldText(other)).toBe('de la cruz^anna maria')
  },
)
