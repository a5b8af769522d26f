import { describe, expect, it } from 'vitest'
import { findEntry, findTagByKeyword, findVr } from './dictionary.ts'
import { Tag, vrOfTag } from './tags.ts'

describe('the data dictionary', () => {
  it('finds attributes by tag and by keyword', () => {
    expect(findEntry(0x00100010)).toEqual({ tag: 0x00100010, vr: 'PN', keyword: 'PatientName' })
    expect(findTagByKeyword('PatientName')).toBe(0x00100010)
    expect(findTagByKeyword('NoSuchThing')).toBeUndefined()
  })

  it('knows overlays in every group and nothing private', () => {
    expect([findVr(0x60003000), findVr(0x60023000), findVr(0x60013000), findVr(0x00091001)]).toEqual([
      'OW',
      'OW',
      'UN',
      'UN',
    ])
  })

  it('agrees with the short list that the browser carries', () => {
    const wrong = Object.entries(Tag).filter(([keyword, tag]) => {
      const entry = findEntry(tag)
      return entry?.keyword !== keyword || (entry.vr !== vrOfTag(tag) && entry.vr !== 'ox' && entry.vr !== 'up')
    })
    expect(wrong).toEqual([])
  })
})
