import { describe, expect, it } from 'vitest'
import { areOtherAuthorities, isForeignAuthority, isOneNumber, mayBeOneNumber, ownNamesOf } from './authority.ts'

const names = ['', 'OWN', ' own', 'HIS North', 'SOUTH', 'south', 'WEST']
const pairs = names.flatMap((one) => names.map((other) => [one, other] as const))
const own = ownNamesOf('OWN', 'KIS, his north')

describe('assigning authorities', () => {
  it('are compared alike whichever side is asked first, and each with itself', () => {
    for (const all of [own, []]) {
      expect(
        pairs.filter(([one, other]) => areOtherAuthorities(one, other, all) !== areOtherAuthorities(other, one, all)),
      ).toEqual([])
      expect(names.filter((one) => areOtherAuthorities(one, one, all))).toEqual([])
    }
  })

  it('are one under all names of the organisation, and where a number comes without one', () => {
    const ofOwn = ['', 'OWN', ' own', 'HIS North']
    const others = pairs.filter(([one, other]) => areOtherAuthorities(one, other, own))
    const isOwn = (one: string) => ofOwn.includes(one)
    expect(others).toEqual(
      pairs.filter(
        ([one, other]) => isOwn(one) !== isOwn(other) || (!isOwn(one) && one.toLowerCase() !== other.toLowerCase()),
      ),
    )
    expect(names.filter((one) => isForeignAuthority(one, own))).toEqual(['SOUTH', 'south', 'WEST'])
  })

  it('of an organisation that did not name its own are of any where a number comes without one, and none is foreign', () => {
    expect(names.filter((one) => areOtherAuthorities(one, '', []))).toEqual([])
    expect(areOtherAuthorities('OWN', 'HIS North', [])).toBe(true)
    expect(names.filter((one) => isForeignAuthority(one, []))).toEqual([])
    expect(ownNamesOf('', ' , ')).toEqual([])
  })

  it('tell numbers that are one from those that may be', () => {
    const at = (patientid: string, issuer: string) => ({ patientid, issuer })
    expect(isOneNumber(at(' a1', 'KIS'), at('A1', ''), own)).toBe(true)
    expect(isOneNumber(at('A1', 'X'), at('A1', ''), [])).toBe(false)
    expect(mayBeOneNumber(at('A1', 'X'), at('A1', ''), [])).toBe(true)
    expect(mayBeOneNumber(at('A1', 'X'), at('A1', ''), own)).toBe(false)
    expect(mayBeOneNumber(at('A1', 'X'), at('A2', 'X'), own)).toBe(false)
  })
})
