import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Act, acts } from '@hilum/contract/acts'
import { calls } from '@hilum/contract/calls/all-calls'
import { routes } from '@hilum/contract/routes/all-routes'

export const repository = path.resolve(import.meta.dirname, '..', '..')

/** Every call and route by the name of its declaration. */
export const declared = { ...routes, ...calls }

/**
 * A question by a declaration: `useMayCall(studyDelete, …)`, `mayCall(inPlace(linkAdd), …)`,
 * `mayCall(partOf(studySet, 'fields'), …)`.
 */
export const asking = /\b(?:useMayCall|mayCallOnAll|mayCall)\(\s*((?:inPlace|partOf)\(\s*)?(\w+)(?:, '(\w+)'\))?/g

const inTable = /\b((?:inPlace|partOf)\(\s*)?(\w+)\b(?:, '(\w+)'\))?/g

/** Files with tables of declarations that are asked by: every declaration named in them counts, but for its import. */
const tables = [
  'web/src/features/administration/groups/place-kinds.ts',
  'web/src/features/exam/batch-acts.tsx',
  'web/src/features/exam/tab-sets.ts',
  'web/src/queries/namespaces.ts',
  'web/src/screens/refused-act.tsx',
  'web/src/session/use-may.ts',
]

/** The sources of the web, tests apart, by name. */
export function readWebSources(): ReadonlyMap<string, string> {
  const files = globSync('web/src/**/*.{ts,tsx}', { cwd: repository }).filter((file) => !/\.test\.tsx?$/.test(file))
  return new Map(files.map((file) => [file, readFileSync(path.join(repository, file), 'utf8')]))
}

/** Acts that a text names. */
export function actsNamed(text: string): Act[] {
  return (Object.keys(acts) as Act[]).filter((act) => new RegExp(`['"\`]${act}['"\`]`).test(text))
}

/** Acts that screens ask about, by the declaration of a call or a route. */
export function listAskedActs(): Set<Act> {
  const asked = new Set<Act>()
  for (const [file, text] of readWebSources()) {
    const found = tables.includes(file) ? text.replaceAll(/^import .*$/gm, '').matchAll(inTable) : text.matchAll(asking)
    for (const [, wrap = '', name = '', part] of found) {
      if (!Object.hasOwn(declared, name)) continue
      for (const act of actsOf(name as keyof typeof declared, wrap, part)) asked.add(act)
    }
  }
  return asked
}

/** @param part of the input; without it a question about a part is about any of them */
function actsOf(name: keyof typeof declared, wrap: string, part: string | undefined): readonly Act[] {
  const one = declared[name]
  if (wrap.startsWith('partOf')) {
    const parts: Readonly<Record<string, Act>> = ('decides' in one && one.decides) || {}
    const act = part === undefined ? undefined : parts[part]
    return act ? [act] : Object.values(parts)
  }
  if (wrap.startsWith('inPlace')) return 'mayInPlace' in one.on ? [one.on.mayInPlace] : []
  return 'may' in one.on ? [one.on.may] : []
}
