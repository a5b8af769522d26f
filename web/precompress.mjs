import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const worthwhile = /\.(js|css|svg|html)$/
const smallestBytes = 1024

/** A build step that lays a Brotli and a gzip copy beside each text file, so that the server never compresses while somebody waits. */
export function precompress() {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      const names = await readdir(dir, { recursive: true })
      await Promise.all(names.filter((name) => worthwhile.test(name)).map((name) => compress(join(dir, name))))
    },
  }
}

async function compress(path) {
  const bytes = await readFile(path)
  if (bytes.length < smallestBytes) return
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes))
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
