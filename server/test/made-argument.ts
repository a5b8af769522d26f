import { sql } from 'kysely'
import { type Checker, SignatureKind, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync'
import type { Database } from '../src/db/database.ts'

/** One round of making values up. */
export interface Round {
  /** Stands wherever a function asks for the database or a transaction. */
  db: Database
  /** Decides the alternative of each union, the presence of optional properties, and how many elements lists have. */
  number: number
}

/** Makes a value of one type. `name` is that of the parameter or property which holds the value. */
type Maker = (round: Round, name: string, depth: number) => unknown

const text = '00000000-0000-4000-8000-000000000001'
const depthLimit = 6
/** In so many rounds every union takes its alternatives one after the other; in later rounds each for itself. */
const evenRounds = 8
const numbers = [1, 2, 100_000]
const listLengths = [1, 2, 1, 0]
/** Lists that nobody leaves empty: a question is always sorted by something. */
const neverEmpty = ['order']
const fragments: Record<string, ReturnType<typeof sql>> = { where: sql`true`, orderBy: sql`1`, limit: sql`1` }

/**
 * Makes values of declared types up. Nothing is looked up, so that any text may stand for any other.
 * @returns a function that makes one value of a type
 */
export function valueMaker(checker: Checker): (type: Type, round: Round, name: string) => unknown {
  const known = new Map<number, Maker>()
  const makerOf = (type: Type): Maker => {
    const made = known.get(type.id) ?? readMaker(checker, type, later)
    known.set(type.id, made)
    return made
  }
  // types refer to themselves: their parts are read when the first value is made
  const later = (type: Type | undefined): Maker =>
    type ? (round, name, depth) => makerOf(type)(round, name, depth + 1) : () => undefined
  return (type, round, name) => makerOf(type)(round, name, 0)
}

function readMaker(checker: Checker, type: Type, makerOf: (type: Type | undefined) => Maker): Maker {
  if (type.isLiteralType()) return () => type.value
  if (type.isUnionType()) return readUnion(type.getTypes(), makerOf)
  if (type.flags & (TypeFlags.Undefined | TypeFlags.Void)) return () => undefined
  if (type.flags & TypeFlags.Null) return () => null
  if (type.flags & (TypeFlags.Any | TypeFlags.Unknown)) return () => text
  if (checker.isTypeAssignableTo(type, checker.getStringType())) return () => text
  if (checker.isTypeAssignableTo(type, checker.getNumberType()))
    return (round, name) => numbers[pick(round, name) % numbers.length]
  if (type.isTypeParameter()) return makerOf(checker.getConstraintOfTypeParameter(type))
  return readKnown(checker, type, makerOf) ?? readObject(checker, type, makerOf)
}

function readUnion(types: readonly Type[], makerOf: (type: Type | undefined) => Maker): Maker {
  const absent = TypeFlags.Undefined | TypeFlags.Null
  const isAbsent = (type: Type) => Number((type.flags & absent) !== 0)
  const makers = [...types].sort((one, other) => isAbsent(one) - isAbsent(other)).map(makerOf)
  return (round, name, depth) => makers[pick(round, name) % makers.length]?.(round, name, depth)
}

function pick({ number }: Round, name: string): number {
  if (number < evenRounds) return number
  let mixed = number * 2_654_435_761
  for (const letter of name) mixed = (Math.imul(mixed, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return mixed >>> 3
}

/** Types that are made otherwise than by their properties. */
function readKnown(checker: Checker, type: Type, makerOf: (type: Type | undefined) => Maker): Maker | undefined {
  const [first, second] = (type.isTypeReference() ? checker.getTypeArguments(type) : []).map(makerOf)
  const makeFirst: Maker = (...given) => first?.(...given)
  switch (type.getSymbol()?.name) {
    case 'Kysely':
    case 'Transaction':
      return ({ db }) => db
    case 'RawBuilder':
      return (_round, name) => fragments[name] ?? sql`null`
    case 'Date':
      return () => new Date(0)
    case 'Buffer':
      return () => Buffer.from([0])
    case 'Promise':
      return (...given) => Promise.resolve(makeFirst(...given))
    case 'Set':
    case 'ReadonlySet':
      return (...given) => new Set([makeFirst(...given)])
    case 'Map':
    case 'ReadonlyMap':
      return (...given) => new Map([[makeFirst(...given), second?.(...given)]])
    default:
  }
  if (checker.isTupleType(type)) {
    const makers = checker.getTypeArguments(type as never).map(makerOf)
    return (...given) => makers.map((make) => make(...given))
  }
  if (!checker.isArrayLikeType(type)) return undefined
  return (round, name, depth) => {
    const length = listLengths[pick(round, name) % listLengths.length]
    return Array.from({ length: length || Number(neverEmpty.includes(name)) }, () => makeFirst(round, name, depth))
  }
}

function readObject(checker: Checker, type: Type, makerOf: (type: Type | undefined) => Maker): Maker {
  const [signature] = checker.getSignaturesOfType(type, SignatureKind.Call)
  if (signature) {
    const make = makerOf(checker.getReturnTypeOfSignature(signature))
    return (...given) =>
      () =>
        make(...given)
  }
  const properties = checker.getPropertiesOfType(type).map((property) => ({
    name: property.name,
    isOptional: (property.flags & SymbolFlags.Optional) !== 0,
    make: makerOf(checker.getTypeOfSymbol(property)),
  }))
  const [index] = checker.getIndexInfosOfType(type).map((info) => makerOf(info.valueType))
  return (round, name, depth) => {
    if (depth > depthLimit) return undefined
    const present = properties.filter((one) => !one.isOptional || pick(round, one.name) % 2 === 0)
    const entries = present.map((one) => [one.name, one.make(round, one.name, depth)])
    return Object.fromEntries(index ? [...entries, ['a', index(round, name, depth)]] : entries)
  }
}
