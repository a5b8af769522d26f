import { type Act, acts, mayDo } from '@hilum/contract/acts'
import { declared, readWebSources } from '../server/test/asked-by-screens.ts'
import { cutBy, usesOf } from './cut-by.ts'
import { actsAsked, type Asked, asksOf, isAskedOfAccount, isQuestion, permissionsOf } from './questions.ts'
import { moduleOf, resolve } from './sent-by.ts'
import { allBelow, isName, isUse, localOf, namesIn, partsBelow, surroundings, type Syntax } from './syntax.ts'
import { entriesOf, entryNamed, isTypeAlone } from './table-entries.ts'

type Declared = keyof typeof declared

/** A way from one part of the web to another, or to a call, with the questions that are asked on it. */
interface Way {
  to: string
  asked: readonly Asked[]
}

const entry = 'web/src/main.tsx'
const ways = new Map<string, Way[]>()
/** Acts that are asked before a part of a file is reached. */
const guards = new Map<Syntax, Asked[]>()
/** Parts of files that are drawn once a state is set, or an act was done, with the node of that. */
const drawn = new Map<Syntax, string>()
/** Functions that answer a question, by file and name. */
const answers = new Map<string, { asked: Asked; isRefusal: boolean }>()

/**
 * A way by which the page leads to a call without asking for its act; undefined where every way asks.
 * @param gates parts of files, as `file name`, that are opened to those alone who may send the call
 */
export function unaskedWay(name: Declared, gates: readonly string[]): string[] | undefined {
  const own = asksOf(name)
  return wayFromEntry(name, (to, asked) => gates.includes(to) || asked.some((one) => answersOneOf(one, own)))
}

/** Whether a way of the page leads to a call, whatever is asked on it. */
export function isReached(name: Declared): boolean {
  return wayFromEntry(name, () => false) !== undefined
}

/** Calls and routes that files of the web name otherwise than in a question, a table to ask by, or a type. */
export function listNamed(): Declared[] {
  const named = new Set<Declared>()
  for (const file of readWebSources().keys()) {
    if (tables.has(file)) continue
    const { imports, parts } = moduleOf(file)
    const text = [...parts.values()].join('\n').replaceAll(/\btypeof \w+/g, '')
    for (const [local, found] of imports)
      if ('declared' in found && new RegExp(`\\b${local}\\b`).test(text)) named.add(found.declared as Declared)
  }
  return [...named]
}

function wayFromEntry(name: Declared, isClosed: (to: string, asked: Way['asked']) => boolean): string[] | undefined {
  if (ways.size === 0) readAll()
  const from = new Map<string, string>([[entry, '']])
  const left = [entry]
  for (let at = left.shift(); at !== undefined; at = left.shift()) {
    if (at === name) return wayTo(at)
    for (const { to, asked } of ways.get(at) ?? []) {
      if (from.has(to) || isClosed(to, asked)) continue
      from.set(to, at)
      left.push(to)
    }
  }
  return undefined

  function wayTo(end: string): string[] {
    const found: string[] = []
    for (let one: string | undefined = end; one; one = from.get(one)) found.unshift(one)
    return found
  }
}

/** Whether the question is of the flags that the server decides one of these acts by, and its answer includes the act. */
function answersOneOf({ acts: some, ofAccount }: Asked, own: readonly Asked[]): boolean {
  return own.some(
    (one) => one.ofAccount === ofAccount && some.some((act) => one.acts.some((other) => implies(act, other))),
  )
}

const implied = new Map<string, boolean>()

/** Whether everybody who may do one act may do the other. */
function implies(one: Act, other: Act): boolean {
  const key = `${one} ${other}`
  const known = implied.get(key)
  if (known !== undefined) return known
  const named = [...new Set([...permissionsOf(acts[one]), ...permissionsOf(acts[other])])]
  let holds = true
  for (let bits = 0; holds && bits < 2 ** named.length; bits++) {
    const permissions = new Set(named.filter((_, at) => bits & (1 << at)))
    holds = !mayDo(one, { permissions }) || mayDo(other, { permissions })
  }
  implied.set(key, holds)
  return holds
}

function readAll() {
  const sources = [...readWebSources().keys()]
  // whoever calls a function that answers a question asks that question: read until no more are found
  for (let known = -1; known !== answers.size; ) {
    known = answers.size
    guards.clear()
    for (const file of sources) readGuards(file)
  }
  for (const file of sources) readDrawn(file)
  for (const file of sources) readWays(file)
}

