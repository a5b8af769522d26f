import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { holdAnswers, lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { clearDrafts } from '../../state/drafts.ts'
import { SendMany, SendTab } from './send-tab.tsx'

const all = {
  study_share: 1,
  study_share_account: 1,
  study_share_email: 1,
  study_share_share_code: 1,
  study_report_view: 1,
  study_report_upload: 1,
}
const accounts = [
  { uuid: 'a1', name: 'Harbour Clinic', user_email: '' },
  { uuid: 'a2', name: 'Lakeside Radiology', user_email: '' },
]
const ok = { status: 'OK' }
const jane = { uuid: 's1', patient_name: 'DOE^JANE', patient_birth_date: '19800101', permissions: all }
type Given = Parameters<typeof makeStudy>[0]

const replies = (more: Replies): Replies => ({
  'study/share/who': { shares: accounts, page: { more: 0 } },
  'study/share': ok,
  'study/share/stop': ok,
  'study/share/track': { sends: [], has_smtp: 1 },
  'study/share/access': { shares: [] },
  'namespace/share_code': { share_name: 'Tumour board', account_name: 'Harbour Clinic', customfields: [] },
  ...more,
})
const show = (more: Replies = {}, given: Given = {}) =>
  showSignedIn(<SendTab study={makeStudy({ ...jane, ...given })} />, replies(more))
const showMany = (more: Replies = {}) =>
  showSignedIn(
    <SendMany
      studies={[
        makeStudy(jane),
        makeStudy({ ...jane, uuid: 's2', study_description: 'MR head' }),
        makeStudy({ ...jane, uuid: 's3', patient_name: 'ROE^RICHARD', patientid: '77' }),
      ]}
    />,
    replies(more),
  )
const sent = (path = 'study/share') => sentCalls.filter((one) => one.path === path).map((one) => one.sent)
const button = () => screen.getByRole('button', { name: /^Send (exam|\d+ exams)$/ })
const method = (name: string) => userEvent.click(screen.getByRole('radio', { name }))
const choose = async (name: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: 'Organisations' }))
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(name) }))
}
const put = (name: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })

test('where no mail server is set up nothing is on its way', async () => {
  show({ 'study/share/track': { sends: [], has_smtp: 0 } })
  await method('E-mail')
  put('E-mail addresses', 'a@clinic.example')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'The page asks for' }), 'birthDate')
  await userEvent.click(button())
  await screen.findByText(
    'No mail server is set up: nothing of the exam of DOE, JANE leaves for a@clinic.example. Copy the address of the link under Share and pass it on.',
  )
  expect(screen.queryByText(/on its way/)).toBeNull()
})

afterEach(() => {
  act(clearDrafts)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('[SEND-01][SEND-05][API-53] sends to chosen organisations, and is disabled until one is chosen', async () => {
  show()
  expect(button()).toHaveProperty('disabled', true)
  await choose('Harbour Clinic')
  await choose('Lakeside Radiology')
  put('Message', '  For the board ')
  await userEvent.click(button())
  expect(await screen.findByText(/^The exam of DOE, JANE (was sent|is on its way) to 2 recipients\.$/)).toBeDefined()
  expect(sent()).toEqual(['a1', 'a2'].map((account_id) => ({ uuid: 's1', account_id, message: 'For the board' })))
})

test('[SEND-01][SEND-05] sends by e-mail with a date of birth or a password as the second factor', async () => {
  show()
  await method('E-mail')
  expect(button()).toHaveProperty('disabled', true)
  put('E-mail addresses', 'a@clinic.example, nobody')
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'lantern boat' } })
  await userEvent.click(button())
  expect(await screen.findByText('nobody is not an e-mail address.')).toBeDefined()
  expect(sent()).toEqual([])
  put('E-mail addresses', 'Kern, Anna <a@clinic.example>; "Ott, Ben" <b@clinic.example>')
  fireEvent.blur(screen.getByLabelText('E-mail addresses'))
  await userEvent.click(screen.getByLabelText(/^Ask for a code that is mailed/))
  expect(screen.getByLabelText('E-mail addresses')).toHaveProperty('value', 'a@clinic.example, b@clinic.example')
  await userEvent.click(button())
  await screen.findByText(/^The exam of DOE, JANE (was sent|is on its way) to 2 recipients\.$/)
  const words = { uuid: 's1', expires: 10_080, password: 'lantern boat', pin_auth: 1 }
  expect(sent()).toEqual(['a@clinic.example', 'b@clinic.example'].map((email) => ({ ...words, email })))
  await userEvent.click(screen.getByRole('button', { name: 'Send more exams' }))
  await method('E-mail')
  put('E-mail addresses', 'c@clinic.example')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'The page asks for' }), 'birthDate')
  await userEvent.click(button())
  await screen.findByText('The exam of DOE, JANE is on its way to c@clinic.example.')
  expect(sent().at(-1)).toEqual({ uuid: 's1', email: 'c@clinic.example', expires: 10_080, password_is_dob: 1 })
})

