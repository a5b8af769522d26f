import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { firstShared, firstView, laterTexts } from './first-view.mjs'
import { pdfFiles } from './pdf-files.mjs'
import { precompress } from './precompress.mjs'

/** The API server that the development server hands these addresses to. */
const server = 'http://127.0.0.1:8470'

export default defineConfig({
  plugins: [firstView(), react({ compiler: true }), pdfFiles(), precompress()],
  // No inline module preload, no data: scripts: the page's policy is script-src 'self'.
  build: {
    outDir: 'dist',
    target: 'es2023',
    manifest: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // parts moved once more by this step import each other in a circle
      experimental: { chunkOptimization: false },
      output: {
        codeSplitting: {
          // A page asks for one file of shared parts, where each small part would be a request of its own.
          groups: [
            {
              name: firstShared,
              debugName: 'first',
              priority: 2,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            { name: 'texts', test: laterTexts, includeDependenciesRecursively: false },
            { name: 'shared', test: /^(?!.*node_modules)/, minShareCount: 4, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: server, ws: true },
      '/dicomweb': server,
      '/viewer': server,
      '/proviewer': server,
      '/channel': { target: server, ws: true },
    },
  },
  test: { setupFiles: ['./test/setup.ts'], css: false },
})
