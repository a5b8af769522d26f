import { existsSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { parseSync, Visitor } from 'vite'

/**
 * Lists the imports of a source file: static, dynamic, of types, or as a worker's address.
 * Named from the root's folder; packages `node_modules/<name>`, Node's own `node:<name>`, what is not found `?<as written>`.
 * @throws Error when the file cannot be parsed
 */
export function readImports(root: string, file: string): string[] {
  const { program, errors } = parseSync(file, readFileSync(path.join(root, file), 'utf8'))
  if (errors[0] !== undefined) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const written: string[] = []
  const take = (source: { type: string; value?: unknown } | null) => {
    if (typeof source?.value === 'string') written.push(source.value)
  }
  new Visitor({
    ImportDeclaration: (node) => take(node.source),
    ExportNamedDeclaration: (node) => take(node.source),
    ExportAllDeclaration: (node) => take(node.source),
    ImportExpression: (node) => take(node.source),
    TSImportType: (node) => take(node.source),
    // new URL('./worker.ts', import.meta.url)
    NewExpression: (node) => {
      const [address, base] = node.arguments
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'URL' || base?.type !== 'MemberExpression') return
      if (address?.type === 'Literal' && /^\.{1,2}\/.*\.tsx?$/.test(String(address.value))) take(address)
    },
  }).visit(program)
  return [...new Set(written.map((specifier) => resolve(root, file, specifier)))]
}

/** Names that a file takes from another one, or all that the other one exports. */
export interface TakenNames {
  from: string
  names: readonly string[] | 'all'
}

/**
 * The names that a source file imports or exports again, by the file that they come from, as `readImports` names files.
 * @throws Error when the file cannot be parsed
 */
export function readTakenNames(root: string, file: string): TakenNames[] {
  const { program, errors } = parseSync(file, readFileSync(path.join(root, file), 'utf8'))
  if (errors[0] !== undefined) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const taken: TakenNames[] = []
  const take = (source: { value?: unknown } | null, names: TakenNames['names']) => {
    if (typeof source?.value === 'string') taken.push({ from: resolve(root, file, source.value), names })
  }
  const nameOf = (node: { name?: unknown; value?: unknown }) => String(node.name ?? node.value)
  new Visitor({
    ImportDeclaration: (node) => {
      const named = node.specifiers.flatMap((one) => (one.type === 'ImportSpecifier' ? [nameOf(one.imported)] : []))
      take(node.source, node.specifiers.some((one) => one.type === 'ImportNamespaceSpecifier') ? 'all' : named)
    },
    ExportNamedDeclaration: (node) =>
      take(
        node.source,
        node.specifiers.map((one) => nameOf(one.local)),
      ),
    ExportAllDeclaration: (node) => take(node.source, 'all'),
    ImportExpression: (node) => take(node.source.type === 'Literal' ? node.source : null, 'all'),
    TSImportType: (node) => take(node.source, 'all'),
  }).visit(program)
  return taken
}

function resolve(root: string, file: string, specifier: string): string {
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`
  const plain = specifier.replace(/\?.*$/, '')
  const workspace = /^@hilum\/([^/]+)\/(.+)$/.exec(plain)
  if (workspace !== null)
    return find(root, `${workspace[1]}/src/${workspace[2]}`, ['.ts', '.tsx', '']) ?? `?${specifier}`
  if (plain.startsWith('.'))
    return find(root, path.posix.join(path.posix.dirname(file), plain), ['', '.ts', '.tsx']) ?? `?${specifier}`
  return `node_modules/${plain}`
}

function find(root: string, place: string, endings: string[]): string | undefined {
  const isFile = (candidate: string) =>
    existsSync(path.join(root, candidate)) && statSync(path.join(root, candidate)).isFile()
  return endings.map((ending) => `${place}${ending}`).find(isFile)
}
