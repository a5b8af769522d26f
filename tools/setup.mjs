/**
 * Set-up shared by `npm start`, `npm test` and `with-node`: the packages, the pinned Node, handing over to it.
 * Plain JavaScript for any Node ≥ 20 that imports no package: it runs before there are any.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { aptInstall } from './apt.mjs'
import { installBeside, installedMark, markInstalled, noteCommit, putBackAbandoned } from './install-packages.mjs'
import { SetupError } from './setup-error.mjs'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

const lockFile = path.join(root, 'package-lock.json')

export { SetupError }

/** Runs a program's main part and turns a fault of set-up into words and exit code 1. */
export async function runTool(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/**
 * Installs the packages and the pinned Node when there are none or when package-lock.json has changed since. Packages
 * of the release before stay in use until the new ones are whole.
 */
function installPackages() {
  putBackAbandoned(root)
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex')
  if (installedMark(root) === wanted) return noteCommit(root)
  if (matchesInstalled()) return markInstalled(root, wanted)
  process.stderr.write('Installing packages (about a minute, once) …\n')
  installBeside(root, wanted, (folder) => {
    const options = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
    const result = npm(['ci', ...options, ...sayWhetherRegistryAnswers()], folder)
    if (result.status !== 0) {
      throw new SetupError(
        `npm ci failed:\n${result.output}\nThe packages could not be installed. Check the network and the disk (3 GB are needed), then start again.`,
      )
    }
    ensurePinnedNode(folder)
  })
}

/**
 * Asks the package registry for one package. npm asks for each package three times, which takes ten minutes where nobody
 * answers, and says nothing meanwhile.
 * @returns options for npm
 */
function sayWhetherRegistryAnswers() {
  const asked = npm(['view', 'typescript', 'version', '--fetch-retries=0', '--fetch-timeout=15000'], root)
  if (asked.status === 0) return []
  process.stderr.write(
    'The package registry does not answer. npm tries all the same, from what it keeps on this machine; this may take some minutes. Ctrl-C ends it, and everything stays as it was.\n',
  )
  return ['--prefer-offline', '--fetch-retries=0']
}

/** Whether npm's own record of what it installed already holds what the lock asks for, after an `npm install` by hand say. */
function matchesInstalled() {
  const record = readIfThere(path.join(root, 'node_modules', '.package-lock.json'))
  if (record === '') return false
  const installed = JSON.parse(record).packages
  for (const [place, wanted] of Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages)) {
    if (!place.includes('node_modules/') || wanted.link) continue
    const here = installed[place]
    if (here === undefined ? !wanted.optional : here.version !== wanted.version) return false
  }
  return true
}

/**
 * The Node that this project pins, ready to run. Where install scripts were skipped its program is missing: it is fetched then.
 * @param base the folder whose node_modules holds the packages
 * @returns the program's path
 */
function ensurePinnedNode(base = root) {
  const version = JSON.parse(readFileSync(path.join(root, 'server', 'package.json'), 'utf8')).dependencies.node
  const program = path.join(base, 'node_modules', 'node', 'bin', 'node')
  ensureLibraries(program)
  if (runsAs(program, version)) return program

  process.stderr.write(`Fetching Node ${version} …\n`)
  // The package of Apple's own processors has another name than all the others.
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const name = `${prefix}-${process.platform}-${process.arch}`
  const folder = path.join(base, '.cache', 'node')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n')
  const result = npm(
    ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`],
    folder,
  )
  const fetched = path.join(folder, 'node_modules', name, 'bin', 'node')
  if (result.status !== 0 || !existsSync(fetched)) {
    throw new SetupError(`Node ${version} could not be fetched (package ${name}):\n${result.output}`)
  }
  mkdirSync(path.dirname(program), { recursive: true })
  rmSync(program, { force: true })
  copyFileSync(fetched, program)
  chmodSync(program, 0o755)
  rmSync(folder, { recursive: true, force: true })
  ensureLibraries(program)
  if (!runsAs(program, version)) throw new SetupError(`Node ${version} was fetched but does not run on this machine.`)
  return program
}

/** Debian's package of each library that Node needs and a small system may lack. */
const libraryPackages = { 'libatomic.so.1': 'libatomic1', 'libstdc++.so.6': 'libstdc++6' }

/** Sees that the libraries a program asks the system for are there, as far as it can be told what they are called. */
function ensureLibraries(program) {
  for (;;) {
    const failure = spawnSync(program, ['--version'], { encoding: 'utf8' }).stderr ?? ''
    const library = /error while loading shared libraries: ([^:\s]+)/.exec(failure)?.[1]
    const name = library && libraryPackages[library]
    if (!name) return
    aptInstall([name], `Node needs ${library}, which this machine lacks`)
    if (spawnSync(program, ['--version'], { encoding: 'utf8' }).stderr?.includes(library)) {
      throw new SetupError(`${name} was installed, but ${library} is still not found.`)
    }
  }
}

/** The pinned Node, with everything it needs installed. */
export function prepare() {
  installPackages()
  return ensurePinnedNode()
}

/**
 * Runs a program in the foreground with the project's programs first on PATH, passing on SIGINT, SIGTERM and SIGHUP.
 * @returns its exit code, 128 + the signal's number when a signal ended it
 */
export async function runInForeground(program, args, env = {}) {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, PATH: projectPath(), ...env } })
  // A terminal sends Ctrl-C to parent and child alike, and npm passes it on once more: each signal goes on only once,
  // HUP apart, by which a service reads its certificates again.
  const passedOn = new Set()
  const passOn = (signal) => {
    if (signal === 'SIGHUP' || !passedOn.has(signal)) child.kill(signal)
    passedOn.add(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, passOn)
  const watch = watchForLostParent(() => passOn('SIGTERM'))
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => resolve(code ?? 128 + (os.constants.signals[signal] ?? 0)))
    })
  } finally {
    clearInterval(watch)
    for (const signal of signals) process.off(signal, passOn)
  }
}

/** An npm that is killed passes nothing on: a new parent tells. */
function watchForLostParent(act) {
  if (process.env.npm_lifecycle_event === undefined) return undefined
  const parent = process.ppid
  return setInterval(() => {
    if (process.ppid !== parent) act()
  }, 500)
}

/** PATH with the project's own programs, the pinned Node among them, first. */
export function projectPath() {
  return [path.join(root, 'node_modules', '.bin'), foreignPath()].join(path.delimiter)
}

function foreignPath() {
  const isOurs = (folder) => folder.startsWith(path.join(root, 'node_modules'))
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !isOurs(folder))
    .join(path.delimiter)
}

function npm(args, cwd) {
  const [program, ...first] = endsWithThis(['npm'])
  const env = { ...process.env, PATH: foreignPath() }
  const result = spawnSync(program, [...first, ...args], { cwd, env, encoding: 'utf8' })
  if (result.error) throw new SetupError(`npm could not be run: ${result.error.message}`)
  return { status: result.status, output: `${result.stdout}${result.stderr}`.trim() }
}

/** A program that ends when this process does, however that comes, where the system can be asked for it. */
function endsWithThis(program) {
  const isThere = spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0
  return isThere ? ['setpriv', '--pdeathsig', 'TERM', ...program] : program
}

function runsAs(program, version) {
  return spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${version}`
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
