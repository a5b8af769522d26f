import type { Study } from '@hilum/contract/entities/study'
import { ownNamesOf } from '@hilum/dicom/authority'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeNomination } from '../../../test/make-nomination.ts'
import { makeStudy } from '../../../test/make-study.ts'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { putSession, useSession } from '../../session/session-store.ts'
import { clearDrafts } from '../../state/drafts.ts'
import { setSearchFilters, noFilters, useSearchFilters } from '../../state/search-filters.ts'
import { comparePatient, foreignIssuer, issuerSaid, payloadOf } from './compare-patient.ts'
import { ExamPanel } from './exam-panel.tsx'
import { DemographicTable } from './demographic-table.tsx'
import { moveStep, queueStatus, stepsOf } from './process-steps.ts'
import { ProcessTab } from './process-tab.tsx'

const meta = {
  push_destination: 'f-dest',
  priority: 'f-prio',
  is_process_form_rejected: 'f-rej',
  process_rejection_reason: 'f-reason',
  process_rejection_message: 'f-message',
}
const destinations = [
  { uuid: 'd1', name: 'MAIN_PACS', can_push: 1, can_search: 1, group_ids: null },
  { uuid: 'd2', name: 'Other', can_push: 1, can_search: 1, group_ids: ['elsewhere'] },
  { uuid: 'd3', name: 'Not listed', can_push: 1, can_search: 1, group_ids: null },
]
const order = {
  uuid: 'o1',
  patient_name: 'DOE^JANE ANN',
  patient_birth_date: '19800101',
  patient_sex: 'F',
  patientid: 'H-7',
  issuer: '',
  accession_number: 'ACC-1',
  created: '2026-03-01 10:00:00.000000+00',
  sps: [{ uuid: 'p1', scheduled_procedure_step_description: 'CT HEAD' }],
}
const held = { study_view: 1, study_edit: 1, study_approve: 1, study_push: 1, destination_search: 1, order_view: 1 }
const replies = (mode: string, more: Replies = {}): Replies => ({
  'user/namespace/list': {
    namespaces: [
      {
        uuid: 'ns',
        name: 'Gateway',
        type: 'group_id',
        type_uuid: 'g1',
        permissions: { ...held, audit_view: 1 },
        settings: {
          inbox_config: {
            group_designation: 'GATEKEEPER',
            active_study_filters: [],
            pacs_promote_groups: [],
            pacs_form_customfields: [],
            pacs_promote_preference: mode,
            pushable_destinations: ['d1', 'd2'],
            meta_info_customfields: meta,
          },
        },
      },
    ],
  },
  'destination/list': { destinations, page: { more: 0 } },
  'order/list': { orders: [order], page: { more: 0 } },
  'order/get': ({ uuid }: { uuid: string }) => ({ ...order, uuid, cancelled_at: null, studies: [] }),
  'audit/object': { events: [], page: { more: 0 } },
  'study/lock': { until: '' },
  'study/unlock': {},
  'study/set': { uuid: 's1', row_version: 6 },
  'study/push/confirm': { uuid: 'p' },
  'study/get': {},
  ...more,
})
const nominated = makeNomination({ side: 'gate' })
const show = (mode = 'NONE', more: Replies = {}, given: Partial<Study> = {}) =>
  showSignedIn(
    <ProcessTab
      study={makeStudy({
        uuid: 's1',
        phi_namespace: 'ns',
        patient_name: 'DOE^JANE',
        patientid: 'X-1',
        // of another organisation, where an order or a patient says which MRN it gets
        mrn_outside: mode === 'NONE' ? 0 : 1,
        issuer: 'ELSEWHERE',
        row_version: 5,
        permissions: held,
        nomination: nominated,
        ...given,
      })}
    />,
    replies(mode, more),
    {},
    { order_view: 1 },
  )
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const chooseDestination = async () => {
  const field = await screen.findByRole('combobox', { name: /Destination system/ })
  fireEvent.change(field, { target: { value: 'd1' } })
  return field
}
/** Calls by which a study is changed, in their order. */
const changes = () => sentCalls.map(({ path }) => path).filter((path) => /^study\/(lock|set|unlock|push)/.test(path))
const refused = (code: string) => ({ status: 'ERROR', error_type: code })

