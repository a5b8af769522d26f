/**
 * The form in which a typed name or e-mail address is looked up, counted and kept unique: one spelling for all that
 * read alike (NFKC, upper and lower case, signs that do not show). The database compares these texts as they are,
 * because its own `lower()` depends on its locale.
 */
export function foldLogin(typed: string): string {
  return fold(fold(typed))
}

/** Twice, because a fold may make room for another: a letter made lower-case composes with the accent behind it. */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC')
    .trim()
}
