import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const areas = path.resolve(import.meta.dirname, '..')

/** Names of what follows from a ready study, or from one that changed. */
const followers =
  /\bimport \{[^}]*\b(insertReady|askMetadata|putReadyToRules|putSharedToRules|askToTellOfHarvest|askToTellOfApproval)\b[^}]*\}/g

/** The event of a ready study, which webhooks listen to. */
const event = /\btellEvent\(\s*[^,]+,\s*'STUDY_SYNC'/

it('what follows from ready studies is asked for by one command, whatever made them ready', () => {
  const asking = globSync('**/*.ts', { cwd: areas })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => {
      const text = readFileSync(path.join(areas, file), 'utf8')
      return text.search(followers) >= 0 || text.search(event) >= 0
    })
  expect(asking).toEqual(['ingest/say-ready.command.ts'])
})
