import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeText } from './encode-text.ts'
import { decodeText } from './text.ts'

const cases: [charset: string, letters: string][] = [
  ['ISO_IR 100', 'aéüßÑ '],
  ['ISO_IR 101', 'ałśŻ '],
  ['ISO_IR 109', 'aĦĝ'],
  ['ISO_IR 110', 'aĸŗ'],
  ['ISO_IR 144', 'aЛю'],
  ['ISO_IR 127', 'aقب'],
  ['ISO_IR 126', 'aΔι'],
  ['ISO_IR 138', 'aשר'],
  ['ISO_IR 148', 'aİşğ'],
  ['ISO_IR 203', 'a€Š'],
  ['ISO_IR 166', 'aสม'],
  ['ISO_IR 13', 'aﾔﾏ'],
  ['ISO 2022 IR 13\\ISO 2022 IR 87', 'aﾔ山田やま'],
  ['\\ISO 2022 IR 87', 'a山田やま'],
  ['\\ISO 2022 IR 159', 'a丂丅'],
  ['\\ISO 2022 IR 149', 'a洪吉洞홍길'],
  ['\\ISO 2022 IR 58', 'a王小东'],
  ['ISO 2022 IR 100\\ISO 2022 IR 144', 'aéЛю'],
  ['GBK', 'a王丽東'],
  ['GB18030', 'a王丽東'],
  ['ISO_IR 192', 'aé山𠮷'],
]

describe('encodeText', () => {
  it.each(cases)('writes in %s what decodeText reads back', (charset, letters) => {
    const text = fc.array(fc.constantFrom(...letters, '^', '='), { maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (name) => {
        const bytes = encodeText(name, charset, true)
        expect(bytes && decodeText(bytes, charset, true)).toBe(name)
      }),
    )
  })

  it.each([
    ['ISO_IR 100', '山田'],
    ['', 'Müller'],
    ['ISO_IR 999', 'Müller'],
    ['\\ISO 2022 IR 87', 'Müller'],
    ['GBK', '𠮷'],
  ])('says that %j cannot hold %s', (charset, text) => {
    expect(encodeText(text, charset)).toBeUndefined()
  })

  it('writes ASCII in any character set', () => {
    expect(encodeText('Doe', 'nonsense')).toEqual(Uint8Array.of(0x44, 0x6f, 0x65))
  })
})