function readGuards(file: string) {
  const { program, imports, text } = moduleOf(file)
  const asking = [...answers.keys()].flatMap((key) => key.split(' ').slice(1))
  if (!['ayCall', ...asking].some((word) => text.includes(word))) return
  for (const part of allBelow(program, ({ type }) => type === 'CallExpression')) {
    const callee = part['callee'] as Syntax
    if (!isName(callee)) continue
    const found = imports.get(String(callee['name']))
    const answer = isQuestion(part)
      ? { asked: { acts: actsAsked(file, part), ofAccount: isAskedOfAccount(file, part) }, isRefusal: false }
      : answers.get(found && 'file' in found ? `${found.file} ${found.name}` : `${file} ${String(callee['name'])}`)
    if (!answer) continue
    const { parts, given } = cutBy(file, part, answer.isRefusal)
    for (const one of parts) guards.set(one.part, [...(guards.get(one.part) ?? []), answer.asked])
    if (given && !answers.has(`${file} ${given.name}`))
      answers.set(`${file} ${given.name}`, { asked: answer.asked, isRefusal: given.isRefusal })
  }
}

/** Parts that a state draws are reached by whatever sets the state, those of an outcome by whatever does the act. */
function readDrawn(file: string) {
  const { program } = moduleOf(file)
  for (const declarator of allBelow(program, ({ type }) => type === 'VariableDeclarator')) {
    const init = declarator['init'] as Syntax | null
    const callee = init?.type === 'CallExpression' ? String((init['callee'] as Syntax)['name'] ?? '') : ''
    const isState = callee === 'useState' && isClosed(init as Syntax)
    const isAct = /^use[A-Z]/.test(callee) && !/^use(?:State|Ref|Id|Memo|MayCall)$|Quer(?:y|ies)$/.test(callee)
    if (!isState && !isAct) continue
    const [held = ''] = namesIn(declarator['id'] as Syntax)
    for (const use of usesOf(declarator, isState ? [held] : namesIn(declarator['id'] as Syntax))) {
      if (isAct && !isReading(use)) continue
      for (const { part, test, isBranch } of cutBy(file, use, false).parts) {
        if (!isBranch) continue
        if (isState) {
          const shown = `${nodeOf(file, declarator)} shows`
          const kind = String(literalsIn(test)[0]?.['value'] ?? '')
          drawn.set(part, `${shown} ${kind}`)
          if (kind) add(`${shown} any`, `${shown} ${kind}`, [])
        } else if (use.around?.type === 'MemberExpression') drawn.set(part, nodeOf(file, declarator))
      }
    }
  }
}

function isClosed(init: Syntax): boolean {
  const [first] = init['arguments'] as Syntax[]
  return (
    !first ||
    namesIn(first)[0] === 'undefined' ||
    first['value'] === false ||
    first['value'] === '' ||
    first['value'] === null
  )
}

/** Whether an outcome of an act is read, and the act not done. */
function isReading(use: Syntax): boolean {
  const { around } = use
  if (around?.type !== 'MemberExpression') return false
  return /^(?:is[A-Z]\w*|error|failure|message|done|data|variables|outcome|fault|failed|status|asked)$/.test(
    String((around['property'] as Syntax)['name']),
  )
}

function literalsIn(part: Syntax): Syntax[] {
  return allBelow(part, ({ type, value }) => type === 'Literal' && typeof value === 'string')
}

function nodeOf(file: string, local: Syntax): string {
  return `${file} ${namesIn(local['id'] as Syntax).join(',')}:${local.start}`
}

function add(from: string, to: string, asked: Way['asked']) {
  ways.set(from, [...(ways.get(from) ?? []), { to, asked }])
}

