/** A part of the syntax of a file, with the part around it. */
export interface Syntax {
  type: string
  start: number
  end: number
  around?: Syntax
  [field: string]: unknown
}

/** The parts of the syntax just below a part. */
export function partsBelow(part: Syntax): Syntax[] {
  const fields = Object.entries(part).filter(([name]) => name !== 'around')
  return fields.flatMap(([, value]) => (Array.isArray(value) ? value : [value])).filter(isSyntax)
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** The same part, whose parts know what is around them. */
export function withSurroundings(part: Syntax): Syntax {
  for (const below of partsBelow(part)) {
    below.around = part
    withSurroundings(below)
  }
  return part
}

/** The parts around a part, the nearest first. */
export function surroundings(part: Syntax): Syntax[] {
  return part.around ? [part.around, ...surroundings(part.around)] : []
}

/** The parts that are meant, this one and those below. */
export function allBelow(part: Syntax, isMeant: (part: Syntax) => boolean): Syntax[] {
  const below = partsBelow(part).flatMap((one) => allBelow(one, isMeant))
  return isMeant(part) ? [part, ...below] : below
}

export function isName({ type }: Syntax): boolean {
  return type === 'Identifier' || type === 'JSXIdentifier'
}

export function namesIn(part: Syntax): string[] {
  return allBelow(part, isName).map((one) => String(one['name']))
}

/** Whether a name stands for a value, and is no key of an object, no attribute and no member. */
export function isUse(name: Syntax): boolean {
  const { around } = name
  if (around?.type === 'MemberExpression') return around['object'] === name || around['computed'] === true
  if (around?.type === 'Property') return around['value'] === name || around['computed'] === true
  if (around?.type === 'JSXMemberExpression') return around['object'] === name
  return around?.type !== 'JSXAttribute'
}

/** The declaration inside a function that a name means: of a constant, of a function, or the function whose parameter has that name. */
export function localOf(name: Syntax): Syntax | undefined {
  const meant = String(name['name'])
  for (const around of surroundings(name)) {
    if (/Function/.test(around.type)) {
      if ((around['params'] as Syntax[]).some((one) => namesBound(one).includes(meant))) return around
    }
    if (around.type !== 'BlockStatement') continue
    const statements = around['body'] as Syntax[]
    for (const one of statements) {
      const declared = one.type === 'FunctionDeclaration' ? [one] : ((one['declarations'] ?? []) as Syntax[])
      const found = declared.find(({ id }) => namesBound(id as Syntax).includes(meant))
      if (found) return found
    }
  }
  return undefined
}

/** The names that a pattern gives to values. */
function namesBound(pattern: Syntax): string[] {
  if (isName(pattern)) return [String(pattern['name'])]
  if (pattern.type === 'Property') return namesBound(pattern['value'] as Syntax)
  if (pattern.type === 'AssignmentPattern') return namesBound(pattern['left'] as Syntax)
  return partsBelow(pattern)
    .filter(({ type }) => !type.startsWith('TS'))
    .flatMap(namesBound)
}
