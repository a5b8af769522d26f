import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** The fragments that every question about the sources of a record is built from. */
const readIn = 'server/src/access/source-rows.sql.ts'

/** Files that write the table, each with what it writes. */
const writtenIn = {
  'server/src/areas/ingest/arriving-record.sql.ts': 'images that arrive for a place of their own',
  'server/src/areas/retention/purge.sql.ts': 'purged records',
  'server/src/areas/study/carried-record.sql.ts': 'whom images were copied from, of a record that ended in another',
  'server/src/areas/study/ended-sources.sql.ts': 'shares that end',
  'server/src/areas/study/keep-copy.sql.ts': 'whom images were copied from',
  'server/src/areas/study/phantom.sql.ts': 'announced records that nothing came for',
  'server/src/areas/study/share.sql.ts': 'the end of a share, put off',
  'server/src/areas/study/shared-record.sql.ts': 'shares that are delivered',
  'server/src/areas/study/study-write.sql.ts': 'records made by a call',
}

const root = join(import.meta.dirname, '..')
const files = globSync('{contract,dicom,server,bench,tools}/**/*.{ts,mjs}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/*.test.ts', 'server/src/db/migrations/**', 'server/test/**'],
})
const naming = files
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  .filter(({ text }) => /\bstudy_source\b/.test(text))
const writes = /\b(?:insert\s+into|update|delete\s+from)\s+study_source\b/g

it('lets one file read the table of sources, so that one file says which sources a record has', () => {
  const reading = naming.filter(({ text }) => /\bstudy_source\b/.test(text.replaceAll(writes, '')))
  expect(reading.map(({ file }) => file)).toEqual([readIn])
})

it('knows every file that writes the table of sources', () => {
  const writing = naming.filter(({ text }) => text.search(writes) >= 0)
  expect(writing.map(({ file }) => file).toSorted()).toEqual(Object.keys(writtenIn))
})
