import { type Act, acts, type Right } from '@hilum/contract/acts'
import type { Permission } from '@hilum/contract/permissions'
import { declared } from '../server/test/asked-by-screens.ts'
import { moduleOf } from './sent-by.ts'
import { allBelow, isName, localOf, namesIn, surroundings, type Syntax } from './syntax.ts'

type Declared = keyof typeof declared

/** Whether a part of a file asks whether a call or a route may be sent. */
export function isQuestion(part: Syntax): boolean {
  if (part.type !== 'CallExpression') return false
  return /^(?:useMayCall|mayCallOnAll|mayCall)$/.test(String((part['callee'] as Syntax)['name']))
}

/** The acts that a call or a route is decided by: on a study, or in a place instead. */
export function actsOf(name: Declared): Act[] {
  const { on } = declared[name] as { on: { may?: Act; mayInPlace?: Act } }
  return [on.may, on.mayInPlace].filter((one) => one !== undefined)
}

/** Acts of a question or of a call, and whether the flags of the account decide them, or those of a study or a place. */
export interface Asked {
  acts: readonly Act[]
  ofAccount: boolean
}

/** The acts that a call or a route is decided by, each with whose flags decide. */
export function asksOf(name: Declared): Asked[] {
  const { on } = declared[name] as { on: { kind: string; may?: Act; mayInPlace?: Act } }
  const ofAccount = /^(?:account|group|user)$/.test(on.kind)
  return [
    ...(on.may ? [{ acts: [on.may], ofAccount }] : []),
    ...(on.mayInPlace ? [{ acts: [on.mayInPlace], ofAccount: false }] : []),
  ]
}

/** The declaration that a question names, and the part of its input, in quotes. */
export function namedBy(file: string, question: Syntax): { name?: Declared; part?: string; isInPlace: boolean } {
  const [asked] = question['arguments'] as [Syntax]
  const wrap = asked.type === 'CallExpression' ? namesIn(asked['callee'] as Syntax)[0] : undefined
  const [of, part] = (wrap === undefined ? [asked] : asked['arguments']) as [Syntax, Syntax?]
  const found = moduleOf(file).imports.get(String(of['name']))
  return {
    ...(found && 'declared' in found ? { name: found.declared as Declared } : {}),
    ...(part ? { part: String(part['value'] ?? '') } : {}),
    isInPlace: wrap === 'inPlace',
  }
}

/** The acts that a question asks for: of a call, of a part of its input, or of the calls of a table. */
export function actsAsked(file: string, question: Syntax): Act[] {
  const { name, part, isInPlace } = namedBy(file, question)
  if (name !== undefined) {
    const one = declared[name] as { decides?: Readonly<Record<string, Act>>; on: { mayInPlace?: Act } }
    if (isInPlace) return one.on.mayInPlace ? [one.on.mayInPlace] : []
    if (part === undefined) return actsOf(name).slice(0, 1)
    const act = one.decides?.[part]
    return act ? [act] : Object.values(one.decides ?? {})
  }
  const [table = ''] = namesIn((question['arguments'] as [Syntax])[0])
  const own = moduleOf(file)
  const found = own.imports.get(table)
  const of = found && 'file' in found ? moduleOf(found.file) : own
  const text = of.parts.get(found && 'file' in found ? found.name : table) ?? [...own.parts.values()].join('\n')
  return [...text.matchAll(/\w+/g)].flatMap(([word]) => {
    const one = of.imports.get(word)
    return one && 'declared' in one ? actsOf(one.declared as Declared) : []
  })
}

/** The text of the flags of a question, with the constants that it names; empty for those of the account. */
export function flagsAsked(file: string, question: Syntax): string {
  const { text } = moduleOf(file)
  const textOf = ({ start, end }: Syntax) => text.slice(start, end)
  const [, flags] = question['arguments'] as [Syntax, Syntax?]
  if (!flags) return ''
  const constants = allBelow(flags, isName).flatMap((one) => localOf(one)?.['init'] ?? [])
  return [flags, ...(constants as Syntax[])].map(textOf).join('\n')
}

/** Whether a question is asked of the flags of the account. */
export function isAskedOfAccount(file: string, question: Syntax): boolean {
  const flags = flagsAsked(file, question)
  return flags === '' || /useEstablished\(/.test(flags)
}

/** Whether a question stands in a callback for one of several, and is asked without that one. */
export function isOfAnother(question: Syntax): boolean {
  const around = surroundings(question)
  const callback = around.find(({ type }) => /Function/.test(type))
  const call = callback?.around
  const callee = call?.type === 'CallExpression' ? (call['callee'] as Syntax) : undefined
  if (!callback || callee?.type !== 'MemberExpression') return false
  const method = String((callee['property'] as Syntax)['name'])
  const [asked] = question['arguments'] as [Syntax]
  const isOfEach = /^(?:every|filter|find|flatMap|some)$/.test(method) || (method === 'map' && asked['arguments'])
  const isFromCallback = (name: Syntax) => {
    const local = localOf(name)
    return local !== undefined && [local, ...surroundings(local)].includes(callback)
  }
  return Boolean(isOfEach) && !allBelow(question, isName).some(isFromCallback)
}

/** The permissions that a right names, those of the account apart. */
export function permissionsOf(right: Right): Permission[] {
  if (typeof right === 'string') return [right]
  if ('all' in right) return right.all.flatMap(permissionsOf)
  if ('any' in right) return right.any.flatMap(permissionsOf)
  return 'not' in right ? permissionsOf(right.not) : []
}

/** Whether flags of a study say all of an act: a study carries the permissions that begin so alone. */
export function isOfStudies(act: Act): boolean {
  return permissionsOf(acts[act]).every((one) => one.startsWith('study_'))
}
