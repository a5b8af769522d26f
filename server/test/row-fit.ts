import { type Checker, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync'
import type { DescribedColumn } from './described-statement.ts'

const absent = TypeFlags.Null | TypeFlags.Undefined
const asText = /^(text|character varying|character|uuid|date|numeric|name|"char"|interval)$/
const asNumber = /^(smallint|integer|bigint|real|double precision|oid)$/
/** Columns that every list has beside its rows (`totalColumn`). */
const beside = ['total']

/** A column that is not as the type of its row says. */
export interface Misfit {
  column: string
  words: string
  /** The type fits, but for being null. */
  isAboutNull?: boolean
}

/** Holds the columns of an answer against the declared type of a row. */
export function findMisfits(checker: Checker, row: Type, columns: readonly DescribedColumn[]): Misfit[] {
  if (row.isTypeParameter() || row.flags & (TypeFlags.Any | TypeFlags.Unknown)) return []
  const declared = checker.getPropertiesOfType(row)
  const properties = new Map(declared.map((one) => [one.name, checker.getTypeOfSymbol(one)]))
  const names = columns.map((one) => one.name)
  const misfits: Misfit[] = declared
    .filter((one) => !names.includes(one.name) && !(one.flags & SymbolFlags.Optional))
    .map(({ name }) => ({ column: name, words: `${name} does not come` }))
  for (const column of columns) {
    const type = properties.get(column.name)
    if (type) misfits.push(...findMisfit(checker, type, column))
    else if (!beside.includes(column.name))
      misfits.push({ column: column.name, words: `${column.name} is not declared` })
  }
  return misfits
}

function findMisfit(checker: Checker, declared: Type, { name, type, isNullable }: DescribedColumn): Misfit[] {
  if (declared.flags & (TypeFlags.Any | TypeFlags.Unknown)) return []
  const parts = declared.isUnionType() ? declared.getTypes() : [declared]
  const present = parts.filter((part) => !(part.flags & absent))
  const words = `${name} is ${type}, declared ${checker.typeToString(declared)}`
  if (!present.every((part) => fits(checker, part, type))) return [{ column: name, words }]
  if (isNullable === null || isNullable === present.length < parts.length) return []
  return [{ column: name, words: `${words}, and ${isNullable ? 'may be null' : 'is never null'}`, isAboutNull: true }]
}

function fits(checker: Checker, declared: Type, type: string): boolean {
  if (type === 'json' || type === 'jsonb' || type === 'void') return true
  // pg reads a bigint as a number (db/database.ts), but not those of a list
  if (type === 'bigint[]') return fits(checker, declared, 'text[]')
  if (type.endsWith('[]')) {
    const [element] = checker.isArrayLikeType(declared) ? checker.getTypeArguments(declared as never) : []
    return element !== undefined && fits(checker, element, type.slice(0, -2))
  }
  if (asText.test(type)) return checker.isTypeAssignableTo(declared, checker.getStringType())
  if (asNumber.test(type)) return checker.isTypeAssignableTo(declared, checker.getNumberType())
  if (type === 'boolean') return checker.isTypeAssignableTo(declared, checker.getBooleanType())
  const name = declared.getSymbol()?.name
  if (type.startsWith('timestamp')) return name === 'Date'
  return type === 'bytea' && name === 'Buffer'
}
