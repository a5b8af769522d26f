/**
 * Why a new password is refused, as `error_subtype` of BAD_PASSWORD: too short or without digits or letters, a common one, the
 * name of the person or the organisation, the product's, one of the last three.
 */
const passwordFaults = ['rule', 'common', 'name', 'product', 'repeated'] as const
export type PasswordFault = (typeof passwordFaults)[number]

/** The server's rule: 8 characters, 2 digits, 2 letters, over the whole password (`api-facts` §1). */
export function isGoodPassword(password: string): boolean {
  return password.length >= 8 && count(password, /\d/g) >= 2 && count(password, /\p{L}/gu) >= 2
}

/** The forms' rule: the first 8 characters hold 2 letters and 2 digits (ACCOUNT-10). Stricter, so it always passes above. */
export function isGoodPasswordStart(password: string): boolean {
  return isGoodPassword(password.slice(0, 8))
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
