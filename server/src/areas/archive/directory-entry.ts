import { promisify } from 'node:util'
import { crc32, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import { type DirectoryFile, lengthOfDicomdir, writeDicomdir } from '@hilum/dicom/dicomdir'
import type { ZipEntry } from './zip-layout.ts'

const FILE_SET_ID = 'HILUM'

/**
 * The DICOMDIR of an archive, written when its turn comes, while the images are leaving: writing the directory of a
 * thousand images takes as long as everything else before the first byte. Until then the entry holds the deflated
 * list of files, afterwards the deflated directory, some 30 bytes for each file.
 * @param listing `files` as JSON
 * @param etag 32 hexadecimal digits, of which the UID of the file set is made
 */
export async function directoryEntry(
  files: readonly DirectoryFile[],
  listing: string,
  etag: string,
  modified: Date,
): Promise<ZipEntry> {
  const fileSetUid = `2.25.${BigInt(`0x${etag}`)}`
  const length = lengthOfDicomdir(files, FILE_SET_ID, fileSetUid)
  return unwritten(await promisify(deflateRaw)(listing, { level: 1 }), fileSetUid, length, modified)
}

/** By itself, because the entry keeps alive everything that its function has seen. */
function unwritten(listing: Buffer, fileSetUid: string, length: number, modified: Date): ZipEntry {
  let pending: Buffer | undefined = listing
  let written = { deflated: Buffer.alloc(0), crc32: 0 }
  const write = () => {
    if (pending) {
      const files: DirectoryFile[] = JSON.parse(inflateRawSync(pending).toString())
      const bytes = writeDicomdir(files, FILE_SET_ID, fileSetUid)
      if (bytes.length !== length) throw new RangeError('A DICOMDIR has another length than reckoned')
      written = { deflated: deflateRawSync(bytes, { level: 1 }), crc32: crc32(bytes) }
      pending = undefined
    }
    return written
  }
  const open = async function* (start: number, count: number) {
    const whole = await promisify(inflateRaw)(write().deflated)
    yield whole.subarray(start, start + count)
  }
  return {
    name: 'DICOMDIR',
    length,
    modified,
    parts: [{ kind: 'stream', length, open }],
    get crc32() {
      return write().crc32
    },
  }
}
