/** `npm run requirements`: which numbered lines of the specification no test names in a title and no page decides, and which are put off. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const numberPattern = /\b[A-Z]+(?:-[A-Z]+)?-\d{2}\b/g

export type Coverage = {
  /** Named by no test and not put off. */
  open: string[]
  /** Put off, with the reason, in docs/later.md. */
  later: string[]
  /** Tested in part; docs/later.md says what lacks. */
  halfMet: string[]
  /** Put off as a whole, though a test names them. */
  notLaterAnyMore: string[]
  /** Called half met, though no test names them. */
  halfWithoutTest: string[]
  /** Named by a test or put off, but not in the specification. */
  unknown: string[]
}

/**
 * Compares the list of numbers with the titles of tests and with the page of what is put off.
 * @param titles text of all test titles
 * @param laterPage text of docs/later.md; a range reads "TAG-02 to TAG-04". Under its heading "Half met" stand the
 *   numbers of which a part is there and tested
 * @param openPoints text of docs/open-points.md: points that the specification leaves open and that are decided there
 */
export function compareRequirements(ids: string[], titles: string, laterPage: string, openPoints = ''): Coverage {
  const named = new Set([...(titles.match(numberPattern) ?? []), ...readNumbers(openPoints)])
  const half = readNumbers(sectionOf(laterPage, 'Half met'))
  const later = readNumbers(laterPage.replace(sectionOf(laterPage, 'Half met'), ''))
  const groups = new Set(ids.map((id) => id.replace(/-\d+$/, '')))
  const isOfSpecification = (id: string) => groups.has(id.replace(/-\d+$/, ''))
  return {
    open: ids.filter((id) => !named.has(id) && !later.has(id) && !half.has(id)),
    later: ids.filter((id) => later.has(id)),
    halfMet: ids.filter((id) => half.has(id) && named.has(id)),
    notLaterAnyMore: ids.filter((id) => later.has(id) && (named.has(id) || half.has(id))),
    halfWithoutTest: ids.filter((id) => half.has(id) && !named.has(id)),
    unknown: [...named, ...later, ...half].filter((id) => isOfSpecification(id) && !ids.includes(id)),
  }
}

/** Titles of tests and of their groups, as they are written in the code. */
export function readTitles(code: string): string {
  const call = /\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g
  // the table of each() may hold anything: what follows its end is the title
  const afterTable = /\](?: as const)?,?\s*\)\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g
  return [...code.matchAll(call), ...code.matchAll(afterTable)].map((match) => match[2]).join('\n')
}

/** A section of the page, from its heading to the next; empty without one. */
function sectionOf(page: string, heading: string): string {
  const start = page.indexOf(`\n## ${heading}\n`)
  if (start < 0) return ''
  const end = page.indexOf('\n## ', start + 1)
  return page.slice(start, end < 0 ? undefined : end)
}

function readNumbers(page: string): Set<string> {
  const numbers = new Set<string>(page.match(numberPattern))
  for (const [, group, first, last] of page.matchAll(/([A-Z]+(?:-[A-Z]+)?)-(\d{2}) to \1-(\d{2})/g)) {
    for (let number = Number(first); number <= Number(last); number++)
      numbers.add(`${group}-${String(number).padStart(2, '0')}`)
  }
  return numbers
}

/** Reads the numbers, the titles of tests and both pages of this repository. */
export function readRepository() {
  const root = path.resolve(import.meta.dirname, '..')
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const ids = read('docs/requirements-ids.txt')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const pattern = '{contract,dicom,server,web,viewer,e2e,tools}/**/*.{test.ts,test.tsx,e2e.ts}'
  const files = globSync(pattern, { cwd: root, exclude: (name) => name.includes('node_modules') })
  const titles = files.map((file) => readTitles(read(file))).join('\n')
  return { ids, titles, laterPage: read('docs/later.md'), openPoints: read('docs/open-points.md') }
}

/** One line for each number that is neither tested nor put off with a reason, or of which two places say different things. */
export function listFaults({ open, notLaterAnyMore, halfWithoutTest, unknown }: Coverage): string[] {
  return [
    ...open.map((id) => `${id}  no test names it`),
    ...notLaterAnyMore.map((id) => `${id}  a test names it, yet docs/later.md puts it off`),
    ...halfWithoutTest.map((id) => `${id}  no test names it, yet docs/later.md calls it half met`),
    ...unknown.map((id) => `${id}  is not in docs/requirements-ids.txt`),
  ]
}

if (import.meta.main) {
  const { ids, titles, laterPage, openPoints } = readRepository()
  const coverage = compareRequirements(ids, titles, laterPage, openPoints)
  const faults = listFaults(coverage)
  for (const fault of faults) console.log(fault)
  const tested = ids.length - coverage.open.length - coverage.later.length - coverage.halfWithoutTest.length
  console.log(
    `${ids.length} requirements: ${tested} named by tests or decided, ${coverage.halfMet.length} of them half met, ${coverage.later.length} put off, ${coverage.open.length} open`,
  )
  process.exitCode = faults.length > 0 ? 1 : 0
}
