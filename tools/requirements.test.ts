import { expect, it } from 'vitest'
import { compareRequirements, listFaults, readRepository, readTitles } from './requirements.ts'

const ids = ['GAMMA-01', 'GAMMA-02', 'GAMMA-03', 'GAMMA-04', 'ALPHA-BETA-01']

it('says which requirements no test names and which are put off', () => {
  const code = `
    describe('tags', () => {
      it.each([
        ['(', value(1)],
      ] as const)('shows at most 3 [GAMMA-01]', () => {})
      it("adds one (ALPHA-BETA-01)", () => { expect('GAMMA-02').toBe('GAMMA-02') })
    })`
  const coverage = compareRequirements(ids, readTitles(code), '- GAMMA-03 to GAMMA-04: later')
  expect(coverage).toEqual({
    open: ['GAMMA-02'],
    later: ['GAMMA-03', 'GAMMA-04'],
    notLaterAnyMore: [],
    halfMet: [],
    halfWithoutTest: [],
    unknown: [],
  })
})

it('counts as a fault what no test names, and what two places tell otherwise', () => {
  const coverage = compareRequirements(
    ids,
    'GAMMA-01 GAMMA-03 GAMMA-09',
    'GAMMA-03, GAMMA-04\n\n## Half met\n- ALPHA-BETA-01: a part.\n',
  )
  expect(listFaults(coverage).map((line) => line.split(' ')[0])).toEqual([
    'GAMMA-02',
    'GAMMA-03',
    'ALPHA-BETA-01',
    'GAMMA-09',
  ])
})

it('finds nothing open in the repository itself, and a reason beside each number that is half met or put off', () => {
  const { ids: real, titles, laterPage, openPoints } = readRepository()
  expect(real.length).toBeGreaterThan(300)
  const coverage = compareRequirements(real, titles, laterPage, openPoints)
  expect(listFaults(coverage)).toEqual([])
  const reasons = new Map([...laterPage.matchAll(/^- ([A-Z-]+-\d{2}): (.+)$/gm)].map(([, id, reason]) => [id, reason]))
  const named = [...coverage.halfMet, ...coverage.later]
  expect(named.filter((id) => (reasons.get(id) ?? '').length < 40)).toEqual([])
})

it('counts points that the page of open points decides', () => {
  const page = '| GAMMA-02 | Twenty-five | here |\n| ALPHA-BETA-09 | none | nowhere |'
  const coverage = compareRequirements(ids, 'GAMMA-01 GAMMA-03 GAMMA-04', '', page)
  expect(coverage).toMatchObject({ open: ['ALPHA-BETA-01'], unknown: ['ALPHA-BETA-09'] })
})

it('finds numbers that are put off though tested, and numbers that do not exist', () => {
  const coverage = compareRequirements(
    ids,
    'GAMMA-03 GAMMA-09 SHA-256 GAMMA-01',
    'GAMMA-03, GAMMA-02, GAMMA-04, ALPHA-BETA-01',
  )
  expect(coverage).toMatchObject({ open: [], notLaterAnyMore: ['GAMMA-03'], unknown: ['GAMMA-09'] })
})

it('tells what is half met from what is put off, and asks for a test of the half that is there', () => {
  const page = `
# Put off
- GAMMA-01

## Half met
- GAMMA-02: the other half lacks
- GAMMA-03: the other half lacks
- GAMMA-01: stands twice

## More
- GAMMA-04`
  expect(compareRequirements(ids, 'GAMMA-02 ALPHA-BETA-01', page)).toEqual({
    open: [],
    later: ['GAMMA-01', 'GAMMA-04'],
    halfMet: ['GAMMA-02'],
    notLaterAnyMore: ['GAMMA-01'],
    halfWithoutTest: ['GAMMA-01', 'GAMMA-03'],
    unknown: [],
  })
})
