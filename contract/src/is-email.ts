/** Something before and after one @, with a dot behind it and no blanks: what can be told without sending. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text)
}
