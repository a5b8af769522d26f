import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parseSync } from 'vite'

const root = path.resolve(import.meta.dirname, '..')

/** Words that docs/glossary.md gives another word for, or one place: stored and held, outgoing, notified, options, progress. */
const settled = /^(?:keep(?:s|er|ers|ing)?|kept|leav(?:e|es|ing)|told|standing|wish(?:e[sd])?)$/

/** Names that have such a word, and why they may. */
const allowed: Readonly<Record<string, string>> = {
  // things that go on as they were
  'keep-focus.ts': 'the focus stays',
  'keep-focus.test.ts': 'the focus stays',
  keepFocus: 'the focus stays',
  expectFocusKept: 'the focus stays',
  isKeptAlive: 'keepalive, an option of fetch',
  // Keep a copy, the button of a share
  'keep-copy.tsx': 'the button',
  'keep-copy.test.tsx': 'the button',
  'keep-copy.command.ts': 'the button',
  'keep-copy.sql.ts': 'the button',
  KeepCopy: 'the button',
  keepCopy: 'the button',
  useKeepCopy: 'the button',
  // Keeping and purging, the page of retention, and the words of its calls
  KeepingAndPurging: 'the page',
  keepingAndPurging: 'the page',
  'kept.call.ts': 'the path retention/kept',
  retentionKept: 'the path retention/kept',
  kept: 'a field of the answers of retention, or the path retention/kept',
  // pages and screens are left
  leave: 'a page, a screen or a viewport is left',
  onLeave: 'a page is left',
  handleLeave: 'the event dragleave',
  leaveSheet: 'a page of the viewer is left',
  leaveWithFullScreen: 'the viewer is left',
  leaveByEscape: 'the viewer is left',
  'leave-by-escape.ts': 'the viewer is left',
}

const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

/** Fields of the wire and columns have the words that they were given once. */
const isOfWire = (name: string) => /^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(name)

const isBroken = (name: string) =>
  wordsOf(name).some((word) => settled.test(word)) && !Object.hasOwn(allowed, name) && !isOfWire(name)

interface Syntax {
  type: string
  [field: string]: unknown
}

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The names that a pattern binds; a shorthand takes the name of a property that is declared elsewhere. */
function namesBound(pattern: unknown): string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(namesBound)
  if (!isSyntax(pattern)) return []
  if (pattern.type === 'Identifier' || pattern.type === 'PrivateIdentifier') return [String(pattern['name'])]
  if (pattern.type === 'ObjectPattern') return namesBound(pattern['properties'])
  if (pattern.type === 'ArrayPattern') return namesBound(pattern['elements'])
  if (pattern.type === 'Property') return pattern['shorthand'] === true ? [] : namesBound(pattern['value'])
  return [pattern['argument'], pattern['left'], pattern['parameter']].flatMap(namesBound)
}

/** An import under another name than it is exported by. */
function isRenamed({ type, imported, local }: Syntax): boolean {
  return type === 'ImportSpecifier' && isSyntax(imported) && isSyntax(local) && imported['name'] !== local['name']
}

/** Names that a file declares: of values, functions, parameters, types and their members. */
function namesDeclared(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(namesDeclared)
  if (!isSyntax(part)) return []
  const { id, params, key } = part
  const isMember = /^(?:TSPropertySignature|TSMethodSignature|PropertyDefinition|MethodDefinition)$/.test(part.type)
  const own = [id, params, ...(isMember ? [key] : []), ...(isRenamed(part) ? [part['local']] : [])].flatMap(namesBound)
  return [...own, ...Object.values(part).flatMap(namesDeclared)]
}

/** The names of a file that break the rule. Names of one word in tests are everyday English beside what they hold. */
function brokenNames(file: string, text: string): string[] {
  const isTest = /\.(?:test|e2e)\.|^(?:e2e|bench|server\/test|web\/test)\//.test(file)
  const { program, errors } = parseSync(file, text)
  if (errors[0] !== undefined) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const declared = namesDeclared(program).filter((name) => !isTest || wordsOf(name).length > 1)
  return [...new Set([path.basename(file), ...declared])].filter(isBroken)
}

it('names have the word of the glossary where it settles one', () => {
  const files = globSync('{contract,dicom,server,web,viewer,e2e,tools,bench}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    // the steps of a database are not named anew
    exclude: (name) => /(?:^|\/)(?:node_modules|dist|\.cache|migrations)(?:\/|$)/.test(name),
  })
  expect(files.length).toBeGreaterThan(1000)
  const found = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    // most files need no parsing, which takes its time
    if (!/keep|kept|leav|told|standing|wish/i.test(file + text)) return []
    return brokenNames(file, text).map((name) => `${file}: ${name}`)
  })
  expect(found).toEqual([])
}, 240_000)

it('finds such names wherever they are declared, and lets those alone that are of others', () => {
  const text = `
    import { keepPreviousData, fetch as toldFetch } from 'elsewhere'
    interface KeptRow { mayKeep: boolean; store(isTold: boolean): void }
    class Store { #leaving = 1; keeper() {} }
    const { kept_by: keptBy, keepAlive = true, ...keptRest } = row
    for (const [wish] of wishes) call({ keepMounted: true })
  `
  expect(brokenNames('web/src/made.ts', text).toSorted()).toEqual(
    ['KeptRow', 'isTold', 'keeper', 'keptBy', 'keptRest', 'leaving', 'mayKeep', 'toldFetch', 'wish'].toSorted(),
  )
  expect(brokenNames('web/src/kept-rows.test.ts', 'const [keep, keepAll] = [1, 2]')).toEqual([
    'kept-rows.test.ts',
    'keepAll',
  ])
})
