import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { asking, declared, repository as root } from '../server/test/asked-by-screens.ts'
import { type Syntax, withSurroundings } from './syntax.ts'

interface Module {
  text: string
  program: Syntax
  /** The source text behind each name at the top of the file, without the calls that are only asked about. */
  parts: ReadonlyMap<string, string>
  /** The statement behind each of these names. */
  statements: ReadonlyMap<string, Syntax>
  /** Local names of what comes from other files: the file, or the name of a call or a route. */
  imports: ReadonlyMap<string, { file: string; name: string } | { declared: string }>
}

const modules = new Map<string, Module>()

/** Calls and routes that a file sends, by itself or through what it uses, with the texts that name each. */
export function sentBy(file: string): ReadonlyMap<string, string> {
  return sentByText(file, [...moduleOf(file).parts.values()])
}

/** The same of some texts of a file. */
export function sentByText(file: string, texts: readonly string[]): ReadonlyMap<string, string> {
  const sent = new Map<string, string>()
  const seen = new Set<string>()
  const read = (from: string, text: string) => {
    const { parts, imports } = moduleOf(from)
    for (const [, lazy = ''] of text.matchAll(/\bimport\(\s*'(\.[^']+)'/g)) {
      const to = resolve(from, lazy)
      for (const name of moduleOf(to).parts.keys()) walk(to, name)
    }
    for (const [word] of text.matchAll(/\w+/g)) {
      const found = imports.get(word)
      if (found && 'declared' in found) sent.set(found.declared, `${sent.get(found.declared) ?? ''}\n${text}`)
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
  const statements = new Map<string, Syntax>()
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
    for (const name of namesOf(part)) {
      parts.set(name, part)
      statements.set(name, statement as unknown as Syntax)
    }
  }
  const tree = withSurroundings(program as unknown as Syntax) // a tree by its shape
  const made = { text, program: tree, parts, statements, imports }
  modules.set(file, made)
  return made
}

/** The names that a statement at the top of a file declares. */
function namesOf(part: string): string[] {
  const one = /^(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/.exec(part)?.[1]
  if (one !== undefined) return [one]
  const several = /^(?:export )?const [{[]([^=]*)[}\]] =/.exec(part)?.[1]
  return several === undefined ? [part] : [...several.matchAll(/\w+/g)].map(([name]) => name)
}

/** The file that an import of a file names. */
export function resolve(from: string, to: string): string {
  const file = path.posix.join(path.posix.dirname(from), to)
  if (!existsSync(path.join(root, file))) throw new Error(`${from} imports ${to}, which is not there`)
  return file
}
