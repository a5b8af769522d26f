/** `npm run boundaries`: do all imports keep to the arrows of import-rules.ts, without circles? */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { areaOf, type ImportRule, importRules } from './import-rules.ts'
import { readImports } from './read-imports.ts'

/** An import that a rule forbids, or that leads nowhere, or a circle of imports. */
export type Violation = { rule: string; from: string; to: string }

const sources = ['contract/src', 'dicom/src', 'server/src', 'web/src', 'viewer/src', 'viewer/page']
const isSource = (name: string) => /\.tsx?$/.test(name)

/**
 * Checks the imports of a checkout.
 * @param root the checkout's folder
 */
export function findViolations(root: string): Violation[] {
  const files = sources.flatMap((folder) => listFiles(root, folder))
  const imports = new Map(files.map((file) => [file, readImports(root, file)]))
  const violations = [
    ...findCircles(imports, 'no-circles'),
    ...findCircles(importsOfAreas(imports), 'no-circles-of-areas'),
  ]
  for (const [from, targets] of imports) {
    for (const to of targets) {
      if (to.startsWith('?')) violations.push({ rule: 'leads-nowhere', from, to: to.slice(1) })
      for (const rule of importRules) if (forbids(rule, from, to)) violations.push({ rule: rule.name, from, to })
    }
  }
  return violations
}

function listFiles(root: string, folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return []
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => isSource(name) && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => `${folder}/${name}`)
    .sort()
}

function forbids(rule: ImportRule, from: string, to: string): boolean {
  const caught = new RegExp(rule.from).exec(from)
  if (caught === null || (rule.fromNot !== undefined && new RegExp(rule.fromNot).test(from))) return false
  const fill = (pattern: string) => new RegExp(pattern.replace('$1', caught[1] ?? ''))
  return fill(rule.to).test(to) && !(rule.toNot !== undefined && fill(rule.toNot).test(to))
}

/** The areas that each area imports. */
function importsOfAreas(imports: ReadonlyMap<string, string[]>): Map<string, string[]> {
  const areas = new Map<string, Set<string>>()
  for (const [from, targets] of imports) {
    const area = areaOf(from)
    if (area === undefined) continue
    const known = areas.get(area) ?? new Set()
    for (const to of targets.map(areaOf)) if (to !== undefined && to !== area) known.add(to)
    areas.set(area, known)
  }
  return new Map([...areas].map(([area, known]) => [area, [...known]]))
}

/** Depth first; a file or area met again while it is still on the path closes a circle. */
function findCircles(imports: ReadonlyMap<string, string[]>, rule: string): Violation[] {
  const circles: Violation[] = []
  const done = new Set<string>()
  const onPath: string[] = []
  const walk = (file: string) => {
    const start = onPath.indexOf(file)
    if (start >= 0) circles.push({ rule, from: file, to: [...onPath.slice(start + 1), file].join(' → ') })
    if (start >= 0 || done.has(file)) return
    onPath.push(file)
    for (const target of imports.get(file) ?? []) walk(target)
    onPath.pop()
    done.add(file)
  }
  for (const file of imports.keys()) walk(file)
  return circles
}

if (import.meta.main) {
  const violations = findViolations(path.resolve(import.meta.dirname, '..'))
  for (const { rule, from, to } of violations) console.log(`${rule}: ${from} → ${to}`)
  console.log(`${violations.length} forbidden imports`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
