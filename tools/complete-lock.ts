/**
 * `npm run lock`: names in package-lock.json the packages of other platforms that the registry at hand did not have.
 * npm leaves those out when it writes the lock, and `npm ci` then refuses the lock on every platform.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

type Entry = {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}

export type Lock = { packages: Record<string, Entry> }

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']

/** Optional packages that some package of the lock asks for and that the lock does not hold, with the entries to add. */
export function findMissing(lock: Lock): Record<string, Entry> {
  const missing: Record<string, Entry> = {}
  for (const [place, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isHeld(lock, place, name)) continue
      missing[`node_modules/${name}`] = {
        version,
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
        ...platformOf(name),
      }
    }
  }
  return missing
}

/** Looks where Node would: beside the package, then further up. */
function isHeld(lock: Lock, place: string, name: string): boolean {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const prefix = folder === '' ? '' : `${folder}/`
    if (lock.packages[`${prefix}node_modules/${name}`] !== undefined) return true
    if (folder === '') return false
    if (!folder.includes('node_modules/')) folder = ''
  }
}

/** Packages of one platform carry it in their name; one that does not is no case for this tool. */
function platformOf(name: string): { os: string[]; cpu: string[] } {
  const words = name.split(/[/-]/)
  const os = words.find((word) => systems.includes(word))
  const cpu = words.find((word) => processors.includes(word))
  if (os === undefined || cpu === undefined)
    throw new Error(`${name} is missing in package-lock.json and names no platform`)
  return { os: [os], cpu: [cpu] }
}

if (import.meta.main) {
  const file = path.resolve(import.meta.dirname, '../package-lock.json')
  const lock: Lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = findMissing(lock)
  const sorted = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'))
  if (Object.keys(missing).length > 0) {
    writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`)
  }
  console.log(`${Object.keys(missing).length} added`)
}
