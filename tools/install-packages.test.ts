import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installBeside } from './install-packages.mjs'

const nodeVersion = process.versions.node
let place: string
let checkout: string
/** The package registry's handling of a request. */
let registry: { does: 'answer' | 'break off' | 'stay silent'; url: string; asked: ServerResponse[] }
let closeRegistry: () => void

beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'hilum-upgrade-'))
  checkout = path.join(place, 'checkout')
  mkdirSync(path.join(checkout, 'tools'), { recursive: true })
  for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.mjs')))
    cpSync(path.join(import.meta.dirname, file), path.join(checkout, 'tools', file))
  await openRegistry()
  pull('1.0.0')
})
afterEach(() => {
  closeRegistry()
  rmSync(place, { recursive: true, force: true })
})

/** Packages `node`, which runs the Node of the tests, and `words` in the version of a release. */
async function openRegistry(): Promise<void> {
  const server = createServer((request, response) => {
    registry.asked.push(response)
    if (registry.does === 'stay silent') return
    if (registry.does === 'break off') return void request.socket.destroy()
    const [, name = '', version] = /^\/(\w+)(?:-([\d.]+)\.tgz)?$/.exec(request.url ?? '') ?? []
    if (version) return void response.end(packed(name, version))
    const versions = name === 'node' ? [nodeVersion] : ['1.0.0', '2.0.0']
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(describePackage(name, versions)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  registry = { does: 'answer', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: [] }
  closeRegistry = () => {
    server.closeAllConnections()
    server.close()
  }
}

function describePackage(name: string, versions: string[]) {
  const of = (version: string) => ({
    ...manifestOf(name, version),
    dist: { tarball: `${registry.url}/${name}-${version}.tgz`, integrity: integrityOf(name, version) },
  })
  return {
    name,
    'dist-tags': { latest: versions.at(-1) },
    versions: Object.fromEntries(versions.map((version) => [version, of(version)])),
  }
}

const manifestOf = (name: string, version: string) =>
  name === 'node' ? { name, version, bin: { node: 'bin/node' } } : { name, version, type: 'module', main: 'main.js' }

const integrityOf = (name: string, version: string) =>
  `sha512-${createHash('sha512').update(packed(name, version)).digest('base64')}`

function packed(name: string, version: string): Buffer {
  const archive = path.join(place, `${name}-${version}.tgz`)
  if (existsSync(archive)) return readFileSync(archive)
  const folder = path.join(place, `${name}-${version}`, 'package')
  mkdirSync(path.join(folder, 'bin'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifestOf(name, version)))
  writeFileSync(path.join(folder, 'main.js'), `export default 'release ${version}'\n`)
  writeFileSync(path.join(folder, 'bin', 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
  chmodSync(path.join(folder, 'bin', 'node'), 0o755)
  execFileSync('tar', ['-czf', archive, '-C', path.dirname(folder), 'package'])
  return readFileSync(archive)
}

/** The sources of a release come in, as by `git pull` or `git checkout`. */
function pull(release: string): void {
  const dependencies = { node: nodeVersion, words: release }
  const write = (file: string, value: unknown) => {
    mkdirSync(path.dirname(path.join(checkout, file)), { recursive: true })
    writeFileSync(path.join(checkout, file), JSON.stringify(value))
  }
  write('package.json', { name: 'whole', version: '1.0.0', private: true, workspaces: ['server'] })
  write('server/package.json', { name: 'server', version: '1.0.0', dependencies })
  write('package-lock.json', {
    name: 'whole',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'whole', version: '1.0.0', workspaces: ['server'] },
      server: { version: '1.0.0', dependencies },
      'node_modules/server': { resolved: 'server', link: true },
      'node_modules/node': {
        version: nodeVersion,
        integrity: integrityOf('node', nodeVersion),
        bin: { node: 'bin/node' },
      },
      'node_modules/words': { version: release, integrity: integrityOf('words', release) },
    },
  })
  writeFileSync(path.join(checkout, 'server', 'main.mjs'), `import words from 'words'\nconsole.log(words)\n`)
}

let starts = 0

/** Begins what `npm start` begins with, with nothing in the cache of npm. */
function begin(): ChildProcess {
  return spawn(process.execPath, [path.join(checkout, 'tools', 'with-node.mjs'), 'server/main.mjs'], {
    cwd: checkout,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: place,
      npm_config_registry: registry.url,
      npm_config_cache: path.join(place, `cache-${(starts += 1)}`),
      npm_config_fetch_retries: '0',
      npm_config_update_notifier: 'false',
    },
  })
}

async function start(): Promise<{ code: number | null; said: string }> {
  const child = begin()
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

const stages = () => readdirSync(checkout).filter((name) => name.startsWith('.installing-'))
const withRelease = (release: string) => ({ code: 0, said: expect.stringContaining(`release ${release}`) })

it('installs on a fresh clone, upgrades when the sources are newer, and asks no registry in between', async () => {
  expect(await start()).toEqual(withRelease('1.0.0'))
  registry.does = 'break off'
  expect(await start()).toEqual({ code: 0, said: 'release 1.0.0\n' })
  registry.does = 'answer'
  pull('2.0.0')
  expect(await start()).toEqual(withRelease('2.0.0'))
  expect(stages()).toEqual([])
})

it('leaves the release before as it was when the registry cannot be reached', async () => {
  await start()
  registry.does = 'break off'
  pull('2.0.0')
  expect(await start()).toEqual({
    code: 1,
    said: expect.stringContaining('The packages of the release before were left'),
  })
  expect(stages()).toEqual([])
  pull('1.0.0')
  expect(await start()).toEqual({ code: 0, said: 'release 1.0.0\n' })
})

it('names the commit to go back to, also after a second git pull that brought nothing', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: checkout,
      encoding: 'utf8',
    }).trim()
  const commit = (release: string) => {
    pull(release)
    writeFileSync(path.join(checkout, '.gitignore'), 'node_modules\n')
    git('add', '--all')
    git('commit', '--quiet', '-m', release)
    return git('rev-parse', 'HEAD')
  }
  git('init', '--quiet')
  const before = commit('1.0.0')
  await start()
  const after = commit('2.0.0')
  git('update-ref', 'ORIG_HEAD', after)
  registry.does = 'break off'
  expect(await start()).toEqual({ code: 1, said: expect.stringContaining(`git checkout ${before} && npm start`) })
  git('checkout', '--quiet', before)
  expect(await start()).toEqual({ code: 0, said: 'release 1.0.0\n' })
  registry.does = 'answer'
  git('checkout', '--quiet', '-')
  expect(await start()).toEqual(withRelease('2.0.0'))
})

