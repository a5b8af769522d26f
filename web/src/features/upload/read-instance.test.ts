import { describe, expect, test } from 'vitest'
import { makeDicom } from '../../../test/make-dicom.ts'
import { type FileBytes, readInstance } from './read-instance.ts'

/** A file that counts the bytes read of it. */
function counted(bytes: Uint8Array<ArrayBuffer>): FileBytes & { readBytes: number[] } {
  const blob = new Blob([bytes])
  const readBytes: number[] = []
  return {
    size: bytes.length,
    readBytes,
    slice: (start, end) => {
      readBytes.push(end - start)
      return blob.slice(start, end)
    },
  }
}

describe('reading one file', () => {
  test('gives what identifies an instance, from its first 16 KB', async () => {
    const file = counted(makeDicom({ patientName: 'MÜLLER^JÖRG', pixelBytes: 900_000 }))
    expect(await readInstance(file)).toMatchObject({
      kind: 'instance',
      header: {
        studyUid: '1.2.3',
        sopInstanceUid: '1.2.3.1.1',
        patientName: 'MÜLLER^JÖRG',
        patientBirthDate: '19800521',
      },
    })
    expect(file.readBytes).toEqual([16_384])
  })

  test('takes a head that was read before for its first bytes, and one of another length not', async () => {
    const bytes = makeDicom({ pixelBytes: 900_000 })
    const file = counted(bytes)
    expect(await readInstance(file, bytes.subarray(0, 16_384))).toMatchObject({ kind: 'instance' })
    expect(file.readBytes).toEqual([])
    expect(await readInstance(file, bytes.subarray(0, 300))).toMatchObject({ kind: 'instance' })
    expect(file.readBytes).toEqual([16_384])
  })

  test('reads more where large elements stand before the UIDs', async () => {
    const file = counted(makeDicom({ paddingBytes: 700_000, pixelBytes: 2_000_000 }))
    expect(await readInstance(file)).toMatchObject({ kind: 'instance' })
    expect(file.readBytes.length).toBeGreaterThan(1)
    expect(Math.max(...file.readBytes)).toBeLessThan(file.size)
  })

  test.each([
    ['an empty file', new Uint8Array(0), 'empty'],
    ['a text file', new TextEncoder().encode('Readme of the disc. '.repeat(20)), 'not-dicom'],
    ['a file without study UID', makeDicom({ studyUid: '' }), 'missing-uid'],
    ['a file that ends early', makeDicom().slice(0, 300), 'truncated'],
  ])('[ERROR-17] %s gets the reason %#', async (_what, bytes, kind) => {
    expect(await readInstance(new Blob([bytes]))).toEqual({ kind: 'skipped', reason: { kind } })
  })

  test('a file that cannot be opened any more says so', async () => {
    const gone: FileBytes = {
      size: 10,
      slice: () => ({ arrayBuffer: () => Promise.reject(new Error('NotFoundError')) }),
    }
    expect(await readInstance(gone)).toEqual({ kind: 'skipped', reason: { kind: 'unreadable' } })
  })
})
