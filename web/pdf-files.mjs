import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Fonts, letter tables and decoders that PDFs may need and do not hold. */
const folders = ['cmaps', 'standard_fonts', 'wasm']
const library = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
const { version } = JSON.parse(readFileSync(library, 'utf8'))
/** Below the page's own address; the version makes it safe to keep for a year. */
export const pdfFolder = `/assets/pdfjs-${version}/`

/** Lays the files beside the built page, and serves them while developing. */
export function pdfFiles() {
  const fileOf = (name) => readFileSync(join(dirname(library), name))
  return {
    name: 'pdf-files',
    config: () => ({ define: { __PDF_FOLDER__: JSON.stringify(pdfFolder) } }),
    generateBundle() {
      for (const folder of folders) {
        for (const name of readdirSync(join(dirname(library), folder))) {
          const file = `${folder}/${name}`
          this.emitFile({ type: 'asset', fileName: `${pdfFolder.slice(1)}${file}`, source: fileOf(file) })
        }
      }
    },
    configureServer(server) {
      server.middlewares.use(pdfFolder, (request, reply, next) => {
        const file = /^\/((?:cmaps|standard_fonts|wasm)\/[\w.-]+)$/.exec(request.url ?? '')?.[1]
        if (file === undefined) return next()
        reply.end(fileOf(file))
      })
    },
  }
}
