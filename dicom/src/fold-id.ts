/** Characters that people type, and scanners read, for the hyphen of a number. NFKC makes one of wide and small ones. */
const hyphens =
  /[\u058a\u05be\u1400\u1806\u2010-\u2015\u2043\u2053\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u301c\u3030\u30a0\u30fc]/g
/** Characters without a picture: joiners, marks of direction, soft hyphens. `folded_id` names those of the first plane. */
const unseen = /[\p{Default_Ignorable_Code_Point}&&[\0-\uffff]]/gv

/**
 * An MRN or its issuer as it is compared: one form of case, width and hyphen, without blanks at its ends and without
 * invisible characters. `folded_id` in the database folds as far, so that it finds every number that is equal here.
 */
export function foldId(text: string): string {
  const plain = text.normalize('NFKC').replace(unseen, '').replace(hyphens, '-').trim()
  return [...plain].map(simpleCase).join('')
}

/** One case for a letter, as long as it stays one letter: ß is no SS, as for PostgreSQL. */
function simpleCase(letter: string): string {
  const upper = onlyLetter(letter.toUpperCase(), letter)
  return onlyLetter(upper.toLowerCase(), upper)
}

const onlyLetter = (text: string, otherwise: string) => ([...text].length === 1 ? text : otherwise)
