import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** One package of the lock, installed here. */
export interface LockedPackage {
  /** From the root's folder: `node_modules/pg`. */
  place: string
  name: string
  version: string
  licence: string
  /** `sha512-` and base64, as npm writes it; packages that npm did not fetch have none. */
  integrity: string | undefined
  isForDevelopment: boolean
}

interface Entry {
  version?: string
  license?: string
  integrity?: string
  dev?: boolean
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/**
 * The packages that some workspaces need when they run, with those that these need in turn, found as Node finds them.
 * Optional ones for other platforms are not installed here and left out.
 * @throws Error when a package that must be there is not installed
 */
export function listPackagesOf(root: string, workspaces: readonly string[]): LockedPackage[] {
  const entries = readEntries(root)
  const found = new Map<string, LockedPackage>()
  const walk = (place: string) => {
    const entry = entries[place] ?? {}
    const mayLack = { ...entry.optionalDependencies, ...entry.peerDependencies }
    for (const name of Object.keys({ ...mayLack, ...entry.dependencies })) {
      const at = resolve(entries, place, name)
      const isOptional = name in mayLack
      if (at === undefined || !existsSync(path.join(root, at, 'package.json'))) {
        if (isOptional) continue
        throw new Error(`${place} needs ${name}, which is not installed: run npm start once.`)
      }
      const target = entries[at] ?? {}
      if (found.has(at) || target.link) continue
      found.set(at, describe(root, at, target))
      walk(at)
    }
  }
  for (const workspace of workspaces) walk(workspace)
  return [...found.values()].toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

function readEntries(root: string): Record<string, Entry> {
  return JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages
}

/** Up from the folder of whoever asks, as Node does. */
function resolve(entries: Record<string, Entry>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder === '.' ? '' : path.posix.dirname(folder)) {
    const base = folder === '.' ? '' : folder
    if (!base.endsWith('node_modules')) {
      const place = path.posix.join(base, 'node_modules', name)
      if (entries[place] !== undefined) return place
    }
    if (base === '') return undefined
  }
}

function describe(root: string, place: string, entry: Entry): LockedPackage {
  return {
    place,
    name: place.replace(/^.*node_modules\//, ''),
    version: entry.version ?? '',
    licence: entry.license ?? licenceInside(root, place),
    integrity: entry.integrity,
    isForDevelopment: entry.dev === true,
  }
}

function licenceInside(root: string, place: string): string {
  const { license, licenses }: { license?: string; licenses?: { type: string }[] } = JSON.parse(
    readFileSync(path.join(root, place, 'package.json'), 'utf8'),
  )
  return license ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'unknown'
}