it('leaves the release before as it was when the upgrade is killed, and upgrades later', async () => {
  await start()
  registry.does = 'stay silent'
  registry.asked = []
  pull('2.0.0')
  const upgrade = begin()
  await expect.poll(() => registry.asked.length, { timeout: 30_000 }).toBeGreaterThan(0)
  process.kill(-Number(upgrade.pid), 'SIGKILL')
  await once(upgrade, 'close')
  expect(stages()).toHaveLength(1)
  pull('1.0.0')
  expect(await start()).toEqual({ code: 0, said: 'release 1.0.0\n' })
  expect(stages()).toEqual([])
  registry.does = 'answer'
  pull('2.0.0')
  expect(await start()).toEqual(withRelease('2.0.0'))
})

it('puts the packages back that an upgrade moved away and was killed before it put others there', async () => {
  await start()
  const stage = path.join(checkout, `.installing-${await pidOfNobody()}`)
  mkdirSync(stage)
  renameSync(path.join(checkout, 'node_modules'), path.join(stage, 'replaced'))
  registry.does = 'break off'
  expect(await start()).toEqual({ code: 0, said: 'release 1.0.0\n' })
  expect(stages()).toEqual([])
})

it('says in words that the disk was full while it copied', async () => {
  await start()
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  const upgrade = () =>
    installBeside(checkout, 'other', () => {
      throw full
    })
  expect(upgrade).toThrow(/no space left on device[^]+The packages of the release before were left/)
  expect(stages()).toEqual([])
})

async function pidOfNobody(): Promise<number> {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'close')
  return Number(child.pid)
}
