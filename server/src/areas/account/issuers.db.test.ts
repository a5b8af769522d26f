import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const app = await startTestApp()
const { services, call, query } = app

it('tells which authorities the newest exams name, whose they are said to be, and whether such exams are held back', async () => {
  const organisation = await makeOrganisation(services.db)
  const { accountUuid: uuid } = organisation
  const group = await organisation.addGroup()
  const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const other = await makeOrganisation(services.db)
  const found = async () => (await call('account/issuers', { sid, account_id: uuid })).body
  const set = (sent: object) => call('account/set', { sid, uuid, ...sent })
  const made = async (issuer: string, more = '', patientid = 'M1') => {
    const study = await makeStudy(services.db, { namespaceUuid: group.namespaceUuid, accountUuid: uuid })
    await query(`update study set patientid = '${patientid}', issuer = '${issuer}'${more} where uuid = '${study.uuid}'`)
  }
  await set({ issuer: 'OWN', setting_other_issuers: 'KIS' })
  for (const issuer of ['HIS', 'HIS', ' his ', 'SOUTH', 'own', 'Kis', ''])
    await made(issuer, `, source_ae_title = 'MR1'`)
  await made('GONE', ', deleted_at = now()')
  await made('NUMBERLESS', '', '')
  // a list of names would have it as two, one of them the own name of somebody else
  await made('Clinic, SOUTH')
  const elsewhere = await other.addGroup()
  const strange = await makeStudy(services.db, {
    namespaceUuid: elsewhere.namespaceUuid,
    accountUuid: other.accountUuid,
  })
  await query(`update study set patientid = 'M1', issuer = 'STRANGE' where uuid = '${strange.uuid}'`)
  const line = { ae_titles: ['MR1'], newest: expect.stringMatching(/^20/), is_outside: 0 }
  expect(await found()).toMatchObject({
    issuers: [
      { issuer: 'HIS', study_count: 3, ...line },
      { issuer: 'SOUTH', study_count: 1, ...line },
    ],
    holds_back: 0,
  })
  const { uuid: destination } = await makeDestination(app, uuid)
  await set({ setting_other_issuers: 'KIS, HIS', setting_outside_issuers: 'south' })
  expect(await found()).toMatchObject({ issuers: [{ issuer: 'SOUTH', is_outside: 1 }], holds_back: 1 })
  await query(`update destination set push_foreign = true where uuid = '${destination}'`)
  expect(await found()).toMatchObject({ holds_back: 0 })
})
