import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { allBelow, isName, isUse, partsBelow, surroundings, type Syntax, withSurroundings } from './syntax.ts'

/*
 * A reading in the background that fails takes nothing off the screen: what was read stays, and with it a form and all that
 * was typed. `isError` of a query is true then, too, and `error` is set: `isLoadingError` is not true, nor `isError && !data`.
 */

const web = path.resolve(import.meta.dirname, '..', 'web', 'src')
const readers = new Set(['useQuery', 'useQueries', 'useInfiniteQuery'])
const fields = new Set(['isError', 'error'])

/** Files that tell of a reading that fails, whatever was read before, and why. */
const telling: Readonly<Record<string, string>> = {
  'features/exam/deletion-reach.tsx': 'says that not all who keep an exam are known, beside those who are',
}

function isReading(part: Syntax | undefined): boolean {
  const callee = part?.type === 'CallExpression' ? (part['callee'] as Syntax) : undefined
  return callee !== undefined && isName(callee) && readers.has(String(callee['name']))
}

/** Places of a file that ask whether a query failed without asking whether there is something read. */
function findAsked(text: string, file: string): string[] {
  const program = withSurroundings(parseSync(file, text).program as unknown as Syntax)
  const declared = allBelow(program, ({ type, init }) => type === 'VariableDeclarator' && isReading(init as Syntax))
  const asked = declared.flatMap((one) => {
    const [id, within] = [one['id'] as Syntax, surroundings(one).find(isFunction) ?? program]
    if (isName(id)) return allBelow(within, (part) => isMemberOf(part, String(id['name'])))
    return partsBelow(id)
      .filter((part) => part.type === 'Property' && fields.has(String((part['key'] as Syntax)['name'])))
      .flatMap(({ key, value }) => usesOf(within, (value as Syntax)['name'], (key as Syntax)['name']))
  })
  // a parameter stands for one of several queries
  const ofSeveral = allBelow(program, isFunction)
    .flatMap((one) => (one['params'] as Syntax[]).filter(isName).map((name) => ({ one, name: String(name['name']) })))
    .flatMap(({ one, name }) => allBelow(one, (part) => isMemberOf(part, name, 'isError')))
  return [...asked, ...ofSeveral]
    .filter((use) => !isWaiting(use) && !isAskedWithData(use, text))
    .map((use) => `${file}: ${text.slice(use.start, (use.around ?? use).end).split('\n')[0]}`)
}

function isFunction({ type }: Syntax): boolean {
  return type === 'FunctionDeclaration' || type === 'ArrowFunctionExpression'
}

function isMemberOf(part: Syntax, name: string, field?: string): boolean {
  if (part.type !== 'MemberExpression') return false
  const [object, property] = [part['object'] as Syntax, String((part['property'] as Syntax)['name'])]
  if (!isName(object) || object['name'] !== name) return false
  return field ? property === field : property === 'isError' || (property === 'error' && decidesOfAll(part))
}

function usesOf(within: Syntax, local: unknown, field: unknown): Syntax[] {
  const isMeant = (part: Syntax) =>
    isName(part) && part['name'] === local && isUse(part) && part.around?.around?.type !== 'ObjectPattern'
  return allBelow(within, isMeant).filter((part) => field === 'isError' || decidesOfAll(part))
}

/** Whether a part decides of a `return` in place of all else, or hides something; `error` is told beside it otherwise. */
function decidesOfAll(part: Syntax): boolean {
  if (isRefused(part)) return part.around?.around?.type === 'LogicalExpression'
  const decision = surroundings(part).find(({ type }) => type === 'IfStatement' || type === 'JSXElement')
  if (decision?.type !== 'IfStatement') return false
  const test = decision['test'] as Syntax
  const isInTest = part.start >= test.start && part.end <= test.end
  return isInTest && allBelow(decision['consequent'] as Syntax, ({ type }) => type === 'JSXElement').length > 0
}

function isRefused({ around }: Syntax): boolean {
  return around?.type === 'UnaryExpression'
}

/** `if (!error) return <Loading />`, after what was read was shown. */
function isWaiting(use: Syntax): boolean {
  return isRefused(use) && use.around?.around?.type === 'IfStatement'
}

/** Whether a part stands in `… && !data`, whatever name the data has. */
function isAskedWithData(use: Syntax, text: string): boolean {
  const own = isRefused(use) ? (use.around ?? use) : use
  return surroundings(use).some(
    ({ type, operator, start, end }) =>
      type === 'LogicalExpression' &&
      operator === '&&' &&
      /!(?!is[A-Z])\w/.test(text.slice(start, own.start) + text.slice(own.end, end)),
  )
}

const files = globSync('**/*.{ts,tsx}', { cwd: web }).filter((file) => !/\.test\.tsx?$/.test(file))

it('a reading in the background that fails takes nothing off the screen, and no form with what was typed', () => {
  const found = files
    .filter((file) => !Object.hasOwn(telling, file))
    .flatMap((file) => findAsked(readFileSync(path.join(web, file), 'utf8'), file))
  expect(files.length).toBeGreaterThan(500)
  expect(found).toEqual([])
})

it('is asked for in each file that is left out', () => {
  const idle = Object.keys(telling).filter(
    (file) => findAsked(readFileSync(path.join(web, file), 'utf8'), file).length === 0,
  )
  expect(idle).toEqual([])
})

it.each([
  ['const { isError } = useQuery(one)\nif (isError) fail()', 1],
  ['const { data, isError } = useQuery(one)\nif (isError && !data) fail()', 0],
  ['const { isError: isGone } = useQuery(one)\nif (isGone) fail()', 1],
  ['const user = useQuery(one)\nif (user.isError) fail()', 1],
  ['const Page = () => {\nconst { error } = useQuery(one)\nif (error) return <Failed />\n}', 1],
  ['const Page = () => {\nconst { data: user, error } = useQuery(one)\nif (error && !user) return <Failed />\n}', 0],
  ['const user = useQuery(one)\nif (user.isLoadingError) fail()', 0],
  ['const all = [useQuery(one)]\nif (all.some((one) => one.isError)) fail()', 1],
  ['const Page = () => {\nconst { data, error } = useQuery(one)\nreturn <>{!error && data && <Form />}</>\n}', 1],
  ['const Page = () => {\nconst { data, error } = useQuery(one)\nreturn <>{!error && !data && <Form />}</>\n}', 0],
  ['const save = useMutation(one)\nif (save.isError) fail()', 0],
])('finds the question in %j', (text, count) => {
  expect(findAsked(text, 'some.tsx')).toHaveLength(count)
})
