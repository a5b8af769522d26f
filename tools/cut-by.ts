import { moduleOf } from './sent-by.ts'
import { allBelow, isName, isUse, localOf, namesIn, surroundings, type Syntax } from './syntax.ts'

/** Parts of a file that are not reached where a value is false. */
export interface Cut {
  parts: { part: Syntax; test: Syntax; isBranch: boolean }[]
  /** The function at the top of the file that gives the value back; refusing where it gives true for false. */
  given?: { name: string; isRefusal: boolean }
}

/**
 * Follows a value through the file: branches, elements, calls that are given it, what stands behind a refusal.
 * @param isRefusal the value is true where what it guards is left out
 */
export function cutBy(file: string, value: Syntax, isRefusal: boolean): Cut {
  const found: Cut = { parts: [] }
  follow(value, isRefusal, new Set())
  return found

  function follow(from: Syntax, isTrueAtFirst: boolean, followed: ReadonlySet<Syntax>) {
    let part = from
    let isTrue = isTrueAtFirst
    const cut = (left: unknown, isBranch = true) => {
      if (left) found.parts.push({ part: left as Syntax, test: part, isBranch })
    }
    for (const around of surroundings(from)) {
      const isIn = (field: string) => around[field] === part
      switch (around.type) {
        case 'UnaryExpression':
          if (around['operator'] === '!') isTrue = !isTrue
          break
        case 'LogicalExpression': {
          const other = around[isIn('left') ? 'right' : 'left'] as Syntax
          const decides = around['operator'] === (isTrue ? '||' : '&&')
          if (decides && isIn('left')) cut(other)
          if (!decides && !asksToo(other)) return
          break
        }
        case 'ConditionalExpression': {
          const test = isIn('test')
          if (test) cut(around[isTrue ? 'alternate' : 'consequent'])
          const other = around[isIn('alternate') || (test && isTrue) ? 'consequent' : 'alternate'] as Syntax
          if (test && around.around?.type !== 'VariableDeclarator') return
          if (!/^(?:false|null|undefined|\[\]|'')$/.test(textOf(other))) return
          isTrue &&= !test
          break
        }
        case 'IfStatement':
          if (!isIn('test')) return
          if (!isTrue) return cut(around['consequent'])
          cut(around['alternate'])
          for (const one of behind(around)) cut(one)
          return
        case 'VariableDeclarator': {
          if (followed.has(around)) return
          const names = namesHolding(around, from)
          for (const use of usesOf(around, names)) follow(use, isTrue, new Set([...followed, around]))
          if (around.around?.around?.type === 'Program') give(names[0], isTrue)
          return
        }
        case 'BinaryExpression':
          if (textOf(around).endsWith('=== 0')) isTrue = !isTrue
          break
        case 'JSXAttribute':
          return cut(
            surroundings(around).find(({ type }) => type === 'JSXElement'),
            false,
          )
        case 'JSXExpressionContainer':
          // a child is drawn or left out
          if (around.around?.type !== 'JSXAttribute') return
          break
        case 'Property': {
          const taker = surroundings(around).find(({ type }) => /^CallExpr|Function|Statement|Declarat/.test(type))
          return cut(taker?.type === 'CallExpression' ? taker : undefined, false)
        }
        case 'CallExpression': {
          const callee = around['callee'] as Syntax
          if (callee === part) for (const one of around['arguments'] as Syntax[]) cut(one, false)
          else if (!isFunction(part)) return cut(around, false)
          else if (callee.type !== 'MemberExpression' && textOf(callee) !== 'useMemo') return
          break
        }
        case 'ReturnStatement':
        case 'BlockStatement':
          break
        case 'ArrowFunctionExpression':
        case 'FunctionDeclaration': {
          if (from !== value && part.type === 'BlockStatement' && !returns(from, around)) return
          const name = nameAtTop(around)
          if (name !== undefined) return give(name, isTrue)
          break
        }
        default:
          if (/Statement$|^Program$|^JSXElement$/.test(around.type)) return
      }
      part = around
    }
  }

  function give(name: string | undefined, isTrue: boolean) {
    if (name !== undefined) found.given ??= { name, isRefusal: isTrue }
  }

  function textOf({ start, end }: Syntax): string {
    return moduleOf(file).text.slice(start, end)
  }
}

function isFunction({ type }: Syntax): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression'
}

/** The name of a function that stands at the top of a file. */
function nameAtTop(fn: Syntax): string | undefined {
  const above = surroundings(fn).filter(({ type }) => !type.startsWith('Export'))
  if (fn.type === 'FunctionDeclaration')
    return above[0]?.type === 'Program' ? namesIn(fn['id'] as Syntax)[0] : undefined
  const [declarator, , program] = above
  return declarator?.type === 'VariableDeclarator' && program?.type === 'Program'
    ? namesIn(declarator['id'] as Syntax)[0]
    : undefined
}

/** Whether a part stands in what a function returns, and not in another function inside. */
function returns(part: Syntax, fn: Syntax): boolean {
  const above = surroundings(part)
  return above.slice(0, above.indexOf(fn)).some(({ type }) => type === 'ReturnStatement')
}

/** Whether the other side of "or" is a question as well. */
function asksToo(other: Syntax): boolean {
  return allBelow(other, isName).some((one) => /^(?:may[A-Z]|useMayCall$|mayCall)/.test(String(one['name'])))
}

/** The statements behind a condition that leaves the function. */
function behind(condition: Syntax): Syntax[] {
  const then = condition['consequent'] as Syntax
  const isLeft = allBelow(then, ({ type }) => /^(?:Return|Throw|Continue)Statement$/.test(type)).length > 0
  const siblings = (condition.around?.['body'] ?? []) as Syntax[]
  return isLeft ? siblings.slice(siblings.indexOf(condition) + 1) : []
}

/** The names that hold a value: of a list of values the one in its place. */
function namesHolding(declarator: Syntax, value: Syntax): string[] {
  const [id, init] = [declarator['id'] as Syntax, declarator['init'] as Syntax]
  if (id.type !== 'ArrayPattern' || init.type !== 'ArrayExpression') return namesIn(id)
  const above = [value, ...surroundings(value)]
  const at = (init['elements'] as Syntax[]).findIndex((one) => above.includes(one))
  const named = (id['elements'] as Syntax[])[at]
  return named ? namesIn(named) : []
}

/** The places of a file where names of a declaration stand for their values. */
export function usesOf(declarator: Syntax, names: readonly string[]): Syntax[] {
  const block = surroundings(declarator).find(({ type }) => type === 'BlockStatement' || type === 'Program')
  const isMeant = (part: Syntax) => isName(part) && names.includes(String(part['name'])) && isUse(part)
  return allBelow(block ?? declarator, isMeant).filter((use) => localOf(use) === declarator)
}
