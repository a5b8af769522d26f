import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CommandField, decodeCommand, encodeCommand, NO_DATA_SET, responseTo } from './command.ts'
import { DimseError } from './dimse-error.ts'
import { formatStatus, kindOfStatus } from './status.ts'

it('writes a C-ECHO request as PS3.7 §9.3.5 lays it out', () => {
  const bytes = encodeCommand(
    { field: CommandField.EchoRequest, messageId: 1, affectedSopClass: '1.2.840.10008.1.1' },
    false,
  )
  expect(bytes.toString('hex')).toBe(
    '00000000' +
      '04000000' +
      '38000000' +
      '00000200' +
      '12000000' +
      Buffer.from('1.2.840.10008.1.1\0').toString('hex') +
      '00000001' +
      '02000000' +
      '3000' +
      '00001001' +
      '02000000' +
      '0100' +
      '00000008' +
      '02000000' +
      '0101',
  )
})

it('reads back what it wrote; comments are ASCII of 64 characters', () => {
  const request = {
    field: CommandField.StoreRequest,
    messageId: 7,
    affectedSopClass: '1.2',
    affectedSopInstance: '1.2.3',
  }
  expect(decodeCommand(encodeCommand(request, true))).toMatchObject(request)
  const response = { ...responseTo(request), status: 0xa700, errorComment: `Größe\\${'x'.repeat(80)}` }
  const read = decodeCommand(encodeCommand(response, false))
  expect(read).toMatchObject({ field: 0x8001, respondsTo: 7, status: 0xa700, dataSetType: NO_DATA_SET })
  expect(read.errorComment).toBe(`Gr??e?${'x'.repeat(58)}`)
})

it('[DIMSE fuzz] fails in words and in no other way', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const error = failureOf(() => decodeCommand(Buffer.from(bytes)))
      expect(error === undefined || error instanceof DimseError).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

it('tells success, warning, pending and failure apart', () => {
  const kinds = [0x0000, 0xb000, 0xb007, 0x0001, 0xff00, 0xff01, 0xa700, 0xc123, 0x0122].map(kindOfStatus)
  expect(kinds).toEqual([
    'success',
    'warning',
    'warning',
    'warning',
    'pending',
    'pending',
    'failure',
    'failure',
    'failure',
  ])
  expect(formatStatus(0x110)).toBe('0110')
})

function failureOf(work: () => unknown): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}