afterEach(() => {
  clearDrafts()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('[PROCESS-02][PROCESS-03][PROCESS-04][PROCESS-18] steps by mode, clamped at their ends', () => {
  expect(stepsOf('MWL')).toEqual(['nomination', 'searchOrder', 'comparison'])
  expect(stepsOf('CFIND')).toEqual(['nomination', 'searchPatient', 'comparison'])
  expect(stepsOf('NONE')).toEqual(['nomination', 'comparison'])
  expect([moveStep('NONE', 0, -1), moveStep('NONE', 1, 1), moveStep('MWL', 1, 1)]).toEqual([0, 1, 2])
  const of = (state: 'nominated' | 'queued' | 'completed' | 'rejected' | 'failed') =>
    queueStatus(makeNomination({ state }))
  expect([of('nominated'), of('queued'), of('completed'), of('rejected'), of('failed')]).toEqual([
    'none',
    'queued',
    'successful',
    'rejected',
    'failed',
  ])
})

test('[NOMINATE-04] tells whoever processes an exam that its sender corrected it since, at each step', async () => {
  const words = /Emergency corrected the exam after nominating it/
  const { unmount } = show()
  await screen.findByRole('button', { name: 'Process' })
  expect(screen.queryByText(words)).toBeNull()
  unmount()
  show('NONE', {}, { nomination: makeNomination({ side: 'gate', is_corrected: 1 }) })
  await screen.findByText(words)
  await press('Process')
  await screen.findByRole('combobox', { name: /Destination system/ })
  expect(screen.getByText(words)).toBeTruthy()
})

test.each([
  ['queued', 'Queued to be sent'],
  ['rejected', 'Rejected by Gateway'],
  ['completed', 'Sent to PACS'],
] as const)('[PROCESS-05] an exam that is %s shows its status and nothing to decide', async (state, words) => {
  show('MWL', {}, { nomination: makeNomination({ side: 'gate', state, destination_name: 'PACS' }) })
  expect(await screen.findByText(new RegExp(words))).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
})

test('[NOMINATE-10][PROCESS-05] a push that failed can be asked for again', async () => {
  const named = { destination_uuid: 'd1', destination_name: 'PACS', status_reason: 'The PACS refused it' }
  const failed = makeNomination({ side: 'gate', state: 'failed', ...named })
  show('NONE', { 'study/push': { uuid: 'p' } }, { nomination: failed })
  await press('Retry')
  expect(screen.getAllByText('The PACS refused it')).toHaveLength(1)
  expect(lastSent('study/push')).toEqual({ uuid: 's1', destination_id: 'd1' })
})

test('[PROCESS-05][PROCESS-14] a push that failed and was changed since says so, and leads to another match', async () => {
  const failed = makeNomination({ side: 'gate', state: 'failed', destination_uuid: 'd1', destination_name: 'PACS' })
  show('NONE', { 'study/push': refused('SECOND_PERSON') }, { nomination: failed })
  await press('Retry')
  expect(await screen.findByText(/wants two people to confirm the patient/)).toBeDefined()
  await press('Match again')
  expect(await screen.findByRole('button', { name: 'Process' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Reject' })).toBeNull()
})

test('[PROCESS-01][PROCESS-06] shows what was nominated, and offers to reject and to process to those who may', async () => {
  const first = show()
  expect(await screen.findByRole('button', { name: 'Reject' })).toBeDefined()
  expect(screen.getByText('Ada Clinician')).toBeDefined()
  expect(screen.getByRole('table', { name: 'Demographics and the last correction' })).toBeDefined()
  first.unmount()
  show('NONE', {}, { permissions: { study_view: 1 } })
  expect(await screen.findByText(/not decide it/)).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
})

test('[PROCESS-02][PROCESS-07][PROCESS-08][PROCESS-11][PROCESS-14][API-16][ENTITY-31] finds the order, compares, and sends as it says', async () => {
  show('MWL')
  await press('Process')
  await press('Search')
  expect(await screen.findByText('Please provide an accession number')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Value' }))
  fireEvent.change(screen.getByRole('combobox', { name: 'Search by' }), { target: { value: 'patientid' } })
  fireEvent.change(screen.getByRole('textbox', { name: 'Value' }), { target: { value: 'H-7' } })
  await press('Search')
  expect(await screen.findByRole('table', { name: 'DOE, JANE ANN' })).toBeDefined()
  expect(lastSent('order/list')).toMatchObject({ 'filter.patientid.like': 'H-7' })
  await press('Details')
  expect(await screen.findByRole('dialog', { name: 'DOE, JANE ANN', hidden: true })).toBeDefined()
  await press(/^Select DOE, JANE ANN/)
  const table = await screen.findByRole('table', { name: 'Comparison of the patient' })
  expect(within(table).getByText('Same date of birth')).toBeDefined()
  expect(screen.getByRole('textbox', { name: 'Accession number' })).toHaveProperty('value', 'ACC-1')
  await press('Send to PACS')
  expect(await screen.findByText('This field is required')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: /Destination system/ }))
  expect(changes()).toEqual([])
  // underscores are shown as spaces, and only what the group may push to
  const field = await chooseDestination()
  expect(
    within(field)
      .getAllByRole('option')
      .map((one) => one.textContent),
  ).toEqual(['Choose a destination', 'MAIN PACS'])
  await press('Send to PACS')
  expect(await screen.findByText('The exam is queued to be sent to PACS.')).toBeDefined()
  expect(changes()).toEqual(['study/lock', 'study/set', 'study/unlock', 'study/push/confirm'])
  expect(lastSent('study/set')).toEqual({
    study_id: 's1',
    patient_name: 'DOE^JANE ANN',
    patient_birth_date: '19800101',
    patient_sex: 'F',
    patientid: 'H-7',
    study_description: 'CT HEAD',
    accession_number: 'ACC-1',
    seen_mrns: ['X-1'],
    row_version: 5,
    'customfield-f-dest': 'd1',
    'customfield-f-prio': 'Routine',
  })
  // what was written, and nothing that another person wrote since
  const { uuid: _uuid, created: _created, sps: _sps, ...read } = order
  expect(lastSent('study/push/confirm')).toEqual({
    uuid: 's1',
    seen_mrns: ['X-1'],
    order_id: 'o1',
    order_seen: read,
    row_version: 6,
  })
})

test('[PROCESS-08] offers to send without an order, and starts over', async () => {
  show('MWL', { 'order/list': { orders: [], page: { more: 0 } } })
  await press('Process')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Value' }), { target: { value: 'A-0' } })
  await press('Search')
  expect(await screen.findByText('No order was found.')).toBeDefined()
  await press('Send without an order')
  await press('Start over')
  expect(await screen.findByRole('button', { name: 'Process' })).toBeDefined()
})

test('[PROCESS-08] says that there are more orders than are shown', async () => {
  show('MWL', { 'order/list': { orders: [order], page: { more: 1 } } })
  await press('Process')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Value' }), { target: { value: 'A-0' } })
  await press('Search')
  expect(await screen.findByText(/^The first 1 results/)).toBeDefined()
})

const worklistItem = {
  ...order,
  item: 3,
  accession_number: 'WL-7',
  requested_procedure_description: 'CT HEAD',
  scheduled_procedure_step_description: '',
}
const withWorklists = {
  'destination/list': {
    destinations: [{ ...destinations[0], can_search_mwl: 1, name: 'RIS' }],
    page: { more: 0 },
  },
  'destination/search': { uuid: 'q1' },
  'order/take': { uuid: 'o9' },
  'order/get': { ...order, uuid: 'o9', accession_number: 'WL-7', cancelled_at: null, studies: [] },
}

test('[PROCESS-08] asks the worklists of destinations beside the orders here, and sends under the order that is taken', async () => {
  show('MWL', {
    ...withWorklists,
    'destination/search/get': { state: 'done', message: '', more: 0, results: [], orders: [worklistItem] },
  })
  await press('Process')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Value' }), { target: { value: 'WL-7' } })
  await press('Search')
  const list = await screen.findByRole('region', { name: 'Worklist of RIS' })
  expect(within(list).getByText('Worklist of RIS: 1 order found')).toBeDefined()
  expect(lastSent('destination/search')).toEqual({ uuid: 'd1', copy_to: 'ns', accession_number: 'WL-7', worklist: 1 })
  await userEvent.click(within(list).getByRole('button', { name: /^Select/ }))
  expect(lastSent('order/take')).toEqual({ destination_search_id: 'q1', item: 3 })
  await chooseDestination()
  await press('Send to PACS')
  expect(await screen.findByText('The exam is queued to be sent to PACS.')).toBeDefined()
  expect(lastSent('study/push/confirm')).toMatchObject({ uuid: 's1', order_id: 'o9', row_version: 6 })
  expect(lastSent('study/set')).toMatchObject({ patientid: 'H-7', accession_number: 'WL-7' })
})

test('[PROCESS-08][PROCESS-11] takes the numbers of an order whose name could not be read, and leaves the exam its own', async () => {
  const unread = { ...worklistItem, patient_name: 'M\ufffdller^J\ufffdrg' }
  show('MWL', {
    ...withWorklists,
    'order/get': { ...withWorklists['order/get'], patient_name: '' },
    'destination/search/get': { state: 'done', message: '', more: 0, results: [], orders: [unread] },
  })
  await press('Process')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Value' }), { target: { value: 'WL-7' } })
  await press('Search')
  const list = await screen.findByRole('region', { name: 'Worklist of RIS' })
  expect(await within(list).findByText(/^The name could not be read/)).toBeDefined()
  await userEvent.click(within(list).getByRole('button', { name: /^Select/ }))
  expect(await screen.findByText(/^The name could not be read/)).toBeDefined()
  await waitFor(() => expect(screen.queryByText(/^Looking whether/)).toBeNull())
  expect(screen.queryByText(/was changed since you chose it/)).toBeNull()
  await chooseDestination()
  for (const box of screen.queryAllByRole('checkbox')) await userEvent.click(box)
  await press('Send to PACS')
  expect(await screen.findByText('The exam is queued to be sent to PACS.')).toBeDefined()
  expect(lastSent('study/set')).toMatchObject({ patientid: 'H-7', accession_number: 'WL-7' })
  expect(lastSent('study/set')).not.toHaveProperty('patient_name')
})

test('[PROCESS-10] takes the number of a patient of an archive whose name could not be read', async () => {
  const found = {
    ...order,
    patient_name: 'Müller^Jörg',
    name_unread: 1,
    study_uid: '1.2',
    study_date: '',
    modality: 'CT',
  }
  show('CFIND', {
    'destination/search': { uuid: 'q1' },
    'destination/search/get': { uuid: 'q1', state: 'done', message: '', results: [found] },
  })
  await press('Process')
  await chooseDestination()
  fireEvent.change(screen.getByRole('textbox', { name: 'Patient ID' }), { target: { value: 'H-7' } })
  await press('Search')
  await press(/^Select/)
  expect(await screen.findByText(/^The name could not be read/)).toBeDefined()
  await chooseDestination()
  for (const box of screen.queryAllByRole('checkbox')) await userEvent.click(box)
  await press('Send to PACS')
  expect(await screen.findByText('The exam is queued to be sent to PACS.')).toBeDefined()
  expect(lastSent('study/set')).not.toHaveProperty('patient_name')
})

test('[PROCESS-08] an order that stands here and says the same in a worklist is offered once', async () => {
  const alike = { ...worklistItem, accession_number: order.accession_number, issuer: 'OURS' }
  const corrected = { ...alike, item: 4, patient_birth_date: '19800102' }
  const orders = [alike, corrected]
  show('MWL', {
    ...withWorklists,
    'destination/search/get': { state: 'done', message: '', more: 0, results: [], orders },
  })
  await press('Process')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Value' }), { target: { value: 'ACC-1' } })
  await press('Search')
  const list = await screen.findByRole('region', { name: 'Worklist of RIS' })
  expect(await within(list).findByText(/as an order above does is not shown again/)).toBeDefined()
  await userEvent.click(within(list).getByRole('button', { name: /^Select/ }))
  expect(lastSent('order/take')).toEqual({ destination_search_id: 'q1', item: 4 })
})

/** Chooses the order, fills the form in and leaves the exam. */
async function chooseAndGoAway(): Promise<void> {
  show('MWL')
  await press('Process')
  fireEvent.change(await screen.findByRole('combobox', { name: 'Search by' }), { target: { value: 'patientid' } })
  fireEvent.change(screen.getByRole('textbox', { name: 'Value' }), { target: { value: 'H-7' } })
  await press('Search')
  await press(/^Select/)
  await chooseDestination()
  fireEvent.change(screen.getByRole('combobox', { name: 'Priority' }), { target: { value: 'Priority' } })
  cleanup()
}
const orderNow = (change: object) => ({ 'order/get': { ...order, cancelled_at: null, studies: [], ...change } })
const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send to PACS' })

test('goes on with the chosen order, the search and the form where the person left the exam and came back', async () => {
  await chooseAndGoAway()
  show('MWL')
  expect(await screen.findByRole('combobox', { name: /Destination system/ })).toHaveProperty('value', 'd1')
  await press('Back')
  expect(await screen.findByRole('combobox', { name: 'Search by' })).toHaveProperty('value', 'patientid')
  expect(screen.getByRole('textbox', { name: 'Value' })).toHaveProperty('value', 'H-7')
  await press(/^Select/)
  await screen.findByRole('combobox', { name: 'Priority' })
  await waitFor(() => expect(sendButton().disabled).toBe(false))
  expect(screen.queryByText(/was changed since/)).toBeNull()
  await press('Send to PACS')
  expect(await screen.findByText('The exam is queued to be sent to PACS.')).toBeDefined()
  expect(lastSent('study/set')).toMatchObject({ 'customfield-f-dest': 'd1', 'customfield-f-prio': 'Priority' })
  expect(await screen.findByText('The exam is queued to be sent to PACS.')).toBeDefined()
  expect(lastSent('study/push/confirm')).toMatchObject({ order_id: 'o1' })
  // nominated anew, nothing of that is left
  cleanup()
  show('MWL', {}, { nomination: { ...nominated, submitted_at: '2026-11-02 08:00:00.000000+00' } })
  expect(await screen.findByRole('button', { name: 'Process' })).toBeDefined()
})

test('[PROCESS-12] an order that was changed while the person was away is read again, told and sent as it is now', async () => {
  await chooseAndGoAway()
  const now = { patient_name: 'ROE^RICHARD', patient_birth_date: '19500505', accession_number: 'ACC-2', issuer: 'OURS' }
  show('MWL', orderNow(now))
  const told = await screen.findByText(/The order was changed since you chose it/)
  for (const change of [/DOE, JANE ANN → ROE, RICHARD/, /ACC-1 → ACC-2/, /authority of the MRN: — → OURS/])
    expect(told.textContent).toMatch(change)
  expect(screen.getByRole('textbox', { name: 'Accession number' })).toHaveProperty('value', 'ACC-2')
  expect(sendButton().disabled).toBe(true)
  await userEvent.click(screen.getByRole('checkbox', { name: /this is the patient/ }))
  await press('Send to PACS')
  expect(await screen.findByText('The exam is queued to be sent to PACS.')).toBeDefined()
  expect(lastSent('study/set')).toMatchObject({ patient_name: 'ROE^RICHARD', accession_number: 'ACC-2' })
  expect(lastSent('study/push/confirm')).toMatchObject({ order_seen: now })
})

test.each([
  ['cancelled', orderNow({ cancelled_at: '2026-03-02 10:00:00.000000+00' }), /The order was cancelled meanwhile/],
  ['deleted', { 'order/get': refused('NOT_FOUND') }, /The order was deleted/],
  ['not to be read', { 'order/get': refused('INTERNAL') }, /could not be read again/],
])('[PROCESS-12] nothing is sent under an order that is %s once the person is back', async (_how, more, words) => {
  await chooseAndGoAway()
  show('MWL', more)
  expect(await screen.findByText(words)).toBeDefined()
  expect(sendButton().disabled).toBe(true)
  fireEvent.submit(screen.getByRole('form', { name: 'Send to PACS' }))
  expect(changes()).toEqual([])
})

test.each([
  ['changed', orderNow({ accession_number: 'ACC-2' })['order/get'], /The order was changed meanwhile. Look at/],
  ['cancelled', orderNow({ cancelled_at: '2026-03-02 10:00:00.000000+00' })['order/get'], /The order was cancelled/],
  ['deleted', refused('NOT_FOUND'), /The order was deleted/],
])(
  '[PROCESS-12] an order that is %s while it is looked at corrects no exam, and is read again',
  async (_how, later, words) => {
    await chooseAndGoAway()
    let asked = 0
    const first = orderNow({})['order/get']
    const ask = () => {
      asked += 1
      return asked === 1 ? first : later
    }
    show('MWL', { 'order/get': ask })
    await waitFor(() => expect(sendButton().disabled).toBe(false))
    await press('Send to PACS')
    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
    expect(changes()).toEqual([])
    await waitFor(() => expect(asked).toBeGreaterThan(2))
  },
)

test.each([
  ['whom the person chose', [{ patient_name: 'DOE^JANET' }, {}], [false, 0]],
  ['or nobody', [{ patient_name: 'DOE^JANET' }, { patient_name: 'DOE^JOHN' }], [true, 1]],
])('[PROCESS-12] of two patients under one exam of an archive, %s is gone on with', async (_who, listed, held) => {
  const found = { ...order, study_uid: '1.2', study_description: '', study_date: '', modality: 'CT', source_ae: '' }
  const answers = (results: object[]) => ({
    'destination/search': { uuid: 'q1' },
    'destination/search/get': { uuid: 'q1', state: 'done', message: '', results },
  })
  show('CFIND', answers([found]))
  await press('Process')
  await chooseDestination()
  fireEvent.change(screen.getByRole('textbox', { name: 'Patient ID' }), { target: { value: 'H-7' } })
  await press('Search')
  await press(/^Select/)
  await chooseDestination()
  cleanup()
  show('CFIND', answers(listed.map((more) => ({ ...found, ...more }))))
  const isGone = () => screen.queryAllByText(/does not have this patient any more as you chose it/).length
  await waitFor(() => expect([sendButton().disabled, isGone()]).toEqual(held))
  expect(screen.queryByText(/The patient was changed in the destination/)).toBeNull()
})

test('[PROCESS-12] a patient of an archive is asked for again where the person left and came back', async () => {
  const found = { ...order, study_uid: '1.2', study_description: '', study_date: '', modality: 'CT', source_ae: '' }
  const answers = (results: object[]) => ({
    'destination/search': { uuid: 'q1' },
    'destination/search/get': { uuid: 'q1', state: 'done', message: '', results },
  })
  show('CFIND', answers([found]))
  await press('Process')
  await chooseDestination()
  fireEvent.change(screen.getByRole('textbox', { name: 'Patient ID' }), { target: { value: 'H-7' } })
  await press('Search')
  await press(/^Select/)
  await chooseDestination()
  // not asked twice by somebody who has just found the patient
  expect(sentCalls.filter(({ path }) => path === 'destination/search')).toHaveLength(1)
  cleanup()
  show('CFIND', answers([{ ...found, patient_name: 'DOE^JANET' }]))
  expect((await screen.findByText(/The patient was changed in the destination/)).textContent).toMatch(/DOE, JANET$/)
  expect(lastSent('destination/search')).toEqual({ uuid: 'd1', copy_to: 'ns', patientid: 'H-7' })
  cleanup()
  show('CFIND', answers([{ ...found, study_uid: '1.3' }]))
  expect(await screen.findByText(/MAIN PACS does not have this patient any more/)).toBeDefined()
  expect(sendButton().disabled).toBe(true)
  cleanup()
  show('CFIND', { 'destination/search': refused('INTERNAL') })
  expect(await screen.findByText(/MAIN PACS could not be asked again/)).toBeDefined()
  expect(sendButton().disabled).toBe(true)
  await press('Back')
  expect(await screen.findByRole('textbox', { name: 'Patient ID' })).toHaveProperty('value', 'H-7')
})

const tooLong = { ...refused('INVALID_VALUE'), error_subtype: 'patientid' }

test('[PROCESS-09][RETRIEVE-08] says what is wrong with a patient ID that the server refuses', async () => {
  show('CFIND', { 'destination/search': tooLong })
  await press('Process')
  await chooseDestination()
  fireEvent.change(screen.getByRole('textbox', { name: 'Patient ID' }), { target: { value: 'H'.repeat(65) } })
  await press('Search')
  expect(await screen.findByText(/^Please check the field Patient ID: /)).toBeDefined()
  expect(screen.queryByText('The search failed.')).toBeNull()
  cleanup()
  show('CFIND', { 'destination/search': refused('INSUFFICIENT_CRITERIA') })
  await press('Search')
  expect(await screen.findByText('Please enter a value to perform search.')).toBeDefined()
})

test('[PROCESS-08][RETRIEVE-08] says what is wrong with a value that a worklist is not asked by', async () => {
  show('MWL', { ...withWorklists, 'destination/search': tooLong })
  await press('Process')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Value' }), { target: { value: 'A-0' } })
  await press('Search')
  expect(await screen.findByText(/^Please check the field MRN: /)).toBeDefined()
})

test('[PROCESS-09] tells that an archive has more exams than are shown, and takes no patient beyond them for gone', async () => {
  const found = { ...order, study_uid: '1.2', study_description: '', study_date: '', modality: 'CT', source_ae: '' }
  const answers = (results: object[], more: number) => ({
    'destination/search': { uuid: 'q1' },
    'destination/search/get': { uuid: 'q1', state: 'done', message: '', results, more },
  })
  show('CFIND', answers([found], 1))
  await press('Process')
  await chooseDestination()
  fireEvent.change(screen.getByRole('textbox', { name: 'Patient ID' }), { target: { value: 'H-7' } })
  await press('Search')
  expect(await screen.findByText(/^The first 1 results are shown; the destination has more/)).toBeDefined()
  await press(/^Select/)
  cleanup()
  show('CFIND', answers([{ ...found, study_uid: '1.3' }], 1))
  expect(await screen.findByText(/MAIN PACS has more exams under this number than are read/)).toBeDefined()
  expect(screen.queryByText(/does not have this patient any more/)).toBeNull()
  expect(sendButton().disabled).toBe(true)
})

test('[PROCESS-08] shows the orders here while a worklist does not answer, and why one failed', async () => {
  const state = { state: 'failed', message: 'The peer did not answer in time', more: 0, results: [], orders: [] }
  show('MWL', { ...withWorklists, 'destination/search/get': state })
  await press('Process')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Value' }), { target: { value: 'A-0' } })
  await press('Search')
  expect(await screen.findByText('The worklist of RIS could not be asked.')).toBeDefined()
  expect(screen.getByText('The peer did not answer in time')).toBeDefined()
  expect(screen.getByText('1 result')).toBeDefined()
})

test('[PROCESS-09] tells why a destination did not answer', async () => {
  const message = 'The peer does not take queries (C-FIND)'
  show('CFIND', {
    'destination/search': { uuid: 'q1' },
    'destination/search/get': { uuid: 'q1', state: 'failed', message, results: [] },
  })
  await press('Process')
  await chooseDestination()
  fireEvent.change(screen.getByRole('textbox', { name: 'Patient ID' }), { target: { value: 'H-7' } })
  await press('Search')
  expect(await screen.findByText(message)).toBeDefined()
})

test('[PROCESS-09][PROCESS-10][ENTITY-26][API-47] asks a destination of the group for the patient', async () => {
  const found = {
    ...order,
    study_uid: '1.2',
    study_description: 'OLD',
    study_date: '20200101',
    modality: 'CT',
    source_ae: '',
  }
  const answers = [
    { state: 'waiting', results: [] },
    { state: 'done', results: [found] },
  ]
  show('CFIND', {
    'destination/search': { uuid: 'q1' },
    'destination/search/get': () => ({ uuid: 'q1', message: '', ...answers.shift() }),
  })
  await press('Process')
  await chooseDestination()
  fireEvent.change(screen.getByRole('textbox', { name: 'Patient ID' }), { target: { value: 'H-7' } })
  await press('Search')
  expect(await screen.findByText('Searching')).toBeDefined()
  expect(screen.queryByText(/result/)).toBeNull()
  expect(screen.getByRole('button', { name: 'Send without an order' })).toBeDefined()
  expect(await screen.findByText('1 result', {}, { timeout: 20_000 })).toBeDefined()
  expect(screen.queryByText('Searching')).toBeNull()
  expect(lastSent('destination/search')).toEqual({ uuid: 'd1', copy_to: 'ns', patientid: 'H-7' })
  await press(/^Select DOE, JANE ANN/)
  // the accession number of an older exam is none of this one
  expect(await screen.findByRole('textbox', { name: 'Accession number' })).toHaveProperty('value', '')
})

test('[PROCESS-12][PROCESS-13][ENTITY-32] sends without a query: the MRN as typed, no accession number, the first priority', async () => {
  show('NONE', {}, { accession_number: 'FOREIGN' })
  await press('Process')
  expect(await screen.findByText(/^The exam has FOREIGN now/)).toBeDefined()
  const options = within(screen.getByRole('combobox', { name: 'Priority' })).getAllByRole('option')
  expect(options.map((one) => one.textContent)).toEqual(['Routine', 'Priority'])
  fireEvent.change(screen.getByRole('textbox', { name: /MRN in the hospital/ }), { target: { value: 'H-9' } })
  await chooseDestination()
  await press('Send to PACS')
  await screen.findByText('The exam is queued to be sent to PACS.')
  expect(lastSent('study/set')).toMatchObject({
    patientid: 'H-9',
    accession_number: '',
    'customfield-f-prio': 'Routine',
  })
  expect(lastSent('study/set')).not.toHaveProperty('patient_name')
})

test.each([
  ['ДOE^JANE', /^The name .* is written with letters of two scripts/],
  ['DОE^JANE', /^The name .* is written with letters of two scripts/],
])('[PROCESS-11] tells of a name in letters of two scripts: %s', async (name, words) => {
  show('NONE', {}, { patient_name: name })
  await press('Process')
  expect(await screen.findByText(words)).toBeDefined()
})

test('[PROCESS-11] tells of two names that look alike in letters of two scripts', async () => {
  show('MWL', {}, { patient_name: 'DОE^JANE' })
  await press('Process')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Value' }), { target: { value: 'H-7' } })
  await press('Search')
  await press(/^Select/)
  expect(await screen.findByText(/^The two names look alike/)).toBeDefined()
})

test('goes on with a search that was typed and not made where the person left the exam and came back', async () => {
  show('MWL')
  await press('Process')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Value' }), { target: { value: 'TYPED-1' } })
  cleanup()
  show('MWL')
  expect(await screen.findByRole('textbox', { name: 'Value' })).toHaveProperty('value', 'TYPED-1')
  cleanup()
  clearDrafts()
  show('CFIND')
  await press('Process')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Patient ID' }), { target: { value: 'TYPED-2' } })
  fireEvent.change(screen.getByRole('combobox', { name: /Destination/ }), { target: { value: 'd1' } })
  cleanup()
  show('CFIND')
  expect(await screen.findByRole('textbox', { name: 'Patient ID' })).toHaveProperty('value', 'TYPED-2')
  expect(screen.getByRole('combobox', { name: /Destination/ })).toHaveProperty('value', 'd1')
})

test('[PROCESS-12] asks for the MRN in the hospital where the exam came with that of another organisation', async () => {
  show('NONE', {}, { mrn_outside: 1 })
  expect(await screen.findByText('X-1 · Outside MRN (ELSEWHERE)')).toBeDefined()
  await press('Process')
  expect(screen.getByText('X-1 · Outside MRN (ELSEWHERE)')).toBeDefined()
  await chooseDestination()
  const field = screen.getByRole('textbox', { name: /MRN in the hospital/ })
  expect(field).toHaveProperty('value', '')
  await press('Send to PACS')
  expect(await screen.findByText('Enter the MRN that the patient has in the hospital.')).toBeDefined()
  expect(document.activeElement).toBe(field)
  expect(changes()).toEqual([])
  fireEvent.change(field, { target: { value: 'H-9' } })
  await press('Send to PACS')
  await screen.findByText('The exam is queued to be sent to PACS.')
  expect(lastSent('study/set')).toMatchObject({ patientid: 'H-9' })
})

test('[PROCESS-12] sends an exam without an MRN for a tick alone', async () => {
  show('NONE', {}, { patientid: '', mrn_outside: 0 })
  await press('Process')
  await chooseDestination()
  await press('Send to PACS')
  expect(await screen.findByText('Enter the MRN that the patient has in the hospital.')).toBeDefined()
  expect(changes()).toEqual([])
  await userEvent.click(screen.getByRole('checkbox', { name: /Send without an MRN/ }))
  await press('Send to PACS')
  await screen.findByText('The exam is queued to be sent to PACS.')
  expect(lastSent('study/push/confirm')).toMatchObject({ mrn_reason: expect.stringMatching(/without an MRN/) })
})

test('[PROCESS-05] sends again with a reason where the push wants one', async () => {
  const failed = makeNomination({ side: 'gate', state: 'failed', destination_uuid: 'd1' })
  const words = 'Not sent. The destination holds another patient under this MRN: other name.'
  const push = { destination_uuid: 'd1', destination_name: 'MAIN_PACS', status: 'F', status_reason: words }
  const more = {
    wants_reason: 1,
    question: 'q1',
    commitment: null,
    commitment_reason: '',
    late_image_count: 0,
    updated: '',
  }
  const study_push_status = [{ ...push, ...more }] as unknown as Study['study_push_status']
  show('NONE', { 'study/push': { uuid: 'p' } }, { nomination: failed, study_push_status })
  await press('Retry')
  const dialog = await screen.findByRole('dialog', { name: 'Send again to MAIN PACS' })
  expect(within(dialog).getByText(words)).toBeDefined()
  const send = within(dialog).getByRole('button', { name: 'Send with this reason' })
  expect(send).toHaveProperty('disabled', true)
  fireEvent.change(within(dialog).getByRole('textbox'), { target: { value: 'Both are one' } })
  await userEvent.click(send)
  expect(lastSent('study/push')).toMatchObject({ destination_id: 'd1', mrn_reason: 'Both are one', question: 'q1' })
})

test('[ERROR-23] offers the number in which the MRN of the exam has ended', async () => {
  const error_data = { patientid: 'H-2', issuer: 'OURS' }
  show('NONE', { 'study/push/confirm': { ...refused('STALE'), error_subtype: 'mrn_merged', error_data } })
  await press('Process')
  await chooseDestination()
  await press('Send to PACS')
  expect(await screen.findByText(/The MRN of the exam has ended in another number/)).toBeDefined()
  await press('Use H-2')
  expect(screen.getByRole('textbox', { name: /MRN in the hospital/ })).toHaveProperty('value', 'H-2')
  expect(screen.queryByText(/has ended in another number/)).toBeNull()
})

test('another person is not sent before somebody says that both were compared', async () => {
  const other = { patient_name: 'ROE^RICHARD', patient_birth_date: '19500505' }
  show('MWL', { 'order/list': { orders: [{ ...order, ...other }], page: { more: 0 } }, ...orderNow(other) })
  await press('Process')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Value' }), { target: { value: 'ACC-1' } })
  await press('Search')
  await press(/^Select ROE, RICHARD/)
  await chooseDestination()
  expect(await screen.findByText(/does not look like the same person/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Send to PACS' })).toHaveProperty('disabled', true)
  await userEvent.click(screen.getByRole('checkbox'))
  await press('Send to PACS')
  expect(await screen.findByText('The exam is queued to be sent to PACS.')).toBeDefined()
  expect(lastSent('study/set')).toMatchObject({ patient_confirmed: 1 })
})

test.each([
  ['study/push/confirm', 'PENDING', 'Somebody else has sent it meanwhile.'],
  ['study/set', 'STALE', 'The study was changed meanwhile'],
] as const)(
  '[ERROR-23][PROCESS-15][PROCESS-19] %s that is refused with %s is told, and the lock is free',
  async (path, code, words) => {
    show('NONE', { [path]: refused(code) })
    await press('Process')
    await chooseDestination()
    await press('Send to PACS')
    expect((await screen.findByText(/Failed to send exam to PACS/)).textContent).toContain(words)
    expect(changes()).toContain('study/unlock')
  },
)

test.each([
  ['changed', 'order_id', /The order was changed meanwhile and names another patient/],
  ['changed otherwise', 'order_changed', /The order was changed meanwhile. Look at what differs now/],
  ['cancelled', 'order_cancelled', /The order was cancelled meanwhile/],
  ['of another authority', 'issuer', /are of different assigning authorities/],
  ['of another patient by its accession number', 'accession_number', /is that of an order for another patient/],
])('[ERROR-23] says that the order was %s while the exam was matched with it', async (_how, error_subtype, words) => {
  show('MWL', { 'study/push/confirm': { ...refused('STALE'), error_subtype } })
  await press('Process')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Value' }), 'ACC-1')
  await press('Search')
  await press(/^Select/)
  await chooseDestination()
  await press('Send to PACS')
  expect(await screen.findByText(words)).toBeDefined()
})

test('[ERROR-23] says of an exam that is gone with its nomination that it was not sent', async () => {
  show('NONE', { 'study/lock': refused('NOT_FOUND') })
  await press('Process')
  await chooseDestination()
  await press('Send to PACS')
  await screen.findByText(/Failed to send exam to PACS/)
  cleanup()
  const nothing = () => undefined
  showSignedIn(
    <ExamPanel uuid="s1" designationOf={nothing} state="Inbox" tab={undefined} onTab={nothing} onClose={nothing} />,
    { 'study/get': 412 },
  )
  expect(await screen.findByText(/^You did not send this exam. It is no longer here/)).toBeDefined()
})

test('[ERROR-23] an exam that was there after the refusal may have been sent by somebody else before it went', async () => {
  show('NONE', { 'study/lock': refused('NOT_FOUND') })
  await press('Process')
  await chooseDestination()
  await press('Send to PACS')
  await screen.findByText(/Failed to send exam to PACS/)
  cleanup()
  const nothing = () => undefined
  const panel = (
    <ExamPanel uuid="s1" designationOf={nothing} state="Inbox" tab={undefined} onTab={nothing} onClose={nothing} />
  )
  showSignedIn(panel, { 'study/get': makeStudy({ uuid: 's1' }) })
  await screen.findByRole('tablist')
  cleanup()
  showSignedIn(panel, { 'study/get': 412 })
  expect(await screen.findByText(/no longer here/)).toBeDefined()
  expect(screen.queryByText(/You did not send/)).toBeNull()
})

test('[PROCESS-05] an exam whose push to a further destination failed is matched anew', async () => {
  const failed = (destination_uuid: string, destination_name: string, is_overtaken: number) => ({
    destination_uuid,
    destination_name,
    is_overtaken,
    status: 'F',
    status_reason: 'The order',
    commitment: null,
    commitment_reason: '',
    late_image_count: 0,
    updated: '',
  })
  const completed = makeNomination({ side: 'gate', state: 'completed', destination_uuid: 'd1' })
  // one failed before the exam was sent where it is now
  const study_push_status = [
    failed('d3', 'ARCHIVE', 0),
    failed('d2', 'BEFORE', 1),
  ] as unknown as Study['study_push_status']
  show('NONE', {}, { nomination: completed, study_push_status })
  expect((await screen.findByText(/Not sent to ARCHIVE/)).textContent).toContain('The order')
  expect(screen.queryByText(/Not sent to BEFORE/)).toBeNull()
  await press('Match again')
  expect(await screen.findByRole('button', { name: 'Process' })).toBeDefined()
})

test('an exam that was sent at the second press was sent, wherever it went afterwards', async () => {
  let locks = 0
  const firstRefused = () => {
    locks += 1
    return locks === 1 ? refused('NOT_FOUND') : { until: '' }
  }
  show('NONE', { 'study/lock': firstRefused })
  await press('Process')
  await chooseDestination()
  await press('Send to PACS')
  await screen.findByText(/Failed to send exam to PACS/)
  await press('Send to PACS')
  await waitFor(() => expect(lastSent('study/push/confirm')).toBeDefined())
  await waitFor(() => expect(screen.queryByText(/Failed to send exam to PACS/)).toBeNull())
  cleanup()
  const nothing = () => undefined
  showSignedIn(
    <ExamPanel uuid="s1" designationOf={nothing} state="Inbox" tab={undefined} onTab={nothing} onClose={nothing} />,
    { 'study/get': 412 },
  )
  expect(await screen.findByText(/no longer here/)).toBeDefined()
  expect(screen.queryByText(/did not send/)).toBeNull()
})

test('[PROCESS-12] nothing is written or sent under a number that another authority gave', async () => {
  const orders = [{ ...order, issuer: 'SOUTH' }]
  show('MWL', { 'order/list': { orders, page: { more: 0 } }, ...orderNow({ issuer: 'SOUTH' }) })
  const { state } = useSession.getState()
  if (state.status !== 'established') throw new Error('Nobody is signed in')
  const { session } = state
  act(() =>
    putSession({ status: 'established', session: { ...session, account: { ...session.account, issuer: 'OURS' } } }),
  )
  await press('Process')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Value' }), 'ACC-1')
  await press('Search')
  await press(/^Select/)
  await screen.findByText(/Nothing is sent: the MRN was given by another authority, SOUTH/)
  await chooseDestination()
  expect(screen.getByRole('button', { name: 'Send to PACS' }).matches(':disabled')).toBe(true)
  fireEvent.submit(screen.getByRole('form', { name: 'Send to PACS' }))
  expect(changes()).toEqual([])
})

test('[PROCESS-15] the search is cleared a moment after the exam was sent', async () => {
  act(() => setSearchFilters({ ...noFilters, mrn: 'X' }))
  show()
  await press('Process')
  await chooseDestination()
  await press('Send to PACS')
  await screen.findByText('The exam is queued to be sent to PACS.')
  expect(useSearchFilters.getState().mrn).toBe('X')
  await vi.waitFor(() => expect(useSearchFilters.getState().mrn).toBe(''), { timeout: 5_000 })
})

test('[PROCESS-17] rejects with a code of IOCM, whose words stand as the reason until somebody writes another', async () => {
  show()
  await press('Reject')
  const kind = screen.getByRole('combobox', { name: 'Kind of reason (IHE IOCM)' })
  const reason = () => (screen.getByRole('textbox', { name: /Rejection reason/ }) as HTMLInputElement).value
  fireEvent.change(kind, { target: { value: '113038' } })
  expect(reason()).toBe('Incorrect modality worklist entry')
  fireEvent.change(kind, { target: { value: '113001' } })
  expect(reason()).toBe('Rejected for quality reasons')
  fireEvent.change(screen.getByRole('textbox', { name: /Rejection reason/ }), { target: { value: 'Blurred' } })
  fireEvent.change(kind, { target: { value: '113037' } })
  expect(reason()).toBe('Blurred')
  await press('Reject')
  expect(await screen.findByText(/The exam is rejected/)).toBeDefined()
  expect(lastSent('study/set')).toMatchObject({ 'customfield-f-reason': 'Blurred', rejection_code: '113037' })
})

test('[NOMINATE-10] shows the code of a rejection beside its words', async () => {
  show('NONE', {}, { nomination: { ...nominated, state: 'rejected', reason: 'Blurred', reason_code: '113001' } })
  expect((await screen.findAllByText('Rejected for quality reasons (DCM 113001)')).length).toBeGreaterThan(0)
})

test('[PROCESS-16][PROCESS-17][API-17][ERROR-23] rejects with a reason and a message', async () => {
  const first = show()
  await press('Reject')
  expect(screen.getByRole('textbox', { name: 'Message' }).getAttribute('rows')).toBe('3')
  await press('Reject')
  expect(await screen.findByText('Please give a reason')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /Rejection reason/ }))
  fireEvent.change(screen.getByRole('textbox', { name: /Rejection reason/ }), { target: { value: 'No indication' } })
  fireEvent.change(screen.getByRole('textbox', { name: 'Message' }), { target: { value: 'Ask again' } })
  await press('Reject')
  expect(await screen.findByText(/The exam is rejected/)).toBeDefined()
  expect(changes()).toEqual(['study/lock', 'study/set', 'study/unlock'])
  expect(lastSent('study/set')).toEqual({
    study_id: 's1',
    'customfield-f-rej': '1',
    'customfield-f-reason': 'No indication',
    'customfield-f-message': 'Ask again',
  })
  first.unmount()
  show('NONE', { 'study/lock': refused('LOCKED') })
  await press('Reject')
  fireEvent.change(screen.getByRole('textbox', { name: /Rejection reason/ }), { target: { value: 'x' } })
  await press('Reject')
  expect((await screen.findByText(/Failed to reject exam/)).textContent).toContain('Somebody else is editing')
  await press('Cancel')
  expect(await screen.findByRole('button', { name: 'Process' })).toBeDefined()
})

test('[SUMMARY-03] the demographics stand beside the last correction', async () => {
  const edit = {
    action: 'EDIT',
    type: 'Study',
    who: 'Ada',
    when: '2026-03-01 10:00:00.000000+00',
    detail: { patientid: ['X-1', 'H-7'] },
  }
  const study = makeStudy({ phi_namespace: 'ns', patientid: 'H-7', nomination: nominated })
  const shown = { ...replies('NONE'), 'audit/object': { events: [edit], page: { more: 0 } } }
  showSignedIn(<DemographicTable study={study} />, shown)
  expect(await screen.findByText('X-1 → H-7')).toBeDefined()
  expect(screen.getByText(/Corrected by Ada/)).toBeDefined()
})

test('[PROCESS-08][PROCESS-09] who may neither see orders nor search destinations is told so, and asks for nothing', async () => {
  const [inbox] = (replies('MWL')['user/namespace/list'] as { namespaces: object[] }).namespaces
  for (const [mode, field, words] of [
    ['MWL', 'Value', 'You are not permitted to view orders in this account'],
    ['CFIND', 'Patient ID', 'Your role does not permit this.'],
  ] as const) {
    const permissions = { study_view: 1, study_approve: 1, study_push: 1 }
    const settings = (replies(mode)['user/namespace/list'] as { namespaces: { settings: object }[] }).namespaces[0]
      ?.settings
    const place = { ...inbox, settings, permissions }
    showSignedIn(
      <ProcessTab study={makeStudy({ uuid: 's1', phi_namespace: 'ns', permissions, nomination: nominated })} />,
      {
        ...replies(mode),
        ...withWorklists,
        'user/namespace/list': { namespaces: [place] },
      },
    )
    await press('Process')
    expect(await screen.findByText(words)).toBeDefined()
    fireEvent.change(screen.getByRole('textbox', { name: field }), { target: { value: 'A-0' } })
    await userEvent.click(screen.getByRole('button', { name: 'Search' }))
    await press('Send without an order')
    await screen.findByRole('button', { name: 'Send to PACS' })
    const asked = sentCalls.map(({ path }) => path).filter((path) => /^order\/|^destination\/search|^audit/.test(path))
    expect(asked).toEqual([])
    cleanup()
    clearDrafts()
  }
})

test('[PERM-01] asks for destinations by the rights of the group, and says that their list is missing where it is', async () => {
  const sendsList = () => sentCalls.some(({ path }) => path === 'destination/list')
  show('NONE', { 'destination/list': refused('INVALID_FILTER') })
  await press('Process')
  expect(await screen.findByText('The destinations could not be loaded.')).toBeDefined()
  expect([sendsList(), screen.queryByText(/No destination is set up/)]).toEqual([true, null])
  cleanup()
  const [inbox] = (replies('NONE')['user/namespace/list'] as { namespaces: object[] }).namespaces
  const permissions = { study_view: 1, study_approve: 1 }
  show('NONE', { 'user/namespace/list': { namespaces: [{ ...inbox, permissions }] } }, { permissions })
  expect(await screen.findByText(/not decide it/)).toBeDefined()
  expect(sendsList()).toBe(false)
})

test('an MRN of elsewhere is not that of the order, though it reads the same', () => {
  const chosen = { kind: 'order', ...order, study_description: '' } as const
  const study = { ...order, issuer: 'ELSEWHERE', mrn_outside: 1 }
  const own = { ...study, issuer: 'OURS', mrn_outside: 0 }
  const names = ownNamesOf('OURS', 'HIS North')
  expect(comparePatient(study, chosen, names).reasons.patientid).toBe('mrn-other-issuer')
  expect(comparePatient(own, chosen, names).verdict).toBe('same')
  // an order names its authority: another one, or its own in other words
  expect(comparePatient(own, { ...chosen, issuer: 'SOUTH' }, names).reasons.patientid).toBe('mrn-other-issuer')
  expect(comparePatient(own, { ...chosen, issuer: ' his north' }, names).verdict).toBe('same')
  expect(comparePatient(study, { ...chosen, issuer: 'ELSEWHERE' }, names).verdict).toBe('same')
  // a number of another authority leaves as such, and never as one's own
  const leaves = (one: typeof study, chosenOf: string | undefined, mrn = one.patientid) => {
    const order = chosenOf === undefined ? undefined : { patientid: one.patientid, issuer: chosenOf }
    return [foreignIssuer(one, order, mrn, names), issuerSaid(one, order, names).issuer]
  }
  expect(leaves(own, 'SOUTH')).toEqual(['SOUTH', 'SOUTH'])
  expect(leaves(study, 'ELSEWHERE')).toEqual(['ELSEWHERE', 'ELSEWHERE'])
  expect(leaves(own, ' his north')).toEqual([undefined, undefined])
  // digits that came from elsewhere are one's own once an order of one's own is chosen for them, or another MRN is written
  expect(leaves(study, '')).toEqual([undefined, ''])
  expect(leaves(study, 'HIS North')).toEqual([undefined, ''])
  expect(leaves(study, undefined)).toEqual(['ELSEWHERE', undefined])
  expect(leaves(study, undefined, ` ${study.patientid.toLowerCase()}`)).toEqual(['ELSEWHERE', undefined])
  expect(leaves(study, undefined, 'X-1')).toEqual([undefined, undefined])
  expect(foreignIssuer(study, { patientid: '', issuer: '' }, '', names)).toBe('ELSEWHERE')
  expect(foreignIssuer(study, undefined, study.patientid, [])).toBeUndefined()
  expect(payloadOf({ ...chosen, patient_sex: '' }, { mrn: '', accession: ' ' })).toEqual({
    patient_name: 'DOE^JANE ANN',
    patient_birth_date: '19800101',
    patientid: 'H-7',
    accession_number: '',
  })
})

const asked = {
  by_uuid: 'somebody',
  by_name: 'Ada First',
  at: '2026-03-01 10:00:00.000000+00',
  destination_name: 'MAIN_PACS',
  came: { patient_name: 'ROE^RICHARD', patient_birth_date: '19500505' },
  is_valid: 1,
}
const waiting = (given: object = {}) => ({
  nomination: makeNomination({ side: 'gate', asked: { ...asked, ...given } }),
})

test('[PROCESS-14] shows a match that waits with both patients, and sends on the word of a second person alone', async () => {
  show('MWL', {}, waiting())
  await screen.findByText(/Ada First matched this exam, to be sent to MAIN PACS/)
  const table = screen.getByRole('table', { name: 'Comparison of the patient' })
  expect(within(table).getByText('ROE, RICHARD')).toBeTruthy()
  screen.getByText(/does not look like the same person/)
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Confirm and send' })
  expect(send.disabled).toBe(true)
  await userEvent.click(screen.getByRole('checkbox', { name: /this is the patient/ }))
  await userEvent.click(send)
  await screen.findByText('The exam is queued to be sent to PACS.')
  // nothing of the exam is changed: that would void the match
  expect(changes()).toEqual(['study/push/confirm'])
  expect(lastSent('study/push/confirm')).toMatchObject({ uuid: 's1', row_version: 5, seen_mrns: ['X-1'] })
})

test('[PROCESS-14] asks the second person, too, why an exam without an MRN is sent', async () => {
  show('MWL', {}, { ...waiting(), patientid: '' })
  await userEvent.click(await screen.findByRole('checkbox', { name: /this is the patient/ }))
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Confirm and send' })
  expect(send.disabled).toBe(true)
  await userEvent.click(screen.getByRole('checkbox', { name: /^Send without an MRN/ }))
  await userEvent.click(send)
  const reason = 'Sent without an MRN: the archive gives one'
  await vi.waitFor(() => expect(lastSent('study/push/confirm')).toMatchObject({ uuid: 's1', mrn_reason: reason }))
})

test('[PROCESS-14] offers nobody to confirm their own match, nor one that was changed since', async () => {
  const { unmount } = show('MWL', {}, waiting({ by_uuid: 'u' }))
  await screen.findByText(/You matched this exam/)
  expect(screen.queryByRole('button', { name: 'Confirm and send' })).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
  await press('Match again')
  await screen.findByText(/Step 1 of 3/)
  unmount()
  show('MWL', {}, waiting({ is_valid: 0 }))
  await screen.findByText(/changed after Ada First had matched it/)
  expect(screen.queryByRole('button', { name: 'Confirm and send' })).toBeNull()
  await screen.findByRole('button', { name: 'Process' })
})

test('[PROCESS-14] offers a match that waits to nobody who may not send it, and tells so', async () => {
  show('MWL', {}, { ...waiting(), permissions: { study_view: 1 } })
  await screen.findByText('Your role lets you look at this nomination, and not decide it.')
  expect(screen.queryByRole('button', { name: 'Confirm and send' })).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('[PROCESS-14] says that a match waits for a second person, with its order', async () => {
  show('MWL', { 'study/push/confirm': refused('SECOND_PERSON') })
  await press('Process')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Value' }), 'ACC-1')
  await press('Search')
  await press(/^Select/)
  await chooseDestination()
  await press('Send to PACS')
  await screen.findByText(/A second person has to confirm the patient/)
  expect(lastSent('study/push/confirm')).toMatchObject({ uuid: 's1', order_id: 'o1' })
})
