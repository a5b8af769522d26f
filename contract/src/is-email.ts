/** Something before and after one @, with a dot behind it and no blanks: what can be told without sending. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)
}

/** Whether a text is one bare address that a mail can go to: neither a list nor one with a name and brackets. */
export function isMailable(text: string): boolean {
  return isEmail(text) && !/[<>,;]/.test(text)
}
