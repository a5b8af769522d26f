import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { asking, declared, repository as root } from '../server/test/asked-by-screens.ts'

/** A part of the syntax of a file, with the part around it. */
export interface Syntax {
  type: string
  start: number
  end: number
  around?: Syntax
  [field: string]: unknown
}

interface Module {
  text: string
  program: Syntax
  /** The source text behind each name at the top of the file, without the calls that are only asked about. */
  parts: ReadonlyMap<string, string>
  /** Local names of what comes from other files: the file, or the name of a call or a route. */
  imports: ReadonlyMap<string, { file: string; name: string } | { declared: string }>
}

const modules = new Map<string, Module>()

/** Calls and routes that a file sends, by itself or through what it uses. */
export function sentBy(file: string): ReadonlySet<string> {
  return sentByText(file, [...moduleOf(file).parts.values()])
}

/** The same of some texts of a file. */
export function sentByText(file: string, texts: readonly string[]): ReadonlySet<string> {
  const sent = new Set<string>()
  const seen = new Set<string>()
  const read = (from: string, text: string) => {
    const { parts, imports } = moduleOf(from)
    for (const [, lazy = ''] of text.matchAll(/\bimport\(\s*'(\.[^']+)'/g)) {
      const to = resolve(from, lazy)
      for (const name of moduleOf(to).parts.keys()) walk(to, name)
    }
    for (const [word] of text.matchAll(/\w+/g)) {
      const found = imports.get(word)
      if (found && 'declared' in found) sent.add(found.declared)
      else if (found) walk(found.file, found.name)
      else if (parts.has(word)) walk(from, word)
    }
  }
  const walk = (from: string, name: string) => {
    const key = `${from} ${name}`
    if (seen.has(key)) return
    seen.add(key)
    read(from, moduleOf(from).parts.get(name) ?? '')
  }
  for (const text of texts) read(file, text.replaceAll(asking, ''))
  return sent
}

export function moduleOf(file: string): Module {
  const known = modules.get(file)
  if (known) return known
  const text = readFileSync(path.join(root, file), 'utf8')
  const parts = new Map<string, string>()
  const imports = new Map<string, { file: string; name: string } | { declared: string }>()
  const { program } = parseSync(file, text)
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      const from = statement.source.value
      for (const one of statement.specifiers) {
        if (one.type !== 'ImportSpecifier' || one.imported.type !== 'Identifier') continue
        const { name } = one.imported
        if (/^@hilum\/contract\/(calls|routes)\//.test(from) && name in declared)
          imports.set(one.local.name, { declared: name })
        else if (/^\.{1,2}\/.*\.tsx?$/.test(from)) imports.set(one.local.name, { file: resolve(file, from), name })
      }
      continue
    }
    const part = text.slice(statement.start, statement.end).replaceAll(asking, '')
    for (const name of namesOf(part)) parts.set(name, part)
  }
  const made = { text, program: withSurroundings(program as unknown as Syntax), parts, imports } // a tree by its shape
  modules.set(file, made)
  return made
}

/** The parts of the syntax just below a part. */
export function partsBelow(part: Syntax): Syntax[] {
  const fields = Object.entries(part).filter(([name]) => name !== 'around')
  return fields.flatMap(([, value]) => (Array.isArray(value) ? value : [value])).filter(isSyntax)
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function withSurroundings(part: Syntax): Syntax {
  for (const below of partsBelow(part)) {
    below.around = part
    withSurroundings(below)
  }
  return part
}

/** The names that a statement at the top of a file declares. */
function namesOf(part: string): string[] {
  const one = /^(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/.exec(part)?.[1]
  if (one !== undefined) return [one]
  const several = /^(?:export )?const [{[]([^=]*)[}\]] =/.exec(part)?.[1]
  return several === undefined ? [part] : [...several.matchAll(/\w+/g)].map(([name]) => name)
}

function resolve(from: string, to: string): string {
  const file = path.posix.join(path.posix.dirname(from), to)
  if (!existsSync(path.join(root, file))) throw new Error(`${from} imports ${to}, which is not there`)
  return file
}
