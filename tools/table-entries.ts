import { moduleOf } from './sent-by.ts'
import { allBelow, type Syntax } from './syntax.ts'

const known = new Map<string, ReadonlyMap<Syntax, string>>()

/** Entries of the tables of values at the top of a file, each named `table.key`; those of a table inside another, too. */
export function entriesOf(file: string): ReadonlyMap<Syntax, string> {
  const found = known.get(file) ?? readEntries(file)
  known.set(file, found)
  return found
}

function readEntries(file: string): ReadonlyMap<Syntax, string> {
  const entries = new Map<Syntax, string>()
  const read = (name: string, table: Syntax) => {
    for (const property of table['properties'] as Syntax[]) {
      if (property.type !== 'Property' || property['computed'] === true) continue
      const key = property['key'] as Syntax
      entries.set(property, `${name}.${String(key['name'] ?? key['value'])}`)
      const value = valueOf(property['value'] as Syntax)
      if (value?.type === 'ObjectExpression') read(name, value)
    }
  }
  for (const [name, statement] of moduleOf(file).statements) {
    const [declarator] = allBelow(statement, ({ type }) => type === 'VariableDeclarator')
    const value = declarator && valueOf(declarator['init'] as Syntax | null)
    if (value?.type === 'ObjectExpression') read(name, value)
  }
  return entries
}

/** The entry of a table that a use names (`table[kind].key`), else the table. */
export function entryNamed(use: Syntax, file: string, table: string): string {
  const entries = new Set(entriesOf(file).values())
  let found = table
  let part = use
  while (part.around?.type === 'MemberExpression' && part.around['object'] === part) {
    part = part.around
    const named = `${table}.${String((part['property'] as Syntax)['name'])}`
    if (part['computed'] !== true && entries.has(named)) found = named
  }
  return found
}

/** Whether a part is a type; a value that a type is put to (`as const`) is none. */
export function isTypeAlone({ type }: Syntax): boolean {
  return type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)Expression$/.test(type)
}

/** A value without the types that are put to it. */
function valueOf(part: Syntax | null): Syntax | undefined {
  if (!part) return undefined
  return part.type.startsWith('TS') ? valueOf(part['expression'] as Syntax) : part
}
