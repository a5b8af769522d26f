import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { callWell, listStudies, openSession } from './support/call.ts'
import { openTab } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

/* Sizes of the form that nominates and of the tables that process, as they are drawn in a wide window. */

const { newPerson, server } = useSystem()
const gateway = 'Hospital PACS Gateway'

/** Width and height of the box that a table or list stands in. */
const boxOf = (inner: Locator) =>
  inner.evaluate((one) => {
    const { width, height } = one.parentElement?.getBoundingClientRect() ?? { width: 0, height: 0 }
    return [Math.round(width), Math.round(height)]
  })

it('[CONST-06][CONST-07] the form and the tables of a nomination have their sizes where there is room', async () => {
  const { address } = server()
  const sid = await openSession(address, 'administrator')
  const ask = (path: string, input: object = {}) => callWell(address, path, { sid, ...input })
  const { accounts } = (await ask('account/list')) as { accounts: { uuid: string }[] }
  const { groups } = (await ask('group/list', { account_id: accounts[0]?.uuid })) as {
    groups: { uuid: string; name: string; namespace_id: string }[]
  }
  const gate = groups.find(({ name }) => name === gateway)
  const compareBy = (pacs_promote_preference: string) =>
    ask('group/set', { uuid: gate?.uuid, inbox_config: { pacs_promote_preference } })
  await compareBy('MWL')
  const echo = (await listStudies(address, sid)).find(({ patient_name: name }) => name.startsWith("O'Connor"))
  if (!echo) throw new Error('The demo lacks a study')
  const patient = { patient_name: echo.patient_name, patientid: echo.patientid }
  await ask('order/add', {
    account_id: accounts[0]?.uuid,
    namespace_id: gate?.namespace_id,
    accession_number: 'ACC-1',
    ...patient,
  })
  const viewport = { width: 2560, height: 1440 }
  const { page: clinician } = await newPerson({ viewport })
  const { page: reviewer } = await newPerson({ viewport })
  await Promise.all([signIn(clinician, 'clinician'), signIn(reviewer, 'reviewer')])

  // the question of the demo's form takes 6 of the 12 columns: half of what two gaps of 12 px leave
  await openTab(clinician, echo.uuid, 'pacs')
  const form = clinician.getByRole('form', { name: 'Nominate to PACS' })
  const question = form.getByRole('combobox', { name: /Reason/ })
  expect((await form.boundingBox())?.width).toBe(597)
  expect((await question.boundingBox())?.width).toBe((597 - 12) / 2)
  await question.selectOption('Second opinion')
  await form.getByRole('button', { name: 'Nominate' }).click()
  await clinician.getByText('The group has not decided yet.').waitFor()

  const record = (await listStudies(address, sid)).find(
    (one) => one.study_uid === echo.study_uid && one.phi_namespace_name === gateway,
  )
  await openTab(reviewer, record?.uuid ?? '', 'process')
  const main = reviewer.locator('main')
  const press = (name: string) => main.getByRole('button', { name, exact: true }).click()
  const step = main.getByRole('region', { name: 'Nomination', exact: true })
  await step.waitFor()
  const demographics = main.getByRole('table', { name: 'Demographics and the last correction' })
  expect(await boxOf(demographics)).toEqual([583, 284])
  // with its heading the table is that of the first step
  expect(await boxOf(demographics.locator('..'))).toEqual([597, 310])
  await takeShots(reviewer, 'gate-nomination')

  await press('Process')
  const search = main.getByRole('form', { name: 'Search Order' })
  await search.getByRole('textbox', { name: 'Value' }).fill('ACC-1')
  await search.getByRole('button', { name: 'Search' }).click()
  const result = main.getByRole('button', { name: /^Select .*ACC-1$/ })
  await result.waitFor()
  await takeShots(reviewer, 'gate-search')
  await result.click()
  const comparison = main.getByRole('table', { name: 'Comparison of the patient' })
  await comparison.waitFor()
  expect(await boxOf(comparison)).toEqual([582, 284])

  await compareBy('CFIND')
  await reviewer.route('**/api/v3/destination/search/get', (route) =>
    route.fulfill({
      json: {
        status: 'OK',
        uuid: 'q',
        destination_id: 'd',
        state: 'done',
        message: '',
        more: 0,
        orders: [],
        results: [{ ...found, ...patient }],
      },
    }),
  )
  await press('Start over')
  await reviewer.reload()
  await press('Process')
  const query = main.getByRole('form', { name: 'Search Patient' })
  await query.getByRole('textbox', { name: 'Patient ID' }).fill('H-1')
  await query.getByRole('button', { name: 'Search' }).click()
  await main.getByRole('button', { name: /^Select / }).click()
  await comparison.waitFor()
  expect(await boxOf(comparison)).toEqual([582, 284])

  await compareBy('NONE')
  await press('Start over')
  await reviewer.reload()
  await step.waitFor()
  expect(await boxOf(demographics)).toEqual([583, 284])
  await press('Process')
  await comparison.waitFor()
  expect(await boxOf(comparison)).toEqual([582, 158])
  // each of its rows is seen
  expect(await comparison.evaluate((one) => Math.ceil(one.getBoundingClientRect().height))).toBe(158)
  await takeShots(reviewer, 'gate-comparison-alone')
})

/** A patient of an archive. */
const found = {
  study_uid: '1.2.3',
  name_unread: 0,
  patient_birth_date: '',
  patient_sex: '',
  issuer: '',
  accession_number: '',
  study_date: '',
  study_time: '',
  modality: 'CT',
  study_description: '',
  referring_physician: '',
  source_ae: '',
  image_count: 1,
  here_id: '',
  here_image_count: 0,
  retrieval: null,
}