test('[SEND-01][SEND-05][SEND-03][ERROR-21] sends by share code, says why it could not, and begins anew for more', async () => {
  let isKnown = false
  const unknown = { error_type: 'NOT_FOUND', error_subtype: 'share_code' }
  show({ 'study/share': () => (isKnown ? ok : unknown) })
  await method('Share code')
  expect(button()).toHaveProperty('disabled', true)
  put('Share code', 'HARBOUR')
  await userEvent.click(button())
  expect(await screen.findByText('Failed to send exam(s)')).toBeDefined()
  expect(screen.getByText('The study failed to send!')).toBeDefined()
  expect(screen.getByText(/Nobody takes exams in by this share code/)).toBeDefined()
  isKnown = true
  await userEvent.click(button())
  await screen.findByText('The exam of DOE, JANE was sent to the holder of the share code.')
  expect(screen.queryByRole('textbox', { name: 'Share code' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Send more exams' }))
  expect(button()).toHaveProperty('disabled', true)
})

test('[SEND-01] asks for what the place of a share code asks for before it sends there, and for nothing of other codes', async () => {
  const field = { uuid: 'f1', name: 'Ward', type: 'text', required: 1, options: [], value: '', ui_json: {} }
  show({
    'namespace/share_code': (sent: { share_code?: unknown }) => ({
      share_name: 'Tumour board',
      account_name: 'Harbour Clinic',
      customfields: sent.share_code === 'BOARD' ? [field] : [],
    }),
  })
  await method('Share code')
  put('Share code', 'BOARD')
  await userEvent.click(button())
  const ward = await screen.findByRole('textbox', { name: /^Ward/ })
  expect(screen.getByText('Tumour board of Harbour Clinic asks for more before it takes an exam:')).toBeDefined()
  expect([sent(), document.activeElement]).toEqual([[], ward])
  await userEvent.click(button())
  expect(sent()).toEqual([])
  await userEvent.type(ward, ' North ')
  await userEvent.click(button())
  await screen.findByText(/(was sent|is on its way) to/)
  expect(sent()).toMatchObject([{ uuid: 's1', share_code: 'BOARD', 'customfield-f1': 'North' }])
})

test('closes the form while a share code is looked up: what is sent is what stands there', async () => {
  show({})
  const letGo = holdAnswers('namespace/share_code')
  await method('Share code')
  put('Share code', 'BOARD')
  const message = screen.getByRole('textbox', { name: /^Message/ })
  const form = message.closest('fieldset')
  expect(form?.disabled).toBe(false)
  await userEvent.click(button())
  await waitFor(() => expect(form?.disabled).toBe(true))
  expect(sent()).toEqual([])
  letGo()
  await screen.findByText(/(was sent|is on its way) to/)
  expect(sent()).toHaveLength(1)
})

test('sends no exams of several patients where a share code asks for more about each: one answer would stand with all', async () => {
  const field = { uuid: 'f1', name: 'Trial number', type: 'text', required: 0, options: [], value: '', ui_json: {} }
  const place = { share_name: 'Trial', account_name: 'Harbour Clinic' }
  showMany({
    'namespace/share_code': (given: { share_code?: unknown }) => ({
      ...place,
      customfields: given.share_code === 'TRIAL' ? [field] : [],
    }),
  })
  await method('Share code')
  put('Share code', 'TRIAL')
  await userEvent.click(button())
  await screen.findByText(/asks for more about each patient/)
  expect(screen.queryByRole('textbox', { name: /Trial number/ })).toBeNull()
  await userEvent.click(button())
  expect(sent()).toEqual([])
  put('Share code', 'OTHER')
  await userEvent.click(button())
  await waitFor(() => expect(sent()).toHaveLength(3))
})

test('a share code that cannot be looked up is looked up anew at the next try, and the refusal of its fields is said', async () => {
  show({
    'namespace/share_code': { error_type: 'NOT_FOUND' },
    'study/share': { error_type: 'INVALID_CUSTOMFIELD', error_subtype: ['Ward: required'] },
  })
  await method('Share code')
  put('Share code', 'AWAY')
  await userEvent.click(button())
  await screen.findByText(/asks for fields that were not filled in/)
  await userEvent.click(button())
  await waitFor(() => expect(sent('namespace/share_code')).toHaveLength(2))
})

test('what was sent by share code and ended meanwhile counts as taken back', async () => {
  show({ 'study/share/stop': { error_type: 'NOT_FOUND', error_subtype: 'share_code' } })
  await method('Share code')
  put('Share code', 'HARBOUR')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'Delay by 3 minutes')
  await userEvent.click(button())
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByText('Nothing was sent.')
  expect(sent('study/share/stop')).toEqual([{ uuid: 's1', share_code: 'HARBOUR', scheduled_only: 1 }])
})

test('[SEND-04] delays by 3 minutes and takes it back, by the link or the recipient', async () => {
  show({
    'study/share': ({ email }: Record<string, unknown>) => (email ? { ...ok, user_invite_share_id: ['l1'] } : ok),
  })
  await choose('Harbour Clinic')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'Delay by 3 minutes')
  await userEvent.click(button())
  await screen.findByText('The exam of DOE, JANE will be sent to Harbour Clinic.')
  expect(sent()).toMatchObject([{ account_id: 'a1', delay: 180 }])
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText('Nothing was sent.')
  await userEvent.click(screen.getByRole('button', { name: 'Send more exams' }))
  await method('E-mail')
  put('E-mail addresses', 'a@clinic.example')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'The page asks for' }), 'none')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'Delay by 3 minutes')
  await userEvent.click(button())
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByText('Nothing was sent.')
  expect(sent('study/share/stop')).toEqual([
    { uuid: 's1', account_id: 'a1', scheduled_only: 1 },
    { uuid: 's1', user_invite_share_id: 'l1', scheduled_only: 1 },
  ])
})

