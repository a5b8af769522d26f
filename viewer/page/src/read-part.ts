const LINE = [13, 10]

/** The body of the only part of a multipart answer (RFC 2046); an answer without parts as it is. */
export function readPart(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 45 || bytes[1] !== 45) return bytes
  const boundary = bytes.subarray(0, find(bytes, LINE, 0))
  const start = find(bytes, [...LINE, ...LINE], boundary.length) + 4
  const end = find(bytes, [...LINE, ...boundary], start)
  return bytes.subarray(start, end)
}

function find(bytes: Uint8Array, wanted: readonly number[], from: number): number {
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, along) => bytes[at + along] === byte)) return at
  }
  return bytes.length
}
