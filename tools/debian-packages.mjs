/** The programs of other makers that tests drive: installed with apt-get where we may, named where we may not. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { aptInstall } from './apt.mjs'
import { SetupError } from './setup-error.mjs'

/** A Debian package and one file by which to know that it is there. */
const packages = {
  mount: '/usr/bin/mount',
  unzip: '/usr/bin/unzip',
  dcmtk: '/usr/bin/dcmdump',
  orthanc: '/usr/sbin/Orthanc',
  // Peers listen on every address by themselves; a small library of ours keeps them to the loopback one.
  gcc: '/usr/bin/cc',
  'libc6-dev': '/usr/include/dlfcn.h',
  // Proxies and a pooler, each with the example or the words that docs/deploy.md has for it.
  'nginx-light': '/usr/sbin/nginx',
  caddy: '/usr/bin/caddy',
  pgbouncer: '/usr/sbin/pgbouncer',
  'orthanc-dicomweb': '/usr/share/orthanc/plugins/libOrthancDicomWeb.so',
}

/** Packages that bring a service, which nobody here wants to run by itself. */
const services = { orthanc: 'orthanc', 'nginx-light': 'nginx', caddy: 'caddy', pgbouncer: 'pgbouncer' }

/** Browsers, the first one first: Chromium without a window of its own does the same at half the cost. */
const browsers = { 'chromium-headless-shell': '/usr/bin/chromium-headless-shell', chromium: '/usr/bin/chromium' }

const packagesOfPart = {
  unit: ['dcmtk', 'mount', 'unzip'],
  db: ['dcmtk', 'mount', 'pgbouncer', 'unzip'],
  e2e: ['caddy', 'dcmtk', 'gcc', 'libc6-dev', 'nginx-light', 'orthanc', 'orthanc-dicomweb', 'unzip'],
}

/** Makes sure that the programs which these parts of the tests drive are installed. */
export function ensureDebianPackages(parts) {
  if (parts.includes('e2e')) withoutStartingServices(ensureBrowser)
  const wanted = new Set(parts.flatMap((part) => packagesOfPart[part]))
  const missing = [...wanted].filter((name) => !existsSync(packages[name]))
  if (missing.length === 0) return

  withoutStartingServices(() => aptInstall(missing, 'The tests need programs that are not installed'))
  for (const [name, service] of Object.entries(services)) if (missing.includes(name)) disableAtBoot(service)
  const absent = missing.filter((name) => !existsSync(packages[name]))
  if (absent.length > 0)
    throw new SetupError(`Installed, but not where expected: ${absent.map((name) => packages[name]).join(', ')}`)
}

/** Installs the first browser that the system's packages have; one that is there already does where none can be. */
function ensureBrowser() {
  const [first, second] = Object.keys(browsers)
  if (existsSync(browsers[first])) return
  try {
    aptInstall([first], 'The tests need a browser')
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    if (!existsSync(browsers[second])) aptInstall([second], 'The tests need a browser')
  }
}

/** Debian starts a service as it installs it, and Orthanc would take the ports that tests use: this file forbids it. */
function withoutStartingServices(act) {
  const policy = '/usr/sbin/policy-rc.d'
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    act()
  } finally {
    if (isOurs) rmSync(policy)
  }
}

function disableAtBoot(service) {
  const result = spawnSync('update-rc.d', [service, 'disable'], { encoding: 'utf8' })
  if (result.status !== 0)
    process.stderr.write(`${service} may start at the next boot: ${result.stderr ?? result.error?.message}\n`)
}
