import { isGoodPassword, type PasswordFault } from '@hilum/contract/password-rule'
import { foldText } from '@hilum/dicom/person-name'
import { isCommonPassword, withLetters } from './common-passwords.ts'

const productName = 'hilum'
/** Shorter names are parts of too many words to be looked for inside a password. */
const shortestNamePart = 4

/**
 * Why a password cannot be set, or undefined; every door that sets one asks here. The last passwords of a person are
 * compared by `changePassword`, which has them.
 * @param names of the person and of the person's organisations: names, logins, e-mail addresses
 */
export function findPasswordFault(password: string, names: readonly string[]): PasswordFault | undefined {
  if (!isGoodPassword(password)) return 'rule'
  const folded = foldText(password)
  // also with signs between the letters, or in place of them
  const looks = looksOf(folded)
  if (looks.replace(/[^\p{L}]/gu, '').includes(looksOf(productName))) return 'product'
  if (partsOf(names).some((part) => isNamedIn(folded, part) || isNamedIn(looks, looksOf(part)))) return 'name'
  return isCommonPassword(password) ? 'common' : undefined
}

/** The letters that a text looks like: those behind signs, and one for I, L and 1. */
function looksOf(folded: string): string {
  return withLetters(folded).replaceAll('l', 'i')
}

/** A short name counts where only digits and signs stand around it. */
function isNamedIn(folded: string, part: string): boolean {
  if (part.length >= shortestNamePart) return folded.includes(part)
  return folded.replace(/[^\p{L}]/gu, '') === part
}

function partsOf(names: readonly string[]): string[] {
  return names
    .map((name) => foldText(name.replace(/(@.*)\.[^.]*$/, '$1')))
    .flatMap((name) => [...name.split(/[^\p{L}]+/u), name.replace(/[^\p{L}]+/gu, '')])
    .filter((part) => part.length > 1)
}
