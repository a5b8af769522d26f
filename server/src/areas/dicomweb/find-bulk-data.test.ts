import { deflate } from '@hilum/dicom/node/inflate'
import { Tag } from '@hilum/dicom/tags'
import { DeflatedLittleEndian, ExplicitBigEndian, transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { concatBytes, encodeElements, writeMeta } from '@hilum/dicom/write-part10'
import { expect, test } from 'vitest'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { findBulkData } from './find-bulk-data.ts'

function fileIn(transferSyntax: string): Uint8Array {
  const elements = [
    { tag: Tag.PatientComments, vr: 'LT', value: 'x'.repeat(5000) },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2' },
  ]
  const dataSet = encodeElements(elements, transferSyntaxOf(transferSyntax))
  const isDeflated = transferSyntax === DeflatedLittleEndian
  return concatBytes([
    writeMeta('1.2.840.10008.5.1.4.1.1.7', '1.2.3.4', transferSyntax),
    isDeflated ? deflate(dataSet) : dataSet,
  ])
}

/** Asks ten times at once for a value, from files that are read together, and says how many were opened before that. */
async function openedAtOnce(transferSyntax: string): Promise<number> {
  const file = fileIn(transferSyntax)
  const end = Promise.withResolvers<void>()
  let opened = 0
  // only what finding looks at
  const store = {
    read: async () => {
      opened += 1
      await end.promise
      return file
    },
  } as unknown as ObjectStore
  const instance = {
    transfer_syntax: transferSyntax,
    object_key: 'a',
    sop_uid: '1.2.3.4',
    byte_offset: 0,
    length: file.length,
  } as StoredInstance
  const all = Array.from({ length: 10 }, () => findBulkData(store, instance, '00104000'))
  // once all promises are settled, every file that may be opened has been
  await new Promise((resolve) => setImmediate(resolve))
  const atOnce = opened
  end.resolve()
  for (const part of await Promise.all(all)) {
    const bytes = part?.kind === 'bytes' ? part.bytes : new Uint8Array()
    expect(Buffer.from(bytes).toString('latin1')).toBe('x'.repeat(5000))
    // nothing but the value is held until it is sent
    expect(bytes.buffer.byteLength).toBe(bytes.length)
  }
  expect(opened).toBe(10)
  return atOnce
}

test('deflated objects are opened two at a time for their long values, others as they come', async () => {
  expect(await openedAtOnce(DeflatedLittleEndian)).toBe(2)
  expect(await openedAtOnce(ExplicitBigEndian)).toBe(10)
})
