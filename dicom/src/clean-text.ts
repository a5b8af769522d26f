/** Text for lists and the database: control characters do not belong there, and PostgreSQL refuses the null in any text. */
export function cleanText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is removed
  return text.replace(/[\u0000-\u001f\u007f]/g, '').trim()
}

/** An entry of a B-tree index ends at 2,704 bytes; 512 characters fit in any script. The file keeps the whole value. */
const MAX_LISTED_CHARS = 512

/** Text that lists and the database take: not over-long, and no half of a surrogate pair. */
export function cutToLength(text: string): string {
  return text.slice(0, MAX_LISTED_CHARS).toWellFormed()
}
