import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../test/make-organisation.ts'
import { makeStudies } from '../../test/make-studies.ts'
import { startTestApp } from '../../test/test-app.ts'
import { up } from './migrations/0012-folded-names.ts'

it('folds the names of studies that are there already, and leaves the others alone', async () => {
  const { services } = await startTestApp()
  const organisation = await makeOrganisation(services.db)
  const { namespaceUuid: phi_namespace } = await organisation.addGroup()
  const names = ['ŁUKASIEWICZ^ANNA', 'ﾀﾅｶ^ｼﾞﾛｳ', 'MÜLLER^ANNA', 'DOE^JANE', 'VAN  DER BERG^JAN']
  await makeStudies(
    services.db,
    organisation.accountUuid,
    names.map((patient_name) => ({ phi_namespace, patient_name })),
  )
  // As an earlier version left it.
  await sql`update study set search = lower(patient_name)`.execute(services.db)
  await up(services.db)
  const { rows } = await sql<{ search: string }>`select search from study order by search`.execute(services.db)
  expect(rows.map(({ search }) => search)).toEqual([
    'doe^jane',
    'lukasiewicz^anna',
    'muller^anna',
    'van der berg^jan',
    'たなか^じろう',
  ])
})
