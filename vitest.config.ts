import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A condition that is waited for may take its time: a slow machine is no fault. */
const patient = { poll: { timeout: 20_000 } }

/** Vitest itself would leave one of two cores idle. */
const maxWorkers = Math.max(2, availableParallelism() - 1)

/** Test files of minutes. Such files begin first, so that none of them runs alone at the end. */
const longest =
  /\/(accessible|dashboard-search|every-dialog|full-viewer|grey-drawing|kill-run|malformed-files|send|upload-trouble|viewer|wizard)\.e2e\.ts$|\/(used-parameters|odd-requests|foreign-lists|foreign-rows|retrieve|equal-work|permission-walk|offered-acts|every-correction|patients-of-destinations|record-images|concurrent-(acts|confirms|ends|pushes))\.db\.test\.ts$|\/(embedded-postgres|(metadata|pixels)\.corpus)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => Number(longest.test(other.moduleId)) - Number(longest.test(one.moduleId)))
  }
}

const unit = { environment: 'node' as const, testTimeout: 60_000, maxWorkers, expect: patient }

const web = {
  root: './web',
  include: ['src/**/*.test.{ts,tsx}'],
  environment: 'happy-dom' as const,
  // A download that is pressed would take the window away from the tests that come after.
  environmentOptions: { happyDOM: { settings: { navigation: { disableMainFrameNavigation: true } } } },
  testTimeout: 60_000,
  maxWorkers,
  expect: patient,
}

const database = {
  environment: 'node' as const,
  globalSetup: ['server/test/start-database.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: patient,
}

/** Three parts, by what a test needs: nothing (unit), PostgreSQL (db), the whole system with a browser and peers (e2e). */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...unit,
          name: 'unit',
          include: ['{contract,dicom,server,viewer,tools}/**/*.test.ts'],
          exclude: ['**/*.db{,-mocks}.test.ts', '**/*.mocks.test.ts', '**/node_modules/**'],
          // A process for each of 250 files began anew for each what they share.
          isolate: false,
        },
      },
      { test: { ...unit, name: 'unit-mocks', include: ['{contract,dicom,server,viewer,tools}/**/*.mocks.test.ts'] } },
      {
        extends: './web/vite.config.ts',
        test: { ...web, name: 'web', exclude: ['**/*.mocks.test.{ts,tsx}', '**/node_modules/**'], isolate: false },
      },
      {
        extends: './web/vite.config.ts',
        test: { ...web, name: 'web-mocks', include: ['src/**/*.mocks.test.{ts,tsx}'] },
      },
      {
        test: {
          ...database,
          name: 'db',
          include: ['server/**/*.db.test.ts'],
          // Loading the server anew for each of 200 files took as long as their tests.
          isolate: false,
          maxWorkers: 2,
        },
      },
      // Files that put another module in the place of a real one have a process of their own.
      { test: { ...database, name: 'db-mocks', include: ['server/**/*.db-mocks.test.ts'] } },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          environment: 'node',
          globalSetup: ['e2e/support/make-demo.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Much of a file is waiting for a page to come to rest: two at a time leave half of two cores idle.
          maxWorkers: Math.max(3, availableParallelism()),
          expect: patient,
        },
      },
    ],
  },
})
