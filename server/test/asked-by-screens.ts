import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Act, acts } from '@hilum/contract/acts'
import { calls } from '@hilum/contract/calls/all-calls'
import { routes } from '@hilum/contract/routes/all-routes'

export const repository = path.resolve(import.meta.dirname, '..', '..')

/** Every call and route by the name of its declaration. */
export const declared = { ...routes, ...calls }

/** A question by a declaration: `useMayCall(studyDelete, …)`, `mayCall(inPlace(linkAdd), …)`. */
export const asking = /\b(?:useMayCall|mayCallOnAll|mayCall)\(\s*(inPlace\(\s*)?(\w+)/g

/** Files with tables of declarations that are asked by: every declaration named in them counts. */
const tables = [
  'web/src/features/administration/groups/place-kinds.ts',
  'web/src/features/exam/batch-acts.tsx',
  'web/src/features/exam/tab-sets.ts',
  'web/src/queries/namespaces.ts',
  'web/src/queries/retractions.ts',
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

/** Acts that screens ask about: by name, or by the declaration of a call or a route. */
export function listAskedActs(): Set<Act> {
  const asked = new Set<Act>()
  for (const [file, text] of readWebSources()) {
    for (const act of actsNamed(text)) asked.add(act)
    const found = tables.includes(file) ? text.matchAll(/\b(inPlace\(\s*)?(\w+)\b/g) : text.matchAll(asking)
    for (const [, ofPlace, name = ''] of found) {
      const act = Object.hasOwn(declared, name) && actOf(name, ofPlace !== undefined)
      if (act) asked.add(act)
    }
  }
  return asked
}

function actOf(name: string, isOfPlace: boolean): Act | undefined {
  const { on } = declared[name as keyof typeof declared]
  if (isOfPlace) return 'mayInPlace' in on ? on.mayInPlace : undefined
  return 'may' in on ? on.may : undefined
}
