import { defineConfig } from 'vitest/config'

/** A condition that is waited for may take its time: a slow machine is no fault. */
const patient = { poll: { timeout: 20_000 } }

/** Three parts, by what a test needs: nothing (unit), PostgreSQL (db), the whole system with a browser and peers (e2e). */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,dicom,server,viewer,tools}/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
          environment: 'node',
          testTimeout: 60_000,
          expect: patient,
        },
      },
      {
        extends: './web/vite.config.ts',
        test: {
          name: 'web',
          root: './web',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          testTimeout: 60_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'db',
          include: ['server/**/*.db.test.ts'],
          environment: 'node',
          globalSetup: ['server/test/start-database.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          expect: patient,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          environment: 'node',
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Much of a file is waiting for a page to come to rest.
          maxWorkers: 2,
          expect: patient,
        },
      },
    ],
  },
})
