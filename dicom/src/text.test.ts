import { expect, it, describe } from 'vitest'
import { isCorpusMissing, listCorpus, readCorpusFile } from './node/corpus.ts'
import { readHeader } from './read.ts'
import { indexInstance } from './instance-index.ts'
import { decodeText } from './text.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

describe('decodeText', () => {
  it('puts the initial sets back in force after a separator of a name', () => {
    // Inside a double-byte set the code of ^ is half a character.
    expect(decodeText(bytes('\x1b$B0^\x1b(B'), '\\ISO 2022 IR 87', true)).toBe('緯')
    expect(decodeText(bytes('\x1b$B;3ED\x1b(B^Taro'), '\\ISO 2022 IR 87', true)).toBe('山田^Taro')
  })

  it('keeps the backslash that is the second half of a double-byte character', () => {
    expect(decodeText(Uint8Array.of(0x95, 0x5c), 'GBK')).toHaveLength(1)
  })

  it('reads undeclared bytes as UTF-8 where they are that, else as Latin-1', () => {
    expect(decodeText(Uint8Array.of(0xc3, 0xb8), '')).toBe('ø')
    expect(decodeText(Uint8Array.of(0xf8), '')).toBe('ø')
  })

  it('forgives how vendors spell the term', () => {
    for (const term of ['ISO-IR 101', 'ISO_IR_101', 'ISO IR 101', 'ISO 2022 IR 101', 'iso_ir 101 ']) {
      expect(decodeText(Uint8Array.of(0xb6), term)).toBe('ś')
    }
  })

  it('never throws', () => {
    for (const charset of ['ISO_IR 192', 'ISO 2022 IR 13\\ISO 2022 IR 87', 'GB18030', 'nonsense', '']) {
      expect(() => decodeText(Uint8Array.of(0x1b, 0x24, 0xff, 0x1b), charset, true)).not.toThrow()
    }
  })
})

/** Files whose declared character set is not the one of their bytes: no reader can know. */
const misdeclared = new Set(['charsets/declared-latin1-but-cp1251.dcm', 'charsets/invalid-utf8-bytes.dcm'])

describe.skipIf(isCorpusMissing)('names of the character set files', () => {
  it.each(listCorpus('charsets/').filter((file) => file.expected === 'accept' && !misdeclared.has(file.path)))(
    'reads the name in $path',
    (file) => {
      const read = readHeader(readCorpusFile(file.path))
      if (read.kind !== 'header') throw new Error('The file is whole')
      const trueName =
        /^true name: ([^(]+?)(?: \(.*\)| in decomposed.*|, bytes.*)?$/.exec(file.note)?.[1] ?? file.patient_name ?? ''
      expect(indexInstance(read.header).patientName.normalize('NFC').replace(/=+$/, '')).toBe(trueName.normalize('NFC'))
    },
  )
})
