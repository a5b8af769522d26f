/** Text for lists and the database: control characters do not belong there, and PostgreSQL refuses the null in any text. */
export function cleanText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is removed
  return text.replace(/[\u0000-\u001f\u007f]/g, '').trim()
}