function readWays(file: string) {
  const { imports, statements } = moduleOf(file)
  const entries = entriesOf(file)
  const walk = (part: Syntax, from: string, before: Way['asked']) => {
    let [node, asked] = [from, [...before, ...(guards.get(part) ?? [])]]
    if (part.type === 'ImportDeclaration' || isTypeAlone(part)) return
    const shown = drawn.get(part)
    if (shown) node = shown
    if (isLocal(part)) [node, asked] = [nodeOf(file, part), []]
    const entryName = entries.get(part)
    if (entryName !== undefined) {
      add(node, `${file} ${entryName}`, asked)
      ;[node, asked] = [`${file} ${entryName}`, []]
    }
    if (part.type === 'ImportExpression') {
      const to = resolve(file, String((part['source'] as Syntax)['value']))
      for (const name of namesLoaded(part, to)) add(node, `${to} ${name}`, asked)
    }
    if (isName(part) && isUse(part)) lead(part, node, asked)
    const { id } = part
    const below = isQuestion(part)
      ? (part['arguments'] as Syntax[]).slice(1)
      : partsBelow(part).filter((one) => one !== id)
    for (const one of below) walk(one, node, asked)
  }
  const lead = (part: Syntax, node: string, asked: Way['asked']) => {
    const name = String(part['name'])
    const local = localOf(part)
    const found = imports.get(name)
    if (local) {
      if (!('id' in local) || local['id'] === null || /Function(?!Declaration)/.test(local.type)) return
      if (local.type === 'FunctionDeclaration' && !namesIn(local['id'] as Syntax).includes(name)) return
      if (isReading(part) && /^use(?!.*Quer)/.test(calleeOf(local))) return
      add(node, nodeOf(file, local), asked)
      if (calleeOf(local) === 'useState' && name !== namesIn(local['id'] as Syntax)[0])
        for (const [kind, more] of shownBy(part)) add(node, `${nodeOf(file, local)} shows ${kind}`, [...asked, ...more])
    } else if (found && 'declared' in found) {
      if (!tables.has(file)) add(node, found.declared, asked)
    } else if (found) add(node, `${found.file} ${entryNamed(part, found.file, found.name)}`, asked)
    else if (statements.has(name)) add(node, `${file} ${entryNamed(part, file, name)}`, asked)
  }
  for (const [name, statement] of statements) {
    const node = `${file} ${name}`
    walk(statement, node, [])
    if (file === entry) add(entry, node, [])
  }
}

/** The names that a file is loaded for: the one that is taken out of it, else all that it exports. */
function namesLoaded(load: Syntax, file: string): string[] {
  const exported = [...moduleOf(file).statements]
    .filter(([, { type }]) => type.startsWith('Export'))
    .map(([name]) => name)
  const taken = surroundings(load)
    .slice(0, 4)
    .flatMap((around) => {
      if (around.type === 'MemberExpression') return namesIn(around['property'] as Syntax)
      if (around.type === 'VariableDeclarator') return namesIn(around['id'] as Syntax)
      return around.type === 'CallExpression' ? literalsIn(around).map(({ value }) => String(value)) : []
    })
  const named = exported.filter((name) => taken.includes(name))
  return named.length > 0 ? named : exported
}

function isLocal(part: Syntax): boolean {
  const isDeclared = part.type === 'VariableDeclarator' || part.type === 'FunctionDeclaration'
  return isDeclared && surroundings(part).some(({ type }) => type === 'BlockStatement')
}

function calleeOf(declarator: Syntax): string {
  const init = declarator['init'] as Syntax | undefined
  return init?.type === 'CallExpression' ? String((init['callee'] as Syntax)['name'] ?? '') : ''
}

/** The kinds that a setter shows, all where that is not said, none where the setter closes. */
function shownBy(setter: Syntax): [kind: string, asked: Way['asked']][] {
  const { around } = setter
  const [given] =
    around?.type === 'CallExpression' && around['callee'] === setter ? (around['arguments'] as Syntax[]) : []
  if (given && (namesIn(given)[0] === 'undefined' || given['value'] === false || given['value'] === '')) return []
  const said = given ? literalsIn(given) : []
  const asked = (one: Syntax) => surroundings(one).flatMap((around) => guards.get(around) ?? [])
  const kinds = said.map((one): [string, Way['asked']] => [String(one['value']), asked(one)])
  return [['', []], ...(kinds.length > 0 ? kinds : [['any', []] as [string, Way['asked']]])]
}

/** Files with tables of calls that are asked about and not sent. */
const tables: ReadonlySet<string> = new Set([
  'web/src/features/exam/batch-acts.tsx',
  'web/src/features/exam/tab-sets.ts',
  'web/src/queries/namespaces.ts',
  'web/src/screens/refused-act.tsx',
  'web/src/session/is-administrator.ts',
])
