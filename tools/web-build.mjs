/** Builds what browsers load, when its sources have changed since the last build. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, SetupError } from './setup.mjs'

const sources = ['web', 'contract', 'dicom/src', 'viewer', 'package-lock.json']
const generated = new Set(['node_modules', 'dist', '.cache', 'coverage'])
const hashFile = path.join(root, '.cache', 'web-build-hash')

/** Builds web/ into web/dist with the pinned Node, unless the last build was of the same sources. */
export function buildWeb(node) {
  const hash = createHash('sha256')
  for (const source of sources) addToHash(hash, source)
  const wanted = hash.digest('hex')
  const built = path.join(root, 'web', 'dist', 'index.html')
  if (existsSync(built) && existsSync(hashFile) && readFileSync(hashFile, 'utf8') === wanted) return

  process.stderr.write('Building the web app …\n')
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const result = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: path.join(root, 'web'),
    encoding: 'utf8',
  })
  if (result.status !== 0) throw new SetupError(`The web app could not be built:\n${result.stdout}${result.stderr}`)
  mkdirSync(path.dirname(hashFile), { recursive: true })
  writeFileSync(hashFile, wanted)
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
