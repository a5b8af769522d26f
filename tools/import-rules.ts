/** An import that is forbidden. `$1` in `to` and `toNot` stands for what `from` caught in its brackets. */
export type ImportRule = { name: string; from: string; fromNot?: string; to: string; toNot?: string }

const ours = '^(contract|dicom|server|web|viewer|e2e|bench|tools)/'
const tests = String.raw`\.test\.tsx?$|^[a-z]+/test/`

/**
 * The area of the server that a file belongs to; areas must not import each other in circles. Calls are left out: an
 * address needs whatever it needs, and nothing but the list imports calls (docs/decisions/0144). The shape of all jobs
 * (`areas/job.ts`) belongs to the area `job`.
 */
export function areaOf(file: string): string | undefined {
  if (/\.call\.ts$|\.test\.ts$/.test(file)) return undefined
  return /^server\/src\/areas\/(job(?=\.ts$)|[^/]+(?=\/))/.exec(file)?.[1]
}

/**
 * Forbidden imports. Folders and file endings carry the meaning, so these few rules are the architecture.
 * Files are named from the repository's folder, packages `node_modules/<name>`, Node's own modules `node:<name>`.
 * tools/boundaries.test.ts plants a violation of each and sees it refused.
 */
export const importRules: ImportRule[] = [
  // workspaces
  { name: 'contract-knows-nobody', from: '^contract/src/', to: ours, toNot: '^contract/src/' },
  {
    name: 'contract-imports-zod-mini-only',
    from: '^contract/src/',
    fromNot: tests,
    to: '^node_modules/|^node:',
    toNot: '^node_modules/zod/(v4/)?mini$',
  },
  { name: 'dicom-knows-nobody', from: '^dicom/src/', to: ours, toNot: '^dicom/src/' },
  { name: 'web-never-server', from: '^web/src/', to: '^(server|e2e|bench|tools)/|^dicom/src/dimse/' },
  { name: 'web-runs-in-browsers', from: '^web/src/', fromNot: tests, to: '^node:' },
  { name: 'viewer-never-server', from: '^viewer/', to: '^(server|web|e2e|bench|tools)/|^dicom/src/dimse/' },
  { name: 'server-never-screens', from: '^server/src/', to: '^(web|e2e|bench|tools)/' },

  // server: inbound → areas → outbound → db
  { name: 'areas-do-not-know-who-knocks', from: '^server/src/(areas|access)/', to: '^server/src/(inbound/|main)' },
  {
    name: 'outbound-knows-no-product',
    from: '^server/src/(outbound|db)/',
    to: '^server/src/(areas|inbound)/|^server/src/main',
  },
  { name: 'db-knows-nobody', from: '^server/src/db/', to: '^server/src/(access|outbound)/' },
  {
    name: 'only-sql-files-speak-sql',
    from: '^server/src/(?!db/)',
    fromNot: String.raw`\.sql\.ts$|${tests}`,
    to: '^node_modules/(pg|kysely)(/|$)',
  },
  {
    // objects are read by position or by a file that the store lends: docs/decisions/0033
    name: 'only-the-store-knows-paths',
    from: '^server/src/(areas|inbound|access|outbound/pacs)/',
    fromNot: tests,
    to: String.raw`^dicom/src/render/file-source\.ts$|^server/src/outbound/storage/file-store\.ts$`,
  },
  {
    // what the product does is the same over another store and on another platform
    name: 'areas-open-no-files',
    from: '^server/src/(areas|access)/',
    fromNot: tests,
    to: '^node:fs(/|$)',
  },
  {
    name: 'sql-knows-no-rules',
    from: String.raw`\.sql\.ts$`,
    to: String.raw`\.(call|command|job|policy|presenter)\.ts$`,
  },
  {
    // what follows from a ready study is put on the queue in one place, for every way in
    name: 'only-say-ready-asks-rules',
    from: '^server/src/',
    fromNot: String.raw`^server/src/areas/ingest/say-ready\.command\.ts$|${tests}`,
    to: String.raw`^server/src/areas/routing/put-to-rules\.command\.ts$`,
  },
  {
    // files beside the areas serve them all: an import from one would close circles that are not seen
    name: 'shared-by-areas-knows-no-area',
    from: String.raw`^server/src/areas/[^/]+\.ts$`,
    fromNot: String.raw`^server/src/areas/(handlers|job|jobs)\.ts$|${tests}`,
    to: '^server/src/areas/[^/]+/',
  },
  {
    name: 'only-the-list-imports-calls',
    from: '^server/src/',
    fromNot: String.raw`^server/src/areas/handlers\.ts$|${tests}`,
    to: String.raw`\.call\.ts$`,
  },

  // web: screens → features → shared parts
  {
    name: 'features-are-islands',
    from: '^web/src/features/([^/]+)/',
    to: '^web/src/features/',
    toNot: '^web/src/features/$1/',
  },
  {
    name: 'shared-parts-know-no-feature',
    from: '^web/src/(ui|api|labels|queries|state|session|format|fields)/',
    to: '^web/src/(features|screens|routes)/',
  },
  { name: 'features-know-no-screen', from: '^web/src/features/', to: '^web/src/(screens|routes)/' },
  { name: 'ui-knows-no-study', from: '^web/src/ui/', to: '^web/src/(queries|labels|state|session)/|^contract/' },
]
