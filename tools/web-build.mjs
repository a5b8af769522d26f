/**
 * Builds what browsers load, when its sources have changed since the last build. Each state of the sources has a folder
 * of its own, so that a server that runs goes on serving what it started with.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { root, SetupError } from './setup.mjs'

const sources = ['web', 'contract', 'dicom/src', 'viewer', 'package-lock.json']
const generated = new Set(['node_modules', 'dist', '.cache', 'coverage'])

/** Pages for browsers, by folder in a build: the web app, and the page behind /proviewer. */
const pages = { app: 'web', proviewer: path.join('viewer', 'page') }

/** The link to the build that servers start with, beside the builds. */
const current = 'current'
/** The folder in a build that holds a file for each process that uses it, named by its number. */
const users = 'users'

/**
 * Sees that there is a build of the sources as they are, made with the pinned Node, and that servers start with it.
 * @returns the folder of the build
 */
export function buildWeb(node, checkout = root) {
  const builds = path.join(checkout, '.cache', 'web')
  const name = hashOfSources(checkout)
  if (!existsSync(path.join(builds, name))) {
    process.stderr.write('Building the web app …\n')
    mkdirSync(builds, { recursive: true })
    removeUnused(builds)
    makeBuild(node, checkout, builds, name)
  }
  if (currentBuild(builds) !== name) switchTo(builds, name)
  return path.join(builds, name)
}

function hashOfSources(checkout) {
  const hash = createHash('sha256')
  for (const source of sources) addToHash(hash, checkout, source)
  return hash.digest('hex').slice(0, 16)
}

function addToHash(hash, checkout, source) {
  const place = path.join(checkout, source)
  if (!existsSync(place)) return
  if (statSync(place).isFile()) {
    hash.update(`${source}\0`).update(readFileSync(place))
    return
  }
  for (const name of readdirSync(place).sort()) {
    if (!generated.has(name)) addToHash(hash, checkout, `${source}/${name}`)
  }
}

/** The build comes into being by one rename, complete or not at all. */
function makeBuild(node, checkout, builds, name) {
  const unfinished = path.join(builds, `unfinished-${process.pid}`)
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(path.join(unfinished, users), { recursive: true })
  writeFileSync(path.join(unfinished, users, String(process.pid)), '')
  try {
    for (const [folder, page] of Object.entries(pages)) runVite(node, checkout, page, path.join(unfinished, folder))
    if (!existsSync(path.join(builds, name))) renameSync(unfinished, path.join(builds, name))
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function runVite(node, checkout, page, into) {
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const result = spawnSync(node, [vite, 'build', '--logLevel', 'warn', '--emptyOutDir', '--outDir', into], {
    cwd: path.join(checkout, page),
    encoding: 'utf8',
  })
  if (result.status !== 0) throw new SetupError(`${page} could not be built:\n${result.stdout}${result.stderr}`)
}

/** By a rename too: a server that starts meanwhile finds the one or the other. */
function switchTo(builds, name) {
  const link = path.join(builds, `${current}-${process.pid}`)
  rmSync(link, { force: true })
  symlinkSync(name, link)
  renameSync(link, path.join(builds, current))
}

/**
 * Builds stay while they are the current one or a process that uses them lives. Clearing is done before a build, so
 * that the one that was current until now is there for a server that is just starting.
 */
function removeUnused(builds) {
  const inUse = new Set([current, currentBuild(builds)])
  for (const name of readdirSync(builds)) {
    const build = path.join(builds, name)
    if (!inUse.has(name) && !isUsed(build)) rmSync(build, { recursive: true, force: true })
  }
}

function currentBuild(builds) {
  try {
    return readlinkSync(path.join(builds, current))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function isUsed(build) {
  const folder = path.join(build, users)
  return existsSync(folder) && readdirSync(folder).some((pid) => isAlive(Number(pid)))
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // another user's process may not be signalled, but it is there
    return error.code === 'EPERM'
  }
}
