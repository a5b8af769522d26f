/** Adds up what ran: single checks by their exit code, tests by the reports that vitest leaves. */
import { existsSync, readFileSync } from 'node:fs'

/** Counts the checks and tests of one run of `npm test`. */
export class Tally {
  passed = 0
  failed = 0
  /** Full names of the tests that did not run. */
  skipped = []
  /** Full names of the tests that failed, with the first line of the reason. */
  failedTests = []
  /** Full names of the tests that failed once and passed when tried again, with the reason: they depend on chance. */
  unsteadyTests = []
  /** Faults beside failed tests, in words. */
  faults = []

  /** A check that is one thing as a whole: types, lint, arrows. */
  addCheck(name, ok) {
    if (ok) this.passed++
    else this.addFault(`${name} failed`)
  }

  addFault(words) {
    this.failed++
    this.faults.push(words)
  }

  /**
   * A run of vitest.
   * @param reportFile its JSON report
   * @param ok whether it ended with exit code 0
   */
  addRun(name, reportFile, ok) {
    if (!existsSync(reportFile)) return this.addFault(`${name}: vitest left no report`)
    const before = { passed: this.passed, failed: this.failed }
    for (const file of JSON.parse(readFileSync(reportFile, 'utf8')).testResults) {
      for (const test of file.assertionResults) {
        const described = () => describeTest(name, file, test)
        if (test.status === 'failed') this.failedTests.push(described())
        if (test.status === 'passed' && test.failureMessages.length > 0) this.unsteadyTests.push(described())
        if (test.status === 'passed') this.passed++
        else if (test.status === 'failed') this.failed++
        else this.skipped.push(`${name}: ${test.fullName}`)
      }
      const failedTests = file.assertionResults.filter((test) => test.status === 'failed').length
      if (file.status === 'failed' && failedTests === 0) this.addFault(`${name}: ${file.name} could not be run`)
    }
    if (this.passed === before.passed && this.failed === before.failed) this.addFault(`${name}: no tests ran`)
    // Errors outside any test (an unhandled rejection, a failed set-up) show only in the exit code.
    else if (!ok && this.failed === before.failed) this.addFault(`${name}: vitest failed outside its tests`)
  }
}

/** Part, file, name and the first line of the first reason. */
function describeTest(part, file, { fullName, failureMessages: [reason = ''] }) {
  return `${part}: ${file.name}: ${fullName}: ${reason.split('\n')[0].slice(0, 300)}`
}
