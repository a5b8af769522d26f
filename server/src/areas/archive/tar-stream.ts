const BLOCK_BYTES = 512

/** A tar archive (POSIX ustar) of files that are made one after the other. */
export async function* streamTar(
  files: AsyncIterable<{ name: string; bytes: Uint8Array }>,
  modified: Date,
): AsyncGenerator<Uint8Array> {
  for await (const { name, bytes } of files) {
    yield tarHeader(name, bytes.length, modified)
    yield bytes
    const rest = bytes.length % BLOCK_BYTES
    if (rest > 0) yield Buffer.alloc(BLOCK_BYTES - rest)
  }
  yield Buffer.alloc(2 * BLOCK_BYTES)
}

function tarHeader(name: string, bytes: number, modified: Date): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0, 100, 'utf8')
  header.write(octal(0o644, 7), 100, 'latin1')
  header.write(octal(0, 7), 108, 'latin1')
  header.write(octal(0, 7), 116, 'latin1')
  header.write(octal(bytes, 11), 124, 'latin1')
  header.write(octal(Math.floor(modified.getTime() / 1000), 11), 136, 'latin1')
  header.write(' '.repeat(8), 148, 'latin1')
  header.write('0', 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}
