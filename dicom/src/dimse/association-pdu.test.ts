import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeAnswer, decodeRequest, encodeAnswer, encodeRequest } from './association-pdu.ts'
import { DimseError } from './dimse-error.ts'

const request = {
  calledTitle: 'HILUM',
  callingTitle: 'MODALITY 1',
  contexts: [
    { id: 1, abstractSyntax: '1.2.840.10008.1.1', transferSyntaxes: ['1.2.840.10008.1.2'] },
    {
      id: 3,
      abstractSyntax: '1.2.840.10008.5.1.4.1.1.2',
      transferSyntaxes: ['1.2.840.10008.1.2.1', '1.2.840.10008.1.2'],
    },
  ],
  maxPduBytes: 131_072,
  roles: [{ sopClass: '1.2.840.10008.5.1.4.1.1.2', isScu: true, isScp: true }],
}

describe('a request for an association', () => {
  it('is laid out byte by byte as PS3.8 §9.3.2 says', () => {
    const bytes = encodeRequest({ ...request, contexts: request.contexts.slice(0, 1), roles: [] })
    expect(bytes[0]).toBe(1)
    expect(bytes.readUInt32BE(2)).toBe(bytes.length - 6)
    expect(bytes.readUInt16BE(6)).toBe(1)
    expect(bytes.toString('latin1', 10, 42)).toBe('HILUM           MODALITY 1      ')
    expect(bytes.subarray(42, 74).every((byte) => byte === 0)).toBe(true)
    expect(bytes.toString('hex', 74, 78)).toBe('10000015')
    expect(bytes.toString('latin1', 78, 99)).toBe('1.2.840.10008.3.1.1.1')
    // context item, its number, the class and the one syntax
    expect(bytes.toString('hex', 99, 107)).toBe('2000002e01000000')
    expect(bytes.toString('hex', 107, 111)).toBe('30000011')
    expect(bytes.toString('hex', 128, 132)).toBe('40000011')
    expect(bytes.toString('hex', 149, 161)).toContain('51000004'.concat('00020000'))
  })

  it('reads back as it was written, with user name and passcode', () => {
    const userIdentity = { type: 2, wantsAnswer: true, primary: Buffer.from('user'), secondary: Buffer.from('secret') }
    const read = decodeRequest(encodeRequest({ ...request, userIdentity }).subarray(6))
    expect(read).toMatchObject({ ...request, userIdentity, isVersionKnown: true })
  })

  it('is answered by what was agreed, one operation at a time', () => {
    const read = decodeRequest(encodeRequest(request).subarray(6))
    const contexts = [
      { id: 1, result: 0, transferSyntax: '1.2.840.10008.1.2' },
      { id: 3, result: 4, transferSyntax: '1.2.840.10008.1.2' },
    ]
    const bytes = encodeAnswer({ ...read, wantsWindow: true }, { contexts, maxPduBytes: 16_384, roles: [] })
    expect(decodeAnswer(bytes.subarray(6))).toEqual({ contexts, maxPduBytes: 16_384, roles: [] })
    expect(bytes.includes(Buffer.from([0x53, 0, 0, 4, 0, 1, 0, 1]))).toBe(true)
    expect(bytes.toString('latin1', 10, 42)).toBe('HILUM           MODALITY 1      ')
  })

  it('is refused with an even or doubled context number, without contexts, or with more than 128', () => {
    const context = (id: number) => ({ id, abstractSyntax: '1.2.3', transferSyntaxes: ['1.2.840.10008.1.2'] })
    const wrong = [
      [],
      [context(2)],
      [context(1), context(1)],
      Array.from({ length: 129 }, (_, i) => context(2 * i + 1)),
    ]
    for (const contexts of wrong) {
      const bytes = encodeRequest({ ...request, contexts: contexts.map((one) => ({ ...one, id: one.id % 256 })) })
      expect(() => decodeRequest(bytes.subarray(6))).toThrow(DimseError)
    }
  })

  it('[DIMSE fuzz] fails in words and in no other way, whatever is changed in it', () => {
    const whole = encodeRequest(request).subarray(6)
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(changes, fc.nat(whole.length), (bytes, length) => {
        const changed = Buffer.from(whole)
        for (const [at, value] of bytes) changed[at] = value
        for (const read of [decodeRequest, decodeAnswer]) {
          const error = failureOf(() => read(changed.subarray(0, length)))
          expect(error === undefined || error instanceof DimseError).toBe(true)
        }
      }),
      { numRuns: 3_000 },
    )
  })
})

function failureOf(work: () => unknown): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}