test('sends at a time that was chosen, and at no other', async () => {
  show()
  await choose('Harbour Clinic')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'At a time')
  await userEvent.click(button())
  expect(await screen.findByText('Choose a time within the next 30 days.')).toBeDefined()
  expect(sent()).toEqual([])
  const soon = new Date(Date.now() + 3_600_000)
  const local = new Date(soon.getTime() - soon.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
  fireEvent.change(screen.getByLabelText('Date and time'), { target: { value: local } })
  await userEvent.click(button())
  await screen.findByText('The exam of DOE, JANE will be sent to Harbour Clinic.')
  expect(Number(sent()[0]?.delay)).toBeGreaterThan(3_500)
})

test('[SEND-02][PANEL-06][SEND-06] shows patients and exams, and sends several with one message for several patients', async () => {
  showMany()
  expect(screen.getByText('2 patients, 3 exams')).toBeDefined()
  expect(screen.getByRole('cell', { name: /MR head/ })).toBeDefined()
  await choose('Harbour Clinic')
  await userEvent.click(button())
  await screen.findByText('The exams of 2 patients were sent to Harbour Clinic.')
  expect(sent().map(({ uuid }) => uuid)).toEqual(['s1', 's2', 's3'])
})

test('[SEND-06] tells of each study that was not sent, and of those that were', async () => {
  const other = {
    error_type: 'SHARE_FAILED',
    error_subtype: 'OTHER_PATIENT',
    error_data: { reasons: ['name-different'] },
  }
  showMany({ 'study/share': ({ uuid }: Record<string, unknown>) => (uuid === 's3' ? other : ok) })
  await choose('Harbour Clinic')
  await userEvent.click(button())
  expect(await screen.findByText('Failed to send exam(s)')).toBeDefined()
  expect(screen.getByText(/ROE, RICHARD.*Harbour Clinic.*another patient/)).toBeDefined()
  expect(screen.getByText('2 were sent all the same, and are not sent again.')).toBeDefined()
})

