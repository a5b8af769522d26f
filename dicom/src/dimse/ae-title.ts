/** Whether a text can be an AE title: 1 to 16 printable ASCII characters, no backslash, not blanks alone (PS3.5 §6.2). */
export function isAeTitle(text: string): boolean {
  return text.length <= 16 && text.trim() !== '' && /^[\x20-\x5b\x5d-\x7e]+$/.test(text)
}
