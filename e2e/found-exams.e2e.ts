import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, openSession } from './support/call.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

/* The answers to a search at a destination, as they are drawn; the destination itself is asked in gate.e2e.ts. */

const { newPerson, server } = useSystem()

const reason =
  'Demo PACS answered A702 (refused, out of resources: unable to perform sub-operations): no association was made with HILUM at 127.0.0.1:11112 within 30 seconds, and 40 of 40 images did not come.'
const running = (completed: number, total: number | null) => ({ state: 'running', message: '', completed, total })
const ended = (state: string, message = '') => ({ state, message, completed: 0, total: null })
const retrievals = [
  running(7, 40),
  running(1234, 5678),
  ended('done'),
  ended('waiting'),
  null,
  running(7, null),
  ended('failed', reason),
  ended('partial', reason),
]
const exams = (patientid: string, states: readonly object[] | readonly null[]) =>
  states.map((retrieval, index) => ({
    study_uid: `1.2.${patientid}.${index}`,
    patient_name: 'SOLBERG^NINA',
    name_unread: 0,
    patient_birth_date: '19790418',
    patient_sex: 'F',
    patientid,
    issuer: '',
    accession_number: `NS26-01${index}0`,
    study_date: '20260102',
    study_time: '',
    modality: 'CT',
    study_description: `Knee number ${index} with contrast, and a long description`,
    referring_physician: '',
    source_ae: 'DEMO_PACS',
    image_count: 5678,
    here_id: '',
    here_image_count: 0,
    retrieval,
  }))

it('[RETRIEVE-02][RETRIEVE-03] exams of a patient open and close, show five rows before they scroll, and tell whole how far each is and why it failed', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  const sid = await openSession(server().address, 'administrator')
  const { accounts } = (await callWell(server().address, 'account/list', { sid })) as { accounts: { uuid: string }[] }
  const { groups } = (await callWell(server().address, 'group/list', { sid, account_id: accounts[0]?.uuid })) as {
    groups: { uuid: string; name: string }[]
  }
  await page.route('**/api/v3/destination/search/get', (route) =>
    route.fulfill({
      json: {
        status: 'OK',
        uuid: 'q',
        destination_id: 'd',
        state: 'done',
        message: '',
        more: 0,
        orders: [],
        results: [
          ...exams('NS-1', retrievals as object[]),
          ...exams(
            'NS-2',
            Array.from({ length: 6 }, () => null),
          ),
        ],
      },
    }),
  )
  await page.goto(`/study/retrieve/${groups.find(({ name }) => name === 'Outpatient Imaging')?.uuid}`)
  await page.getByRole('textbox', { name: 'Accession number' }).fill('NS26')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const results = page.getByRole('region', { name: 'Found exams' })
  const [told, plain] = [results.getByRole('group').nth(0), results.getByRole('group').nth(1)]
  await plain.waitFor()

  // six rows of 42 px in a list of five
  const list = plain.getByRole('list')
  expect(
    await plain.getByRole('listitem').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height)),
  ).toEqual(Array.from({ length: 6 }, () => 42))
  const sizes = await list.evaluate((one) => [one.clientHeight, one.scrollHeight])
  expect(sizes).toEqual([210, 252])
  await plain.locator('summary').click()
  expect(await list.isVisible()).toBe(false)
  expect(await told.getByRole('list').isVisible()).toBe(true)
  await plain.locator('summary').click()
  expect(await list.isVisible()).toBe(true)

  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 })
    const whole = await told
      .getByRole('status')
      .evaluateAll((all) =>
        all.flatMap((status) =>
          [...status.children].map((part) => [part.textContent, part.scrollWidth <= part.clientWidth]),
        ),
      )
    const texts = [
      'Being retrieved: 7 of 40 images',
      'Being retrieved: 1,234 of 5,678 images',
      'Retrieved',
      'Waits for its turn',
      '',
      'Being retrieved: 7 images',
      'Not retrieved',
      reason,
      'Partly retrieved',
      reason,
    ]
    expect(whole).toEqual(texts.map((text) => [text, true]))
    // no row is wider than its list, and one without a reason is 42 px high
    const rows = await told.getByRole('list').evaluate((one) => ({
      isWhole: one.scrollWidth <= one.clientWidth,
      cut: [...one.children].flatMap((row) =>
        // date, modality and number of images
        [1, 2, 5].filter((at) => (row.children[at]?.scrollWidth ?? 1) > (row.children[at]?.clientWidth ?? 0)),
      ),
      heights: [...one.children].slice(0, 6).map((row) => row.getBoundingClientRect().height),
    }))
    expect(rows).toEqual({ isWhole: true, cut: [], heights: Array.from({ length: 6 }, () => 42) })
  }
  await told.getByText('Partly retrieved').scrollIntoViewIfNeeded()
  await takeShots(page, 'retrieve-states')
  expect(await findBarriers(page)).toEqual([])
})
