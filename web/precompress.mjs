import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const worthwhile = /\.(js|css|svg|html)$/
const smallestBytes = 1024

/** A build step that lays a Brotli and a gzip copy beside each text file, so that the server never compresses while somebody waits. */
export function precompress() {
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.values(bundle).filter(({ fileName }) => worthwhile.test(fileName))
        await Promise.all(files.map((file) => addCopies(this, file)))
      },
    },
  }
}

async function addCopies(build, file) {
  const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
  if (bytes.length < smallestBytes) return
  build.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: await promisify(brotliCompress)(bytes) })
  build.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: await promisify(gzip)(bytes, { level: 9 }) })
}
