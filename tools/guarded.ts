import { isQuestion, namedBy } from './questions.ts'
import { moduleOf, sentByText } from './sent-by.ts'
import { allBelow, isName, namesIn, surroundings, type Syntax } from './syntax.ts'

/** A question of a screen whether a call or a route may be sent. */
interface Question {
  /** The name of the declaration. */
  asked: string
  /** The part of its input that is asked about; empty where that is no word. */
  part: string | undefined
  /** The constant that is the answer; empty where the answer is part of something else. */
  name: string
  /** Calls and routes that what stands under the answer sends, with the texts that name each. */
  sent: ReadonlyMap<string, string>
}

/** Questions of a file that name a declaration themselves; those by a table of declarations are left out. */
export function questionsOf(file: string): Question[] {
  return allBelow(moduleOf(file).program, isQuestion).flatMap((question) => {
    const { name: asked, part } = namedBy(file, question)
    if (asked === undefined) return []
    const sent = sentByText(file, textsUnder(file, guardedBy(question)))
    return [{ asked, part, name: nameOf(question), sent }]
  })
}

function nameOf(question: Syntax): string {
  const { around } = question
  return around?.type === 'VariableDeclarator' ? (namesIn(around['id'] as Syntax)[0] ?? '') : ''
}

/** Parts of the file that are reached, drawn or switched by a value: branches, elements, what follows a refusal. */
function guardedBy(value: Syntax, followed: ReadonlySet<string> = new Set()): Syntax[] {
  const found: Syntax[] = []
  let part = value
  for (const around of surroundings(value)) {
    if (around.type === 'LogicalExpression' && around['left'] === part) found.push(around['right'] as Syntax)
    if (around.type === 'ConditionalExpression' && around['test'] === part)
      found.push(around['consequent'] as Syntax, around['alternate'] as Syntax)
    if (around.type === 'IfStatement' && around['test'] === part) return [...found, ...branchesOf(around)]
    if (around.type === 'VariableDeclarator') return [...found, ...guardedByNames(around, followed)]
    if (around.type === 'JSXAttribute') return [...found, elementOf(around)]
    // a child is drawn or left out
    if (around.type === 'JSXExpressionContainer' && around.around?.type !== 'JSXAttribute') return found
    if (around.type === 'Property' && !/Function/.test(part.type)) return [...found, takerOf(around)]
    part = around
  }
  return found
}

/** Parts of the file that are guarded by the names that a declaration gives to a value. */
function guardedByNames(declarator: Syntax, followed: ReadonlySet<string>): Syntax[] {
  const block = surroundings(declarator).find(({ type }) => type === 'BlockStatement' || type === 'Program')
  const names = namesIn(declarator['id'] as Syntax).filter((name) => !followed.has(name))
  const all = new Set([...followed, ...names])
  const uses = allBelow(block ?? declarator, (part) => isName(part) && names.includes(String(part['name'])))
  return uses.filter((use) => !surroundings(use).includes(declarator)).flatMap((use) => guardedBy(use, all))
}

function branchesOf(condition: Syntax): Syntax[] {
  const [then, otherwise] = [condition['consequent'] as Syntax, condition['alternate'] as Syntax | null]
  const branches = otherwise ? [then, otherwise] : [then]
  const isLeft = allBelow(then, ({ type }) => type === 'ReturnStatement' || type === 'ThrowStatement').length > 0
  const siblings = (condition.around?.['body'] ?? []) as Syntax[]
  return isLeft ? [...branches, ...siblings.slice(siblings.indexOf(condition) + 1)] : branches
}

function elementOf(attribute: Syntax): Syntax {
  return surroundings(attribute).find(({ type }) => type === 'JSXElement') ?? attribute
}

/** The call that is given an object with a property. */
function takerOf(property: Syntax): Syntax {
  return surroundings(property).find(({ type }) => type === 'CallExpression' || type === 'ReturnStatement') ?? property
}

/** The texts of these parts, and of the constants of the functions around them that they name. */
function textsUnder(file: string, parts: readonly Syntax[]): string[] {
  const { text } = moduleOf(file)
  const found = new Set<Syntax>()
  const add = (part: Syntax) => {
    if (found.has(part)) return
    found.add(part)
    const names = new Set(allBelow(part, isName).map((one) => String(one['name'])))
    const blocks = surroundings(part).filter(({ type }) => type === 'BlockStatement')
    const declared = blocks.flatMap((block) =>
      (block['body'] as Syntax[]).flatMap((one) => (one['declarations'] ?? []) as Syntax[]),
    )
    for (const one of declared) {
      const isNamed = namesIn(one['id'] as Syntax).some((name) => names.has(name))
      if (isNamed && one['init']) add(one['init'] as Syntax)
      // what a state draws, which is set here
      const [, setter = ''] = namesIn(one['id'] as Syntax)
      if (setter.startsWith('set') && names.has(setter))
        for (const drawn of guardedByNames(one, new Set([setter]))) add(drawn)
    }
  }
  for (const part of parts) add(part)
  return [...found].map(({ start, end }) => text.slice(start, end))
}
