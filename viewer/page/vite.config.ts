import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { PROVIEWER_BASE } from '../src/viewer-base.ts'
import { precompress } from '../src/precompress.ts'

export default defineConfig({
  root: import.meta.dirname,
  base: PROVIEWER_BASE,
  resolve: { alias: { xmlbuilder2: join(import.meta.dirname, 'src', 'no-xml.ts') } },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The drawing library is one chunk of 4 MB, loaded beside the first answers.
    chunkSizeWarningLimit: 5000,
  },
  plugins: [compressAfterBuild()],
})

function compressAfterBuild(): Plugin {
  let outDir = ''
  return {
    name: 'compress-after-build',
    apply: 'build',
    configResolved: (config) => {
      outDir = resolve(config.root, config.build.outDir)
    },
    closeBundle: async () => {
      const first = /^(index|cornerstone|stack-view|rolldown-runtime)-.*\.(js|css)$/
      const ahead = (await readdir(join(outDir, 'assets'))).filter((name) => first.test(name))
      await writeFile(
        join(outDir, 'ahead.json'),
        JSON.stringify(ahead.map((name) => `${PROVIEWER_BASE}assets/${name}`)),
      )
      for (const name of await readdir(outDir, { recursive: true, withFileTypes: true })) {
        if (!name.isFile()) continue
        const path = join(name.parentPath, name.name)
        await precompress(path, await readFile(path))
      }
    },
  }
}
