/** The files of a disc image, found as a reader finds them: volume descriptor, root, folders. */
export function readDisc(disc: Buffer, folder = disc.subarray(32_768 + 156), path = ''): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const start = folder.readUInt32LE(2) * 2048
  const end = start + folder.readUInt32LE(10)
  for (let at = start; at < end; ) {
    const length = disc[at] ?? 0
    if (length === 0) {
      at = (Math.floor(at / 2048) + 1) * 2048
      continue
    }
    const record = disc.subarray(at, at + length)
    const name = record.toString('latin1', 33, 33 + (record[32] ?? 0))
    const isFolder = ((record[25] ?? 0) & 2) !== 0
    at += length
    if (name === '\0' || name === '\u0001') continue
    if (isFolder) for (const [own, bytes] of readDisc(disc, record, `${name}/`)) files.set(own, bytes)
    else {
      const from = record.readUInt32LE(2) * 2048
      files.set(path + name.replace(/\.?;1$/, ''), disc.subarray(from, from + record.readUInt32LE(10)))
    }
  }
  return files
}
