import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Tally } from './test-report.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'hilum-report-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function report(statuses: string[], fileStatus = 'passed', failureMessages: string[] = []): string {
  const file = path.join(folder, 'report.json')
  const assertionResults = statuses.map((status, index) => ({ status, fullName: `test ${index}`, failureMessages }))
  writeFileSync(file, JSON.stringify({ testResults: [{ name: 'a.test.ts', status: fileStatus, assertionResults }] }))
  return file
}

describe('the count at the end of npm test', () => {
  it('counts every test, and types, lint and arrows as one each', () => {
    const tally = new Tally()
    tally.addCheck('types', true)
    tally.addCheck('lint', false)
    tally.addRun('unit', report(['passed', 'passed', 'failed'], 'failed'), false)
    expect(tally).toMatchObject({ passed: 3, failed: 2 })
  })

  it('names each failed test, and each that passed at the second try only, with file and first line of the reason', () => {
    const tally = new Tally()
    const reasons = ['expected 1 to be 2\n    at a.test.ts:3']
    tally.addRun('unit', report(['failed'], 'failed', reasons), false)
    tally.addRun('db', report(['passed'], 'passed', reasons), true)
    expect(tally).toMatchObject({
      passed: 1,
      failed: 1,
      failedTests: ['unit: a.test.ts: test 0: expected 1 to be 2'],
      unsteadyTests: ['db: a.test.ts: test 0: expected 1 to be 2'],
    })
  })

  it('names skipped tests instead of counting them as passed', () => {
    const tally = new Tally()
    tally.addRun('unit', report(['passed', 'skipped', 'todo']), true)
    expect(tally).toMatchObject({ passed: 1, failed: 0, skipped: ['unit: test 1', 'unit: test 2'] })
  })

  it('fails a part that ran no test', () => {
    const tally = new Tally()
    tally.addRun('db', report([]), true)
    expect(tally).toMatchObject({ passed: 0, failed: 1, faults: ['db: no tests ran'] })
  })

  it('fails a file that could not be loaded, an error outside tests and a missing report', () => {
    const tally = new Tally()
    tally.addRun('unit', report([], 'failed'), false)
    tally.addRun('web', report(['passed']), false)
    tally.addRun('e2e', path.join(folder, 'none.json'), false)
    expect(tally).toMatchObject({ passed: 1, failed: 3 })
  })
})
