import { deflate } from '@hilum/dicom/node/inflate'
import { Tag } from '@hilum/dicom/tags'
import { DeflatedLittleEndian, ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { type WriteElement, writeMeta, writePart10 } from '@hilum/dicom/write-part10'
import { expect, it, vi } from 'vitest'
import * as inThread from '../document/in-thread.ts'
import { readStartApart, readStartHere } from './body-start.ts'
import { GatheredBytes } from './gathered-bytes.ts'
import { maxInflatedHeader, readStart } from './read-start.ts'

const apart = vi.spyOn(inThread, 'answerOfThread')

vi.mock('../document/in-thread.ts', async (original) => ({ ...(await original<typeof inThread>()) }))

const sop = '1.2.840.10008.5.1.4.1.1.7'

/** A file whose header holds so many bytes of a private value before the names of study and series. */
function makeFile(privateBytes: number, syntax = ExplicitLittleEndian): Uint8Array {
  const uid = (tag: number, value: string): WriteElement => ({ tag, vr: 'UI', value })
  const elements: WriteElement[] = [
    uid(Tag.SOPClassUID, sop),
    uid(Tag.SOPInstanceUID, '1.2.3'),
    { tag: 0x00090010, vr: 'LO', value: 'HILUM TEST' },
    { tag: 0x00091010, vr: 'OB', value: new Uint8Array(privateBytes) },
    uid(Tag.StudyInstanceUID, '1.2'),
    uid(Tag.SeriesInstanceUID, '1.2.1'),
  ]
  const data = writePart10(elements).subarray(writeMeta(sop, '1.2.3', ExplicitLittleEndian).length)
  return Buffer.concat([writeMeta(sop, '1.2.3', syntax), syntax === DeflatedLittleEndian ? deflate(data) : data])
}

const megabyte = 1024 * 1024

async function readBodyStart(bytes: Uint8Array) {
  const gathered = new GatheredBytes(bytes.length)
  for (let at = 0; at < bytes.length; at += 65_536) gathered.push(bytes.subarray(at, at + 65_536))
  const read = readStartHere(bytes, bytes.length) ?? (await readStartApart(gathered, bytes.length))
  expect(Buffer.compare(gathered.bytes, bytes)).toBe(0)
  gathered.free()
  expect(gathered.bytes.length).toBe(0)
  return read
}

it.each([
  ['a small header', makeFile(1000), 0],
  ['a small deflated header', makeFile(1000, DeflatedLittleEndian), 0],
  ['a large header', makeFile(megabyte), 1],
  ['a header that inflates to megabytes', makeFile(8 * megabyte, DeflatedLittleEndian), 1],
])('%s is read where it should be, and alike', async (_, bytes, threads) => {
  apart.mockClear()
  const read = await readBodyStart(bytes)
  expect(apart).toHaveBeenCalledTimes(threads)
  expect(read).toEqual(readStart(bytes, bytes.length, maxInflatedHeader))
  expect(read).toMatchObject({ kind: 'start', start: { facts: { studyUid: '1.2', seriesUid: '1.2.1' } } })
})

it('what a thread refuses is refused with its code', async () => {
  const bomb = makeFile(maxInflatedHeader, DeflatedLittleEndian)
  await expect(readBodyStart(bomb)).rejects.toMatchObject({ code: 'too-large-inflated' })
  const noise = Buffer.concat([makeFile(0).subarray(0, 400), Buffer.alloc(megabyte, 0xab)])
  await expect(readBodyStart(noise)).rejects.toMatchObject({ name: 'DicomReadError' })
})
