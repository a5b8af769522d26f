/**
 * Text as the study search compares it: marks stripped, lower case. `^` and `=` of person names stay as they are,
 * so that "muller^anna" finds "MÜLLER^ANNA".
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}
