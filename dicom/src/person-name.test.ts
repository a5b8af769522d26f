import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  foldText,
  formatPersonName,
  formatPersonNameValue,
  parsePersonName,
  personNameSearchText,
} from './person-name.ts'

describe('person names', () => {
  it('reads five components in three groups', () => {
    const name = parsePersonName('van der Berg^Anna Maria^Johanna^Dr.^PhD, MD=ファン^アンナ=ﾌｧﾝ^ｱﾝﾅ')
    expect(name.alphabetic).toEqual({
      family: 'van der Berg',
      given: 'Anna Maria',
      middle: 'Johanna',
      prefix: 'Dr.',
      suffix: 'PhD, MD',
    })
    expect(name.ideographic?.family).toBe('ファン')
    expect(name.phonetic?.given).toBe('ｱﾝﾅ')
  })

  it('shows FAMILY, Given Middle and the other scripts behind it', () => {
    expect(formatPersonName('Doe^Jane^Q')).toBe('DOE, Jane Q')
    expect(formatPersonName('Yamada^Tarou=山田^太郎=やまだ^たろう')).toBe('YAMADA, Tarou · 山田 太郎 · やまだ たろう')
    expect(formatPersonName('Smith, John')).toBe('SMITH, John')
    expect(formatPersonName('^^^^')).toBe('')
    expect(formatPersonName('=王^小東')).toBe('王 小東')
  })

  it('finds a name without accents, case, width or kind of kana', () => {
    expect(personNameSearchText('Müller^Zoë')).toBe('muller zoe')
    expect(personNameSearchText('Mu\u0308ller^Zoe\u0308')).toBe('muller zoe')
    expect(foldText('Jørgensen Łukasz Straße')).toBe('jorgensen lukasz strasse')
    expect(foldText('ﾔﾏﾀﾞ')).toBe(foldText('やまだ'))
    expect(foldText('かき')).not.toBe(foldText('がき'))
  })

  it('writes back any name that it read', () => {
    const component = fc.stringMatching(/^[A-Za-zéøń山田']{0,8}$/)
    const group = fc.array(component, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('^'))
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 3 }), (groups) => {
        const name = parsePersonName(groups.join('='))
        expect(parsePersonName(formatPersonNameValue(name))).toEqual(name)
      }),
    )
  })

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(typeof formatPersonName(text)).toBe('string')
        expect(typeof personNameSearchText(text)).toBe('string')
      }),
    )
  })
})
