import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const gzipAsync = promisify(gzip)
const COMPRESSIBLE = /\.(js|css|html|wasm|json|svg|ico)$/
const SMALLEST_BYTES = 1024

/** Writes `<path>.gz` beside a file that is worth it, so that nothing is compressed while somebody waits. */
export async function precompress(path: string, bytes: Buffer): Promise<void> {
  if (!COMPRESSIBLE.test(path) || bytes.length < SMALLEST_BYTES) return
  await writeFile(`${path}.gz`, await gzipAsync(bytes, { level: 7 }))
}
