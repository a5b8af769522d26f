// Who may import whom. Folders and file endings carry the meaning, so these few rules are the architecture.
// tools/boundaries.test.ts plants a violation of each and sees it refused.
const forbid = (name, from, to) => ({ name, severity: 'error', from, to })
const ourOwn = '^(contract|dicom|server|web|viewer|e2e|bench|tools)/'
const tests = '\\.test\\.tsx?$|^[a-z]+/test/'

module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }),
    forbid('resolvable', {}, { couldNotResolve: true, pathNot: '^virtual:|\\?(worker|url|raw)' }),

    // workspaces
    forbid('contract-knows-nobody', { path: '^contract/src' }, { path: ourOwn, pathNot: '^contract/src/' }),
    forbid(
      'contract-imports-zod-mini-only',
      { path: '^contract/src', pathNot: tests },
      { path: 'node_modules/', pathNot: 'node_modules/zod/(v4/)?mini/' },
    ),
    forbid('contract-runs-in-browsers', { path: '^contract/src', pathNot: tests }, { dependencyTypes: ['core'] }),
    forbid('dicom-knows-nobody', { path: '^dicom/src' }, { path: ourOwn, pathNot: '^dicom/src/' }),
    forbid('web-never-server', { path: '^web/src' }, { path: '^(server|e2e|bench|tools)/|^dicom/src/dimse/' }),
    forbid('web-runs-in-browsers', { path: '^web/src', pathNot: tests }, { dependencyTypes: ['core'] }),
    forbid('viewer-never-server', { path: '^viewer/' }, { path: '^(server|web|e2e|bench|tools)/|^dicom/src/dimse/' }),
    forbid('server-never-screens', { path: '^server/src' }, { path: '^(web|e2e|bench|tools)/' }),

    // server: inbound → areas → outbound → db
    forbid('areas-do-not-know-who-knocks', { path: '^server/src/(areas|access)/' }, { path: '^server/src/(inbound/|main)' }),
    forbid('outbound-knows-no-product', { path: '^server/src/(outbound|db)/' }, { path: '^server/src/(areas|inbound)/|^server/src/main' }),
    forbid('db-knows-nobody', { path: '^server/src/db/' }, { path: '^server/src/(access|outbound)/' }),
    forbid(
      'only-sql-files-speak-sql',
      { path: '^server/src/(areas|inbound|access)/', pathNot: `\\.sql\\.ts$|${tests}` },
      { path: 'node_modules/pg/|^server/src/db/query' },
    ),
    forbid('sql-knows-no-rules', { path: '\\.sql\\.ts$' }, { path: '\\.(call|command|job|policy|presenter)\\.ts$' }),
    forbid(
      'only-the-list-imports-calls',
      { path: '^server/src', pathNot: `areas/handlers\\.ts$|${tests}` },
      { path: '\\.call\\.ts$' },
    ),

    // web: screens → features → shared parts
    forbid(
      'features-are-islands',
      { path: '^web/src/features/([^/]+)/' },
      { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    ),
    forbid(
      'shared-parts-know-no-feature',
      { path: '^web/src/(ui|api|labels|queries|state|session|format)/' },
      { path: '^web/src/(features|screens)/' },
    ),
    forbid('ui-knows-no-study', { path: '^web/src/ui/' }, { path: '^web/src/(queries|labels|state|session)/|^contract/' }),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.cache)/' },
    moduleSystems: ['es6'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.css'],
    },
  },
}
