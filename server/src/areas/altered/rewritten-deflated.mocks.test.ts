import { deflate, inflate } from '@hilum/dicom/node/inflate'
import { MAX_INFLATED_BYTES } from '@hilum/dicom/limits'
import { readDataSet } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { DeflatedLittleEndian, ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { findText } from '@hilum/dicom/values'
import { writeMeta, writePart10 } from '@hilum/dicom/write-part10'
import { expect, it, vi } from 'vitest'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import * as inThread from '../document/in-thread.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { rewriteDeflated, type Rewriting } from './rewrite-deflated.ts'
import { rewrittenDeflated } from './rewritten-deflated.ts'

const apart = vi.spyOn(inThread, 'answerOfThread')

vi.mock('../document/in-thread.ts', async (original) => ({ ...(await original<typeof inThread>()) }))

const sop = '1.2.840.10008.5.1.4.1.1.7'
const megabyte = 1024 * 1024

/** A deflated file of Made^Up that grows by so many bytes. */
function makeFile(privateBytes: number): Uint8Array {
  const data = writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: sop },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3' },
    { tag: 0x00090010, vr: 'LO', value: 'HILUM TEST' },
    { tag: 0x00091010, vr: 'OB', value: new Uint8Array(privateBytes) },
    { tag: Tag.PatientName, vr: 'PN', value: 'Made^Up' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2' },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.1' },
  ]).subarray(writeMeta(sop, '1.2.3', ExplicitLittleEndian).length)
  return Buffer.concat([writeMeta(sop, '1.2.3', DeflatedLittleEndian), deflate(data)])
}

const correct = (old: string): Rewriting => ({
  kind: 'correct',
  correction: { edits: [{ tag: Tag.PatientName, old, new: 'Made^Right' }], modifiedAt: '20260101000000+0000' },
})
const anonymize: Rewriting = {
  kind: 'anonymize',
  changes: new Map([[Tag.PatientName, { vr: 'PN', value: 'Made^Right' }]]),
  correction: { edits: [] },
}

function rewritten(bytes: Uint8Array, rewriting: Rewriting, length = bytes.length) {
  const store = { read: async () => bytes } as unknown as ObjectStore
  return rewrittenDeflated(
    store,
    { object_key: 'a', byte_offset: 0, length, sop_uid: '1.2.3' } as StoredInstance,
    rewriting,
  )
}

const nameIn = (bytes: Uint8Array) => findText(readDataSet(bytes, { inflate }).dataSet, Tag.PatientName)

it.each([
  ['a small file is corrected', 1000, correct('Made^Up'), 0, 'Made^Right'],
  ['a file that grows to megabytes is corrected', 8 * megabyte, correct('Made^Up'), 1, 'Made^Right'],
  ['a file to which no correction belongs', 8 * megabyte, correct('Somebody^Else'), 1, 'Made^Up'],
  ['tags of a small file are replaced', 1000, anonymize, 0, 'Made^Right'],
  ['tags of a file that grows to megabytes are replaced', 8 * megabyte, anonymize, 1, 'Made^Right'],
] as const)('%s where it should be, and alike', async (_, privateBytes, rewriting, threads, name) => {
  apart.mockClear()
  const bytes = makeFile(privateBytes)
  const file = await rewritten(bytes, rewriting)
  expect(apart).toHaveBeenCalledTimes(threads)
  expect(nameIn(file.bytes)).toBe(name)
  expect(file.isChanged).toBe(name === 'Made^Right')
  expect(Buffer.compare(file.bytes, rewriteDeflated({ bytes, rewriting }).bytes)).toBe(0)
})

it('what a thread refuses is refused with its code', async () => {
  const bomb = makeFile(MAX_INFLATED_BYTES)
  await expect(rewritten(bomb, correct('Made^Up'))).rejects.toMatchObject({ code: 'too-large-inflated' })
  await expect(rewritten(makeFile(0), anonymize, MAX_INFLATED_BYTES + 1)).rejects.toMatchObject({ code: 'too-large' })
  const torn = Buffer.concat([makeFile(8 * megabyte).subarray(0, 400), Buffer.alloc(2 * megabyte, 0xab)])
  await expect(rewritten(torn, anonymize)).rejects.toMatchObject({ name: 'DicomReadError' })
})
