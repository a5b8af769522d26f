import { describe, expect, it } from 'vitest'
import { isAcceptableUid, isStandardUid, newUid } from './uid.ts'

describe('UIDs', () => {
  it('makes standard UIDs that differ, with and without a root', () => {
    const made = [
      ...Array.from({ length: 200 }, () => newUid()),
      ...Array.from({ length: 200 }, () => newUid('1.2.826.0.1.3680043.10.543')),
    ]
    expect(made.every(isStandardUid)).toBe(true)
    expect(new Set(made).size).toBe(made.length)
    expect(made[0]).toMatch(/^2\.25\./)
    expect(made[399]).toMatch(/^1\.2\.826\.0\.1\.3680043\.10\.543\./)
  })

  it('refuses a root that is none or leaves no room', () => {
    expect(() => newUid('1.2.a')).toThrow(RangeError)
    expect(() => newUid(`1.${'2'.repeat(50)}`)).toThrow(RangeError)
  })

  it('takes letters and leading zeros but nothing that acts as a path, pattern or blank', () => {
    expect(['1.2.840.study', '1.02.3', 'dccc9599087131'].every(isAcceptableUid)).toBe(true)
    expect(['', '..', '../x', '1.2/3', '1\\2', '1.*', '1.2 3', 'x'.repeat(129)].some(isAcceptableUid)).toBe(false)
    expect(isStandardUid('1.02.3')).toBe(false)
  })
})
