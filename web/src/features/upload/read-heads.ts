import { FIRST_READ_AT_BROWSER_BYTES } from '@hilum/dicom/limits'

/**
 * The heads of some files by one reading of all: each reading by itself is a handful of messages between processes of the
 * browser. None where any of the files cannot be read, since it spoils the reading of the others: each is read alone then.
 */
export async function readHeads(files: readonly Blob[]): Promise<readonly Uint8Array[]> {
  const sizes = files.map(({ size }) => Math.min(size, FIRST_READ_AT_BROWSER_BYTES))
  const whole = sizes.reduce((sum, size) => sum + size, 0)
  try {
    const together = new Blob(files.map((file, k) => (sizes[k] === file.size ? file : file.slice(0, sizes[k]))))
    const bytes = new Uint8Array(await together.arrayBuffer())
    // a file that has grown shorter since it was chosen would give its neighbours' bytes for its own
    if (bytes.length !== whole) return []
    let end = 0
    return sizes.map((size) => bytes.subarray(end, (end += size)))
  } catch {
    return [] // reading each alone tells which of them it is
  }
}
