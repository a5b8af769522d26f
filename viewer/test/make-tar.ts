import { gzipSync } from 'node:zlib'

/** A gzipped ustar archive of small files, as npm packs them; for tests. */
export function makeTarball(files: Record<string, string>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, text]) => [
    header(path, Buffer.byteLength(text), '0'),
    padded(Buffer.from(text)),
  ])
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

export function header(path: string, size: number, kind: string): Buffer {
  const block = Buffer.alloc(512)
  block.write(path, 0, 100)
  block.write('0000644\0', 100)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write(' '.repeat(8), 148)
  block.write(kind, 156)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

export function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}
