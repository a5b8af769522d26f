/** Builds what browsers load, when its sources have changed since the last build. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, SetupError } from './setup.mjs'

const sources = ['web', 'contract', 'dicom/src', 'viewer', 'package-lock.json']
const generated = new Set(['node_modules', 'dist', '.cache', 'coverage'])
const hashFile = path.join(root, '.cache', 'web-build-hash')

/** What browsers load: the web app, and the page behind /proviewer. */
const pages = ['web', 'viewer/page']

/** Builds each page into its dist folder with the pinned Node, unless the last build was of the same sources. */
export function buildWeb(node) {
  const hash = createHash('sha256')
  for (const source of sources) addToHash(hash, source)
  const wanted = hash.digest('hex')
  const isBuilt = pages.every((page) => existsSync(path.join(root, page, 'dist', 'index.html')))
  if (isBuilt && existsSync(hashFile) && readFileSync(hashFile, 'utf8') === wanted) return

  process.stderr.write('Building the web app …\n')
  for (const page of pages) build(node, page)
  mkdirSync(path.dirname(hashFile), { recursive: true })
  writeFileSync(hashFile, wanted)
}

function build(node, page) {
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const result = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: path.join(root, page),
    encoding: 'utf8',
  })
  if (result.status !== 0) throw new SetupError(`${page} could not be built:\n${result.stdout}${result.stderr}`)
}

function addToHash(hash, source) {
  const place = path.join(root, source)
  if (!existsSync(place)) return
  if (statSync(place).isFile()) {
    hash.update(`${source}\0`).update(readFileSync(place))
    return
  }
  for (const name of readdirSync(place).sort()) {
    if (!generated.has(name)) addToHash(hash, `${source}/${name}`)
  }
}