test('[SEND-06] what was sent is not sent again when the rest is, neither to whoever got all nor to whoever lacks an exam', async () => {
  let isAway = true
  const refuses = ({ uuid, email }: Record<string, unknown>) => isAway && uuid === 's3' && email === 'b@clinic.example'
  showMany({
    'study/share': (given: Record<string, unknown>) =>
      refuses(given) ? { error_type: 'PHANTOM' } : { ...ok, user_invite_share_id: ['l1'] },
  })
  await method('E-mail')
  put('E-mail addresses', 'a@clinic.example, b@clinic.example')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'The page asks for' }), 'none')
  await userEvent.click(button())
  await screen.findByText('5 were sent all the same, and are not sent again.')
  expect(screen.getByRole('textbox', { name: 'E-mail addresses' })).toHaveProperty('value', 'b@clinic.example')
  expect(sent()).toHaveLength(6)
  isAway = false
  await userEvent.click(button())
  await screen.findByText('The exams of 2 patients are on their way to b@clinic.example.')
  expect(sent().slice(6)).toMatchObject([{ uuid: 's3', email: 'b@clinic.example' }])
})

test('[SEND-04] what is to be sent later is taken back too where another exam failed', async () => {
  showMany({ 'study/share': ({ uuid }: Record<string, unknown>) => (uuid === 's3' ? { error_type: 'PHANTOM' } : ok) })
  await choose('Harbour Clinic')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'Delay by 3 minutes')
  await userEvent.click(button())
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Nothing was sent.')).toBeDefined()
  expect(sent('study/share/stop').map(({ uuid }) => uuid)).toEqual(['s1', 's2'])
  await userEvent.click(screen.getByRole('button', { name: 'Send more exams' }))
  expect(button()).toHaveProperty('disabled', true)
})

test('[SEND-04] takes back what has not left yet alone, where another press sent the rest at once', async () => {
  let isAway = true
  showMany({
    'study/share': ({ uuid }: Record<string, unknown>) => (isAway && uuid === 's3' ? { error_type: 'PHANTOM' } : ok),
  })
  await choose('Harbour Clinic')
  await userEvent.click(button())
  await screen.findByText('2 were sent all the same, and are not sent again.')
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  isAway = false
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'Delay by 3 minutes')
  await userEvent.click(button())
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByText('What was to be sent later was taken back. The rest was sent.')
  expect(sent('study/share/stop')).toEqual([{ uuid: 's3', account_id: 'a1', scheduled_only: 1 }])
})

test('[SEND-06] whoever lacks an exam is named and remembered over a press to others, and gets what is lacking alone', async () => {
  let isAway = true
  const refuses = ({ uuid, email }: Record<string, unknown>) => isAway && uuid === 's3' && email === 'b@clinic.example'
  showMany({
    'study/share': (given: Record<string, unknown>) =>
      refuses(given) ? { error_type: 'PHANTOM' } : { ...ok, user_invite_share_id: ['l1'] },
  })
  await method('E-mail')
  put('E-mail addresses', 'a@clinic.example, b@clinic.example')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'The page asks for' }), 'none')
  await userEvent.click(button())
  await screen.findByText('5 were sent all the same, and are not sent again.')
  expect(screen.queryByText(/Not everything/)).toBeNull()
  await method('Connections')
  await choose('Harbour Clinic')
  await userEvent.click(button())
  await screen.findByText('The exams of 2 patients were sent to Harbour Clinic.')
  expect(screen.getByText('Not everything was sent to b@clinic.example yet.')).toBeDefined()
  isAway = false
  await method('E-mail')
  await userEvent.click(button())
  await screen.findByText('The exams of 2 patients are on their way to b@clinic.example.')
  expect(sent().slice(9)).toMatchObject([{ uuid: 's3', email: 'b@clinic.example' }])
  expect(screen.queryByText(/Not everything/)).toBeNull()
})

test('the form is closed while the exams are sent, and open again where they could not be', async () => {
  showMany({ 'study/share': { error_type: 'PHANTOM' } })
  const letGo = holdAnswers('bundle')
  await choose('Harbour Clinic')
  const form = screen.getByRole('textbox', { name: 'Message' }).closest('fieldset')
  await userEvent.click(button())
  await waitFor(() => expect(form?.disabled).toBe(true))
  letGo()
  await screen.findByText('Failed to send exam(s)')
  expect(form?.disabled).toBe(false)
})

