import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_INFLATED_BYTES } from '@hilum/dicom/limits'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { encodeElements, writeMeta } from '@hilum/dicom/write-part10'
import { Tag } from '@hilum/dicom/tags'
import { afterAll, expect, it } from 'vitest'
import { createFileStore } from '../../outbound/storage/file-store.ts'
import { asCorrected, readInstanceStart } from './corrected-instance.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'

const folder = await mkdtemp(join(tmpdir(), 'hilum-start-'))
const store = createFileStore(folder)
afterAll(() => rm(folder, { recursive: true }))

/** A document so large that nobody should hold it in memory; on disk it is a hole. */
async function storeLargeDocument(bytes: number): Promise<StoredInstance> {
  const sopClass = '1.2.840.10008.5.1.4.1.1.104.1'
  const named = encodeElements(
    [
      { tag: Tag.SOPClassUID, vr: 'UI', value: sopClass },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3.4' },
      { tag: Tag.PatientName, vr: 'PN', value: 'Made^Up' },
      { tag: Tag.StudyInstanceUID, vr: 'UI', value: '1.2' },
      { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3' },
    ],
    { isExplicit: true, isLittleEndian: true },
  )
  const document = Buffer.from('420011004f4200000000000000', 'hex').subarray(0, 12)
  document.writeUInt32LE(bytes, 8)
  const head = Buffer.concat([writeMeta(sopClass, '1.2.3.4', ExplicitLittleEndian), named, document])
  await mkdir(join(folder, 'a'), { recursive: true })
  await using file = await open(join(folder, 'a', 'large'), 'w')
  await file.write(head)
  await file.truncate(head.length + bytes)
  // only what reading looks at
  return {
    object_key: 'a/large',
    sop_uid: '1.2.3.4',
    byte_offset: 0,
    length: head.length + bytes,
    transfer_syntax: ExplicitLittleEndian,
    pixel_offset: null,
    preamble_blank: true,
    bare_start: null,
    crc32: 1,
  } as StoredInstance
}

it('does not take a document of any size into memory to read what stands in front of it', async () => {
  const instance = await storeLargeDocument(MAX_INFLATED_BYTES + 2)
  await expect(readInstanceStart(store, instance)).rejects.toMatchObject({ name: 'DicomReadError', code: 'too-large' })
  const edits = [{ tag: Tag.PatientName, old: 'Made^Up', new: 'Made^Right' }]
  const corrected = asCorrected(store, instance, { edits, modifiedAt: '20260101000000+0000' })
  await expect(corrected).rejects.toMatchObject({ name: 'CannotSendError', message: expect.stringContaining('bytes') })
})
