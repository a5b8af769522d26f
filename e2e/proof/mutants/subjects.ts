/** One part of the code whose tests must notice small breaks. */
export interface Subject {
  name: string
  /** Project of the root test configuration that runs the tests. */
  needs: 'unit' | 'web' | 'db'
  /** Files in which breaks are made; globs from the root. */
  files: readonly string[]
  /** Tests that must notice the breaks; globs from the root. */
  tests: readonly string[]
}

/** Rules stand apart from questions to the database: their tests take milliseconds, so that every break can be tried. */
export const subjects: readonly Subject[] = [
  {
    name: 'identity',
    needs: 'unit',
    files: ['dicom/src/identity.ts', 'dicom/src/identity-name.ts', 'dicom/src/identity-mrn.ts'],
    tests: ['dicom/src/identity*.test.ts'],
  },
  {
    name: 'acts',
    needs: 'unit',
    files: [
      'contract/src/acts.ts',
      'contract/src/password-rule.ts',
      'contract/src/custom-field-rules.ts',
      'contract/src/study-field-access.ts',
      'server/src/areas/study/field-access.policy.ts',
    ],
    tests: [
      'contract/src/acts.test.ts',
      'contract/src/password-rule.test.ts',
      'contract/src/custom-field-rules.test.ts',
      'contract/src/study-field-access.test.ts',
      'server/src/areas/study/field-access.policy.test.ts',
    ],
  },
  {
    name: 'access',
    needs: 'db',
    files: [
      'server/src/access/{find-caller,study-access,study-scope,storage-access,dicomweb-access,resolve-subject}.ts',
      'server/src/access/{kept-field-flags,sid,sid-of-request,address-key}.ts',
      'server/src/access/*.sql.ts',
    ],
    tests: [
      'server/src/access/{who-asks,who-is-meant,keys-and-links,what-is-opened,authorise}.db.test.ts',
      'server/src/areas/ingest/complete-study.db.test.ts',
      'server/src/access/{study-access,kept-field-flags,sid-of-request,address-key}.test.ts',
    ],
  },
  {
    name: 'upload check and completion',
    needs: 'db',
    files: [
      'server/src/areas/study/upload-check*.ts',
      'server/src/areas/study/sync*.ts',
      'server/src/areas/ingest/complete-study.command.ts',
      'server/src/areas/ingest/completion.sql.ts',
    ],
    tests: [
      'server/src/areas/ingest/complete-study.db.test.ts',
      'server/src/areas/study/sync.db.test.ts',
      'server/src/areas/study/upload-check.db.test.ts',
    ],
  },
  {
    name: 'edits',
    needs: 'unit',
    files: ['server/src/areas/altered/study-edit.ts'],
    tests: ['server/src/areas/altered/study-edit.test.ts'],
  },
  {
    name: 'edits: the command',
    needs: 'db',
    files: ['server/src/areas/study/edit-study.command.ts'],
    tests: [
      'server/src/areas/study/{edit-study,study-set,study-mrn}.db.test.ts',
      'server/src/areas/customfield/customfield.db.test.ts',
    ],
  },
  {
    name: 'splice',
    needs: 'unit',
    files: ['dicom/src/splice.ts', 'dicom/src/dates.ts', 'dicom/src/value-rules.ts'],
    tests: ['dicom/src/{splice,splice-bytes,dates,value-rules,value-forms}.test.ts'],
  },
  {
    name: 'filters',
    needs: 'db',
    files: [
      'server/src/db/filter-{sql,stamp,zone}.ts',
      'server/src/areas/{read-filter,list-page}.ts',
      'server/src/areas/filter/*.policy.ts',
      'server/src/areas/filter/{read-configuration,share-targets}.ts',
    ],
    tests: [
      'server/src/db/filter-sql.db.test.ts',
      'server/src/db/filter-stamp.test.ts',
      'server/src/areas/{read-filter,list-page}{,.db}.test.ts',
      'server/src/areas/filter/filter.policy.test.ts',
    ],
  },
  {
    name: 'presenters',
    needs: 'unit',
    files: ['server/src/areas/*/*.presenter.ts'],
    tests: ['server/src/areas/*/*.presenter.test.ts'],
  },
  {
    name: 'wizard',
    needs: 'unit',
    files: [
      'web/src/features/upload/wizard-rules.ts',
      'web/src/features/upload/upload-plan.ts',
      'web/src/features/upload/mrn-rules.ts',
    ],
    tests: [
      'web/src/features/upload/wizard-rules.test.ts',
      'web/src/features/upload/upload-plan.test.ts',
      'web/src/features/upload/mrn-rules.test.ts',
    ],
  },
  {
    name: 'audit',
    needs: 'db',
    files: ['server/src/areas/audit/*.ts'],
    tests: ['server/src/areas/audit/*.test.ts'],
  },
]