test('[SEND-02] sends attached files along, and opens a window to add more', async () => {
  show({}, { attachment_count: 2 })
  await userEvent.click(screen.getByRole('checkbox', { name: 'Send the 2 attached files along' }))
  await userEvent.click(screen.getByRole('button', { name: 'Add attachment' }))
  expect(await screen.findByText(/Drop files here/i)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await choose('Harbour Clinic')
  await userEvent.click(button())
  await waitFor(() => expect(sent()).toMatchObject([{ account_id: 'a1', attachments: 1 }]))
})

test('offers no attached files of a copy without names, by no way of sending', async () => {
  show({}, { attachment_count: 2, is_deidentified: 1 })
  expect(screen.queryByRole('checkbox', { name: /attached files/ })).toBeNull()
  await method('E-mail')
  expect(screen.queryByRole('checkbox', { name: 'Files and reports' })).toBeNull()
})

const sending = {
  kind: 'account',
  uuid: 'a1',
  name: 'Harbour Clinic',
  by_code: 0,
  by_name: 'Mei Tanaka',
  created: '2026-03-04 10:00:00.000000+00',
  state: 'delivered',
  due_at: null,
  failure: null,
  error: '',
  delivered_at: '2026-03-04 10:00:00.000000+00',
  opens: 3,
  opened_at: '2026-03-05 10:00:00.000000+00',
  opened_by: '',
  downloaded_at: null,
  downloaded_by: '',
}

test('tells what became of what was sent, and stops it', async () => {
  const link = {
    ...sending,
    kind: 'email',
    uuid: 'l1',
    name: 'a@clinic.example',
    state: 'queued',
    opens: 0,
    opened_at: null,
  }
  const ended = {
    ...sending,
    uuid: 'a2',
    name: 'Lakeside Radiology',
    state: 'ended',
    created: '2026-03-03 10:00:00.000000+00',
  }
  show({ 'study/share/track': { sends: [link, sending, ended], has_smtp: 1 } })
  const row = (name: RegExp) => screen.findByRole('row', { name })
  expect((await row(/Harbour Clinic/)).textContent).toMatch(/by Mei Tanaka.*3 times, first 03-05-2026.*Not yet/)
  expect((await row(/a@clinic.example/)).textContent).toContain('Waits for the mail server')
  expect((await row(/Lakeside/)).textContent).toContain('Ended')
  expect(screen.queryByRole('button', { name: 'Stop sending to Lakeside Radiology' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Stop sending to a@clinic.example' }))
  await userEvent.click(screen.getByRole('button', { name: 'Stop sending to Harbour Clinic' }))
  await waitFor(() =>
    expect(sent('study/share/stop')).toEqual([
      { uuid: 's1', user_invite_share_id: 'l1' },
      { uuid: 's1', account_id: 'a1' },
    ]),
  )
})

test('Stop beside a sending has an Undo, which brings back what was stopped last, and says when it is too late', async () => {
  let isLate = false
  const stops = ({ restore }: Record<string, unknown>) => (restore && isLate ? { error_type: 'EXPIRED' } : ok)
  const link = { ...sending, kind: 'email', uuid: 'l1', name: 'a@clinic.example' }
  show({ 'study/share/track': { sends: [link, sending] }, 'study/share/stop': stops })
  await userEvent.click(await screen.findByRole('button', { name: 'Stop sending to a@clinic.example' }))
  expect(await screen.findByText('The link sent to a@clinic.example was closed.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(lastSent('study/share/stop')).toEqual({ uuid: 's1', user_invite_share_id: 'l1', restore: 1 }),
  )
  await waitFor(() => expect(screen.queryByText('The link sent to a@clinic.example was closed.')).toBeNull())
  isLate = true
  await userEvent.click(screen.getByRole('button', { name: 'Stop sending to Harbour Clinic' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText(/It was stopped more than ten minutes ago/)).toBeDefined()
  expect(lastSent('study/share/stop')).toEqual({ uuid: 's1', account_id: 'a1', restore: 1 })
})

test('[PERM-12] offers to stop to those alone who may send in that way, by a share code where one led there', async () => {
  const byCode = { ...sending, uuid: 'a3', name: 'Tumour board', by_code: 1 }
  const sends = [byCode, sending]
  const stops = () =>
    screen.getAllByRole('button', { name: /^Stop sending/ }).map((one) => one.getAttribute('aria-label'))
  show({ 'study/share/track': { sends, has_smtp: 1 } }, { permissions: { ...all, study_share_share_code: 0 } })
  await screen.findByRole('row', { name: /Tumour board/ })
  expect(stops()).toEqual(['Stop sending to Harbour Clinic'])
  cleanup()
  show({ 'study/share/track': { sends, has_smtp: 1 } }, { permissions: { ...all, study_share_account: 0 } })
  await screen.findByRole('row', { name: /Tumour board/ })
  expect(stops()).toEqual(['Stop sending to Tumour board'])
})

test('says why something was rejected, and that no mail leaves without a mail server', async () => {
  const rejected = { ...sending, state: 'failed', failure: 'REJECTED', error: 'Not our patient' }
  const link = { ...sending, kind: 'email', uuid: 'l1', name: 'a@clinic.example', state: 'queued' }
  show({ 'study/share/track': { sends: [rejected, link], has_smtp: 0 } })
  const row = await screen.findByRole('row', { name: /Harbour Clinic/ })
  expect(row.textContent).toContain('Failed')
  expect(row.textContent).toMatch(/rejected there.*Not our patient/)
  const mailed = screen.getByRole('row', { name: /a@clinic.example/ })
  expect(mailed.textContent).toContain(
    'Does not leave: no mail server is set up. Copy the address of the link under Share',
  )
})

test('a mail that a server refused once is not said to be tried again where none is set up', async () => {
  const link = { ...sending, kind: 'email', uuid: 'l1', name: 'a@clinic.example', state: 'retried', error: '451 Later' }
  show({ 'study/share/track': { sends: [link], has_smtp: 0 } })
  const row = await screen.findByRole('row', { name: /a@clinic.example/ })
  expect(row.textContent).toContain('Does not leave: no mail server is set up')
  expect(row.textContent).not.toContain('is tried again')
})

test('tells a mail that an administrator cancelled', async () => {
  const link = { ...sending, kind: 'email', uuid: 'l1', name: 'a@clinic.example', state: 'cancelled', error: '' }
  show({ 'study/share/track': { sends: [link], has_smtp: 1 } })
  const row = await screen.findByRole('row', { name: /a@clinic.example/ })
  expect(row.textContent).toContain('Not sent: an administrator cancelled the mail')
})

test('[SEND-04] a mail that was held says why, and can be stopped', async () => {
  const error = 'The exam was corrected to another patient after somebody wanted this mail to be sent'
  const link = { ...sending, kind: 'email', uuid: 'l1', name: 'a@clinic.example', state: 'held', error }
  show({ 'study/share/track': { sends: [link], has_smtp: 1 } })
  const row = await screen.findByRole('row', { name: /a@clinic.example/ })
  expect(row.textContent).toContain('Held: the exam was corrected to another patient before it left')
  expect(within(row).getByRole('button', { name: 'Stop sending to a@clinic.example' })).toBeDefined()
})

test('tells a mail that is tried again from one that was given up', async () => {
  const link = { ...sending, kind: 'email', uuid: 'l1', name: 'a@clinic.example', state: 'retried', error: '451 Later' }
  const over = { ...link, uuid: 'l2', name: 'b@clinic.example', state: 'failed', error: 'No mail server took it' }
  show({ 'study/share/track': { sends: [link, over], has_smtp: 1 } })
  const retried = await screen.findByRole('row', { name: /a@clinic.example/ })
  expect(retried.textContent).toContain('Not taken yet, is tried again')
  expect(retried.textContent).not.toMatch(/Failed|Given up/)
  expect(screen.getByRole('row', { name: /b@clinic.example/ }).textContent).toContain('Given up')
})

test('[SEND-01] says of organisations how many of several exams they have already', async () => {
  const lakeside = { kind: 'account', uuid: 'a2', name: 'Lakeside Radiology', state: 'delivered' }
  showMany({
    'study/share/access': ({ uuid }: Record<string, unknown>) => ({ shares: uuid === 's1' ? [] : [lakeside] }),
  })
  await userEvent.click(screen.getByRole('combobox', { name: 'Organisations' }))
  expect(await screen.findByRole('option', { name: /Lakeside Radiology.*has access to 2 of 3$/ })).toBeDefined()
})

test('says that nothing was sent yet, or that it could not be looked up', async () => {
  const { unmount } = show()
  await screen.findByText('Nothing was sent from here yet.')
  unmount()
  show({ 'study/share/track': 500 })
  expect(await screen.findByText('It could not be looked up what was sent.')).toBeDefined()
})

test('[PERM-12] offers the ways of sending that the person may use', async () => {
  show({}, { permissions: { study_share: 1, study_share_share_code: 1 } })
  expect(screen.getAllByRole('radio').map((one) => one.parentElement?.textContent)).toEqual(['Share code'])
})

test('[ERROR-21] keeps what was typed when the server could not be reached', async () => {
  let isDown = true
  show({ 'study/share': () => (isDown ? 500 : ok), bundle: undefined })
  await choose('Harbour Clinic')
  put('Message', 'Please look')
  await userEvent.click(button())
  await screen.findByText('Failed to send exam(s)')
  expect(screen.getByText('The study failed to send!')).toBeDefined()
  expect(screen.getByRole('textbox', { name: 'Message' })).toHaveProperty('value', 'Please look')
  isDown = false
  await userEvent.click(button())
  await screen.findByText('The exam of DOE, JANE was sent to Harbour Clinic.')
})

test('[ERROR-21] a press after the line broke is the same act for each exam and recipient, also with another message', async () => {
  showMany({ 'study/share': { error_type: 'ANSWERED_BEFORE', error_subtype: 'other_values' } })
  const answered = fetch
  const keys: unknown[][] = []
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    if (!String(asked[0]).endsWith('/bundle')) return answered(...asked)
    keys.push((JSON.parse(String(asked[1]?.body)) as Record<string, unknown>[]).map((one) => one.idempotency_key))
    if (keys.length === 1) throw new TypeError('Failed to fetch')
    return answered(...asked)
  })
  await choose('Harbour Clinic')
  await userEvent.click(button())
  await screen.findByText(/The server cannot be reached/)
  put('Message', 'Please look')
  await userEvent.click(button())
  // nobody is sent them a second time
  expect((await screen.findAllByText(/It was sent before the connection broke/)).length).toBeGreaterThan(0)
  expect(new Set(keys[0]).size).toBe(3)
  expect(keys[1]).toEqual(keys[0])
})

test('sends an exam whose images name several patients only after a tick that they were looked at', async () => {
  show({}, { mixed_patients: 1 })
  await choose('Harbour Clinic')
  await userEvent.click(button())
  expect(await screen.findByText('Look at the patients that the images name before the exam leaves.')).toBeDefined()
  expect(sent()).toEqual([])
  await userEvent.click(screen.getByRole('checkbox', { name: /^I have looked at the patients/ }))
  await userEvent.click(button())
  await waitFor(() => expect(sent()).toMatchObject([{ uuid: 's1', account_id: 'a1', mixed_patients: 1 }]))
})

test('sends nothing while copies without names stand among other exams, and says why', async () => {
  const studies = [makeStudy(jane), makeStudy({ ...jane, uuid: 's2', is_deidentified: 1 })]
  showSignedIn(<SendMany studies={studies} />, replies({}))
  expect(await screen.findByText(/^Some of these exams are copies without names/)).toBeDefined()
  expect(screen.queryByRole('form', { name: 'Send' })).toBeNull()
  expect(screen.getAllByRole('row').length).toBeGreaterThan(2)
})

const inForce = { uuid: 'h1', is_new: 0, changed: [] as string[], left_out: [], run_at: null, expires_at: null }
const endOf = '2026-03-11 10:00:00.000000+00'

test('says of an organisation that has the exam already what became different there, and not that the exam was sent', async () => {
  const share = { ...inForce, changed: ['attachments', 'end'], expires_at: endOf }
  show({ 'study/share': { ...ok, share } })
  await choose('Lakeside Radiology')
  await userEvent.click(button())
  const told = await screen.findByText(/^Lakeside Radiology has it already\. Access now ends .*2026/)
  expect(told.textContent).toContain('The attached files go along now.')
  expect(screen.queryByText(/was sent to|is on its way/)).toBeNull()
})

test('tells the recipients to whom an exam was sent from those that had it', async () => {
  show({
    'study/share': ({ account_id: to }: Record<string, unknown>) => ({
      ...ok,
      share: to === 'a1' ? { ...inForce, is_new: 1 } : inForce,
    }),
  })
  await choose('Harbour Clinic')
  await choose('Lakeside Radiology')
  await userEvent.click(button())
  expect(await screen.findByText('The exam of DOE, JANE was sent to Harbour Clinic.')).toBeDefined()
  expect(screen.getByText('Lakeside Radiology has it already. Nothing was changed.')).toBeDefined()
})

test('gives an access that stands another end only where somebody chose one', async () => {
  show({ 'study/share': { ...ok, share: inForce } })
  await choose('Lakeside Radiology')
  await userEvent.click(button())
  await screen.findByText('Lakeside Radiology has it already. Nothing was changed.')
  await userEvent.click(screen.getByRole('button', { name: 'Send more exams' }))
  await choose('Lakeside Radiology')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Access ends' }), '10080')
  await userEvent.click(button())
  await waitFor(() => expect(sent().map((one) => one['expires'])).toEqual([undefined, 10_080]))
})

test('sends the end that the form shows by a share code, as no default of the server may reach its receiver', async () => {
  const study = makeStudy(jane)
  const given = replies({ 'study/share': { ...ok, share: { ...inForce, is_new: 1 } } })
  showSignedIn(<SendTab study={study} />, given, {}, {}, { share_expires_minutes: '10080' })
  await method('Share code')
  put('Share code', 'CODE1')
  await userEvent.click(button())
  await waitFor(() => expect(sent()).toMatchObject([{ share_code: 'CODE1', expires: 10_080 }]))
  cleanup()
  showSignedIn(<SendTab study={study} />, given, {}, {}, { share_expires_minutes: '10080' })
  await choose('Harbour Clinic')
  await userEvent.click(button())
  await waitFor(() => expect(sent().map((one) => one['expires'])).toEqual([undefined]))
})

test('names the moment of an earlier sending that holds, and offers no Undo of it', async () => {
  show({ 'study/share': { ...ok, share: { ...inForce, run_at: endOf } } })
  await choose('Lakeside Radiology')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'delay')
  await userEvent.click(button())
  await screen.findByText(/^Lakeside Radiology gets it .*2026.*, as was asked for before\. Nothing was changed\.$/)
  expect(screen.queryByText(/will be sent/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('says that nothing is added later to an access that stands, and offers no Undo', async () => {
  show({ 'study/share': { ...ok, share: { ...inForce, left_out: ['delay'] } } })
  await choose('Lakeside Radiology')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'delay')
  await userEvent.click(button())
  const told = await screen.findByText(/^Lakeside Radiology has it already\./)
  expect(told.textContent).toBe(
    'Lakeside Radiology has it already. Nothing was changed, since what is asked for later cannot be added to an access that stands.',
  )
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('says of fields that are filled in again for a share code whether they hold', async () => {
  const share = { ...inForce, changed: ['customfields'], run_at: endOf }
  show({ 'study/share': { ...ok, share: { ...share, left_out: [] } } })
  await choose('Lakeside Radiology')
  await userEvent.click(button())
  expect(await screen.findByText(/The fields filled in now hold\./)).toBeDefined()
})

test('names the message and the files that were left out of what a recipient has', async () => {
  const share = {
    ...inForce,
    changed: ['end'],
    left_out: ['attachments', 'message', 'customfields'],
    expires_at: endOf,
  }
  show({ 'study/share': { ...ok, share } })
  await choose('Lakeside Radiology')
  await userEvent.click(button())
  const told = await screen.findByText(/^Lakeside Radiology has it already\. Access now ends/)
  expect(told.textContent).toMatch(
    /The attached files were left out.*The new message was left out.*The fields filled in now are not taken/,
  )
})

test('undoes the very share that a sending made', async () => {
  show({ 'study/share': { ...ok, share: { ...inForce, is_new: 1, run_at: endOf } } })
  await choose('Lakeside Radiology')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'delay')
  await userEvent.click(button())
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByText('Nothing was sent.')
  expect(sent('study/share/stop')).toEqual([{ uuid: 's1', scheduled_only: 1, account_id: 'a2', share_id: 'h1' }])
})

test('marks organisations that have access to the exam in the list to send to', async () => {
  const send = { kind: 'account', uuid: 'a2', name: 'Lakeside Radiology', by_code: 0, by_name: '', state: 'delivered' }
  const moments = { created: endOf, due_at: null, delivered_at: endOf, opened_at: null, downloaded_at: null }
  const rest = { failure: null, error: '', opens: 0, opened_by: '', downloaded_by: '' }
  show({ 'study/share/track': { sends: [{ ...send, ...moments, ...rest }], has_smtp: 1 } })
  await screen.findByRole('rowheader', { name: 'Lakeside Radiology' })
  await userEvent.click(screen.getByRole('combobox', { name: 'Organisations' }))
  expect(await screen.findByRole('option', { name: /Lakeside Radiology.*has access/ })).toBeDefined()
})
