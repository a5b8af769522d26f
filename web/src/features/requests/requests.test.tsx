import type { Link } from '@hilum/contract/calls/link'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { makeRequest } from '../../../test/make-request.ts'
import { showRouted } from '../../../test/routed.tsx'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import type { RequestKind } from '../../queries/requests.ts'
import { RequestForm } from './request-form.tsx'
import { RequestList } from './request-list.tsx'
import { RequestPanel } from './request-panel.tsx'
import { requestFaults, toOptions, type TypedRequest } from './request-rules.ts'

const good: TypedRequest = {
  email: 'clinic@outside.example',
  maximumHits: '3',
  maximumDuration: '1440',
  linkPassword: '',
  notifyOfLinkUse: '',
  studyDescription: '',
  lastName: '',
  firstName: '',
  birthDate: '',
  mrn: '',
  sex: '',
  examDate: '',
  modality: '',
  examWords: '',
  megabytes: '',
}

test('[REQUEST-02] password, addresses that are told and description may be left out', () => {
  expect(requestFaults(good)).toEqual({})
  expect(toOptions(good, 'ns', false)).toEqual({
    namespace_id: 'ns',
    email: 'clinic@outside.example',
    max_hits: 3,
    minutes_alive: 1440,
  })
})

test.each([
  ['', 'Email is required'],
  ['  ', 'Email is required'],
  ['nobody', 'Invalid email'],
  ['a@b', 'Invalid email'],
  ['a@b.example, c@d.example', 'Invalid email'],
  ['a@b.example', undefined],
  ['Anna Kern <a@b.example>', undefined],
])('[REQUEST-03] of the e-mail %j: %s', (email, fault) => {
  expect(requestFaults({ ...good, email }).email).toBe(fault)
})

test('a request that was typed is not thrown away without a question', async () => {
  const on = { onSent: vi.fn(), onCancel: vi.fn() }
  const group = { namespaceId: 'ns', name: 'Emergency' }
  const { leave } = showRouted(<RequestForm group={group} ownEmail="me@hospital.example" {...on} />)
  await userEvent.type(await screen.findByLabelText(/^E-mail of the sender/), 'clinic@outside.example')
  leave()
  expect(await screen.findByText(/What you typed is lost when you leave/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))
  expect(screen.getByLabelText(/^E-mail of the sender/)).toHaveProperty('value', 'clinic@outside.example')
  await userEvent.clear(screen.getByLabelText(/^E-mail of the sender/))
  leave()
  expect(await screen.findByText('Elsewhere')).toBeTruthy()
})

test('a request that was sent before the line broke is told so, and not as one that failed', async () => {
  showForm(
    { namespaceId: 'ns', name: 'Emergency' },
    { 'link/add': { error_type: 'ANSWERED_BEFORE', error_subtype: 'other_values' } },
  )
  await userEvent.type(screen.getByLabelText(/^E-mail of the sender/), 'clinic@outside.example')
  await userEvent.click(submit())
  expect(await screen.findByText(/The request was sent before the connection broke/)).toBeTruthy()
  expect(screen.queryByText('Failed to send study request')).toBeNull()
})

test('addresses are sent as the mail program of the other has them, without names', () => {
  const copied = { email: '"Kern, Anna" <a@b.example>', notifyOfLinkUse: 'Ott, Ben <b@b.example>; c@b.example' }
  expect(requestFaults({ ...good, ...copied })).toEqual({})
  const sent = { email: 'a@b.example', notify: 'b@b.example, c@b.example' }
  expect(toOptions({ ...good, ...copied }, 'ns', false)).toMatchObject(sent)
})

test.each([
  ['', 'Must be a number greater than 0'],
  ['0', 'Must be a number greater than 0'],
  ['-1', 'Must be a number greater than 0'],
  ['1.5', 'Must be a number greater than 0'],
  ['many', 'Must be a number greater than 0'],
  ['2147483647', 'Maximum value exceeded'],
  ['2147483646', undefined],
  ['1', undefined],
])('[REQUEST-04] of the number %j: %s', (typed, fault) => {
  expect(requestFaults({ ...good, maximumHits: typed }).maximumHits).toBe(fault)
  expect(requestFaults({ ...good, maximumDuration: typed }).maximumDuration).toBe(fault)
})

function showForm(group: { namespaceId: string; name: string } | undefined, replies: Replies = {}) {
  const on = { onSent: vi.fn(), onCancel: vi.fn() }
  showSignedIn(<RequestForm group={group} ownEmail="me@hospital.example" {...on} />, replies)
  return on
}
const submit = () => screen.getByRole('button', { name: 'Send request' }) as HTMLButtonElement

test('[REQUEST-02][REQUEST-05] a field tells its fault as it changes, and the button waits for a valid form', async () => {
  showForm({ namespaceId: 'ns', name: 'Emergency' })
  const email = screen.getByLabelText(/^E-mail of the sender/)
  expect(submit().disabled).toBe(true)
  expect(screen.queryByText('Email is required')).toBeNull()
  await userEvent.type(email, 'clinic')
  expect(screen.getByText('Invalid email')).toBeTruthy()
  await userEvent.clear(email)
  expect(screen.getByText('Email is required')).toBeTruthy()
  await userEvent.type(email, 'clinic@outside.example')
  expect(submit().disabled).toBe(false)
  await userEvent.type(screen.getByLabelText(/^Maximum number of uses/), 'x')
  expect(screen.getByText('Must be a number greater than 0')).toBeTruthy()
  expect(submit().disabled).toBe(true)
})

test('[REQUEST-05] nothing is sent to a group that is not found', async () => {
  showForm(undefined)
  await userEvent.type(screen.getByLabelText(/^E-mail of the sender/), 'clinic@outside.example{Enter}')
  expect(submit().disabled).toBe(true)
  expect(sentCalls).toEqual([])
})

test('[REQUEST-06][API-42] presets set the duration, and the request goes out with what was typed', async () => {
  const on = showForm({ namespaceId: 'ns', name: 'Emergency' }, { 'link/add': { status: 'OK', uuid: 'l1', url: '' } })
  await userEvent.type(screen.getByLabelText(/^E-mail of the sender/), 'clinic@outside.example')
  for (const [name, minutes] of [
    ['1 hour', '60'],
    ['3 hours', '180'],
    ['12 hours', '720'],
    ['24 hours', '1440'],
    ['48 hours', '2880'],
  ] as const) {
    const preset = screen.getByRole('button', { name })
    expect(preset.title.replace(',', '')).toBe(`${minutes} minutes`)
    await userEvent.click(preset)
    expect((screen.getByLabelText(/^Duration in minutes/) as HTMLInputElement).value).toBe(minutes)
  }
  await userEvent.type(screen.getByLabelText('Last name'), 'Doe')
  await userEvent.type(screen.getByLabelText('First name'), 'Jane')
  expect(screen.getByText(/Without a link password the sender is not told/)).toBeTruthy()
  await userEvent.click(submit())
  await waitFor(() => expect(on.onSent).toHaveBeenCalledExactlyOnceWith('l1'))
  expect(lastSent('link/add')).toEqual({
    namespace_id: 'ns',
    action: 'STUDY_UPLOAD',
    email: 'clinic@outside.example',
    max_hits: 3,
    minutes_alive: 2880,
    notify: 'me@hospital.example',
    patient_name: 'Doe^Jane',
  })
})

test('what was typed stays when the request could not be sent', async () => {
  showForm({ namespaceId: 'ns', name: 'Emergency' }, { 'link/add': { error_type: 'NOT_PERMITTED' } })
  await userEvent.type(screen.getByLabelText(/^E-mail of the sender/), 'clinic@outside.example')
  await userEvent.click(submit())
  expect(await screen.findByText('Failed to send study request')).toBeTruthy()
  expect((screen.getByLabelText(/^E-mail of the sender/) as HTMLInputElement).value).toBe('clinic@outside.example')
})

const link = makeRequest()
const page = { more: 0, rows: 50, number: 1, total: 1 }

function showList(replies: Replies, kind: RequestKind = 'open') {
  const on = { onAsk: vi.fn(), onSelect: vi.fn(), onKind: vi.fn(), onSort: vi.fn(), onPage: vi.fn() }
  const list = { namespaceId: 'ns', kind, sort: 'created-desc', page: 1, selectedUuid: undefined } as const
  showSignedIn(<RequestList {...list} {...on} />, replies)
  return on
}

test('[ENTITY-23] a card says whom was asked, for which study and place, by whom and until when', async () => {
  showList({ 'link/list': { status: 'OK', links: [link, { ...link, uuid: 'l2', description: '', email: '' }], page } })
  const [card, bare] = await screen.findAllByRole('listitem')
  for (const words of [/clinic@outside\.example/, /MRI of the knee/, /Emergency/, /Mei Tanaka/, /Open until/])
    expect(card?.textContent).toMatch(words)
  expect(within(card as HTMLElement).getByRole('button', { name: 'Copy address' })).toBeTruthy()
  expect(bare?.textContent).toContain('No e-mail address')
  expect(bare?.textContent).not.toContain('MRI')
})

test('what came by a share code is no request of somebody, and stands under its sender', async () => {
  const came = { ...link, email: '', by_share_code: 1, sender: 'GP Dr Klein' }
  showList({ 'link/list': { status: 'OK', links: [came], page } })
  const card = await screen.findByRole('listitem')
  expect(card.textContent).toContain('By share code, from GP Dr Klein')
  expect(card.textContent).toContain('The share code of Emergency')
  expect(card.textContent).not.toMatch(/Requested by|No e-mail address/)
})

test('[LIST-10][LIST-13][LIST-20] requests are listed in four orders, 50 a page, and a card gives its address', async () => {
  const user = userEvent.setup()
  const on = showList({ 'link/list': { status: 'OK', links: [link], page } })
  await user.click(await screen.findByRole('button', { name: 'clinic@outside.example' }))
  expect(on.onSelect).toHaveBeenCalledExactlyOnceWith('l1')
  expect(lastSent('link/list')).toEqual({
    namespace_id: 'ns',
    ended: 0,
    sort_by: 'created-desc',
    'page.rows': 50,
    'page.number': 1,
  })
  expect(sentCalls.filter(({ path }) => path.startsWith('study/'))).toEqual([])
  expect(screen.getByText('Another patient?')).toBeTruthy()
  const sorts = screen.getByRole('combobox', { name: 'Order of the requests' }) as HTMLSelectElement
  expect([...sorts.options].map(({ value }) => value)).toEqual([
    'created-desc',
    'created-asc',
    'email-asc',
    'email-desc',
  ])
  await user.selectOptions(sorts, 'email-asc')
  expect(on.onSort).toHaveBeenCalledExactlyOnceWith('email-asc')
  await user.click(screen.getByRole('button', { name: 'Copy address' }))
  await screen.findByRole('button', { name: 'Address copied' })
  expect(await navigator.clipboard.readText()).toBe(link.url)
})

test('[LIST-20] requests that ended are listed beside the pending ones, with how each ended', async () => {
  const when = { ended_at: '2026-03-04 12:00:00.000000+00' }
  const [arrival] = link.arrivals
  const ended = [
    { ...link, ...when, uuid: 'l1', url: '', state: 'ended', arrivals: [] },
    { ...link, ...when, uuid: 'l2', state: 'expired', arrivals: [] },
    { ...link, ...when, uuid: 'l3', state: 'expired', arrivals: [arrival] },
    { ...link, uuid: 'l4', state: 'used', arrivals: [] },
  ]
  const replies = { 'link/list': { status: 'OK', links: ended, page: { ...page, total: 4 } } }
  const on = showList(replies, 'ended')
  const cards = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  const outcomes = [/Cancelled .*2026/, /Expired .*, nothing has arrived/, /Fulfilled/, /Used up, nothing has arrived/]
  for (const [at, words] of outcomes.entries()) expect(cards[at]).toMatch(words)
  expect(lastSent('link/list')).toMatchObject({ ended: 1 })
  await userEvent.click(screen.getByRole('radio', { name: 'Pending' }))
  expect(on.onKind).toHaveBeenCalledExactlyOnceWith('open')
})

test('where no request has ended the list says so', async () => {
  showList({ 'link/list': { status: 'OK', links: [], page: { ...page, total: 0 } } }, 'ended')
  expect(await screen.findByText('No request has ended')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Request study' })).toBeNull()
})

test('the exam that is expected goes out with the request, and a modality is a short code', async () => {
  showForm({ namespaceId: 'ns', name: 'Emergency' }, { 'link/add': { status: 'OK', uuid: 'l1', url: '' } })
  await userEvent.type(screen.getByLabelText(/^E-mail of the sender/), 'clinic@outside.example')
  await userEvent.type(screen.getByLabelText('Date of the exam'), '2026-03-02')
  await userEvent.type(screen.getByLabelText('Modality'), 'mr?')
  expect(screen.getByText('A short code, such as CT, MR or US.')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Modality'), '{Backspace}')
  await userEvent.type(screen.getByLabelText(/^Words of its description/), ' left knee ')
  await userEvent.click(submit())
  await waitFor(() =>
    expect(lastSent('link/add')).toMatchObject({
      study_date: '20260302',
      modality: 'MR',
      study_description: 'left knee',
    }),
  )
})

test('another exam than the expected one is told on the card and in the panel, of an ended request what was erased', async () => {
  const [arrival] = link.arrivals
  const other = {
    ...link,
    state: 'expired',
    ended_at: '2026-03-05 10:00:00.000000+00',
    expected_exam: { study_date: '20260302', modality: 'MR', study_description: 'knee' },
    arrivals: [{ ...arrival, verdict: 'same', differences: [], exam_differences: ['modality'] }],
  }
  showList({ 'link/list': { status: 'OK', links: [other], page } })
  expect((await screen.findByRole('listitem')).textContent).toContain('Another exam?')
  let erased: string | null = null
  const show = () =>
    showSignedIn(<RequestPanel uuid="l1" onClose={vi.fn()} onOpenExam={vi.fn()} />, {
      'link/get': () => ({ status: 'OK', ...other, expected_erased_at: erased }),
    })
  show()
  expect(await screen.findByText('The modality differs')).toBeTruthy()
  expect(screen.getByText(/^· MR · knee/).textContent).toMatch(/2026.* · MR · knee/)
  erased = '2026-04-05 10:00:00.000000+00'
  show()
  expect(await screen.findByText(/Patient and exam that were expected were erased/)).toBeTruthy()
})

test('what arrived is named by patient, exam and date on the card and in the panel, and what is not shown by nothing', async () => {
  const [arrival] = link.arrivals
  const hidden = { ...arrival, study_id: '', patient_name: '', study_date: '', modality: '', study_description: '' }
  const names = ['Ay', 'Bee', 'Cee', 'Dee'].map((name) => ({
    ...arrival,
    study_id: name,
    patient_name: `${name}^Jane`,
  }))
  const several = { ...link, arrivals: [...names, hidden] }
  showList({ 'link/list': { status: 'OK', links: [several], page } })
  const card = await screen.findByRole('listitem')
  expect(within(card).getByText(/^AY, Jane ·/i).textContent).toMatch(/^AY, Jane · .*1980.* · CT Chest · .*2026/i)
  expect(within(card).queryByText(/^DEE/i)).toBeNull()
  expect(within(card).getByText('and 1 other exam')).toBeTruthy()
  cleanup()
  showSignedIn(<RequestPanel uuid="l1" onClose={vi.fn()} onOpenExam={vi.fn()} />, {
    'link/get': { status: 'OK', ...several },
  })
  expect(await screen.findByText(/^DEE, Jane · /i)).toBeTruthy()
  expect(screen.getAllByText(/ · CT Chest ·/)).toHaveLength(4)
})

test.each([
  [40, 60, 'Arriving: 40 of 60 images'],
  [60, 60, 'Arriving: 60 of 60 images'],
  [61, 60, 'Arriving: 61 images'],
  [3, 0, 'Arriving: 3 images'],
])('of %d images of %d announced ones that are arriving the panel says: %s', async (count, total, words) => {
  const [arrival] = link.arrivals
  const arriving = { ...arrival, image_count: count, expected_count: total, ended_at: null }
  showSignedIn(<RequestPanel uuid="l1" onClose={vi.fn()} onOpenExam={vi.fn()} />, {
    'link/get': { status: 'OK', ...link, arrivals: [arriving] },
  })
  expect(await screen.findByText(words)).toBeTruthy()
})

test('an answer that broke off is no exam that has arrived: on the card, among those that ended and in the panel', async () => {
  const [arrival] = link.arrivals
  const part = { ...arrival, image_count: 40, expected_count: 60, is_incomplete: 1, ended_at: link.created }
  const words = '40 of 60 images have arrived, incomplete'
  const { unmount } = showSignedIn(<RequestPanel uuid="l1" onClose={vi.fn()} onOpenExam={vi.fn()} />, {
    'link/get': { status: 'OK', ...link, arrivals: [part] },
  })
  expect(await screen.findByText(words)).toBeTruthy()
  unmount()
  showList({ 'link/list': { status: 'OK', links: [{ ...link, arrivals: [part] }], page } })
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.queryByText(/has arrived/)).toBeNull()
  cleanup()
  showList({ 'link/list': { status: 'OK', links: [{ ...link, arrivals: [part, arrival] }], page } })
  expect(await screen.findByText('1 of 2 exams is incomplete')).toBeTruthy()
  cleanup()
  const ended = { ...link, state: 'expired', ended_at: link.created, arrivals: [part] }
  showList({ 'link/list': { status: 'OK', links: [ended], page } }, 'ended')
  expect(await screen.findByText('Answered in part')).toBeTruthy()
  expect(screen.queryByText('Fulfilled')).toBeNull()
})

test('a request that is mailed again says so where no mail server is set up', async () => {
  showSignedIn(<RequestPanel uuid="l1" onClose={vi.fn()} onOpenExam={vi.fn()} />, {
    'link/get': { status: 'OK', ...link },
    'link/mail': { status: 'OK', has_smtp: 0 },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Send the mail again' }))
  await userEvent.click(screen.getByRole('button', { name: 'Mail again' }))
  expect(
    await screen.findByText(/^No mail server is set up: the mail to clinic@outside\.example does not leave/),
  ).toBeTruthy()
  expect(screen.queryByText(/was sent again/)).toBeNull()
})

test.each(['0', '-1', '1.5', 'many', '99999999'])('of the megabytes %j the form says what is wrong', (megabytes) => {
  expect(requestFaults({ ...good, megabytes }).megabytes).toMatch(/^A whole number of megabytes/)
  expect(requestFaults({ ...good, megabytes: '500' })).toEqual({})
  expect(toOptions({ ...good, megabytes: '500' }, 'ns', false)).toMatchObject({ max_megabytes: 500 })
})

test('the panel says how much a request stored, and lets twice as much in', async () => {
  const full = { max_bytes: 100 * 1024 ** 2, stored_bytes: 90 * 1024 ** 2 }
  showSignedIn(<RequestPanel uuid="l1" onClose={vi.fn()} onOpenExam={vi.fn()} />, {
    'link/get': { status: 'OK', ...link, ...full },
    'link/set': { status: 'OK' },
  })
  expect(await screen.findByText('90 MB of 100 MB')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Take up to 200 MB' }))
  await waitFor(() => expect(lastSent('link/set')).toEqual({ uuid: 'l1', max_megabytes: 200 }))
})

test('a request that is used up is extended, and can be opened once more', async () => {
  showSignedIn(<RequestPanel uuid="l1" onClose={vi.fn()} onOpenExam={vi.fn()} />, {
    'link/get': { status: 'OK', ...link, state: 'used', hits: 1, max_hits: 1 },
    'link/set': { status: 'OK' },
  })
  const used = await screen.findByText(/^Used up; whoever opened it can send until/)
  expect(used.textContent).toMatch(/ until .*2026/)
  await userEvent.click(screen.getByRole('button', { name: 'One more opening' }))
  await waitFor(() => expect(lastSent('link/set')).toEqual({ uuid: 'l1', max_hits: 2 }))
  await userEvent.click(screen.getByRole('button', { name: 'Extend by 24 hours' }))
  await waitFor(() => expect(lastSent('link/set')).toMatchObject({ minutes_left: expect.any(Number) }))
})

test('a request that was cancelled long ago cannot be brought back', async () => {
  showSignedIn(<RequestPanel uuid="l1" onClose={vi.fn()} onOpenExam={vi.fn()} />, {
    'link/get': { status: 'OK', ...link, url: '', state: 'ended', ended_at: '2026-03-04 12:00:00.000000+00' },
  })
  expect(await screen.findByText(/The request was cancelled/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('no requests offer to ask for a study, and a failure can be tried again', async () => {
  const on = showList({ 'link/list': { status: 'OK', links: [], page: { ...page, total: 0 } } })
  await userEvent.click(await screen.findByRole('button', { name: 'Request study' }))
  expect(on.onAsk).toHaveBeenCalledOnce()
  showList({ 'link/list': 500 })
  expect(await screen.findByText('The requests could not be read.')).toBeTruthy()
})

test('[PANEL-01] the panel of a request tells what differs, opens the exam, and cancels with a way back', async () => {
  let state: Link['state'] = 'open'
  const on = { onClose: vi.fn(), onOpenExam: vi.fn() }
  showSignedIn(<RequestPanel uuid="l1" {...on} />, {
    'link/get': () => ({
      status: 'OK',
      ...link,
      state,
      url: state === 'ended' ? '' : link.url,
      ended_at: state === 'ended' ? new Date().toISOString() : null,
    }),
    'link/delete': () => {
      state = 'ended'
      return { status: 'OK' }
    },
    'link/set': () => {
      state = 'open'
      return { status: 'OK' }
    },
    'link/mail': { status: 'OK' },
  })
  // once, beside the exam that came and above what was asked
  const warning = await screen.findByText('Another patient?')
  const asked = screen.getByRole('heading', { name: 'What was asked' })
  expect(warning.compareDocumentPosition(asked)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await userEvent.click(screen.getByRole('button', { name: 'Open exam' }))
  expect(on.onOpenExam).toHaveBeenCalledExactlyOnceWith('s1')
  await userEvent.click(screen.getByRole('button', { name: 'Send the mail again' }))
  await userEvent.click(screen.getByRole('button', { name: 'Mail again' }))
  await screen.findByText('The mail was sent again to clinic@outside.example.')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel request' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByText('The request is open again, with the same address.')
  expect(lastSent('link/set')).toEqual({ uuid: 'l1', restore: 1 })
  await userEvent.click(screen.getByRole('button', { name: 'Extend by 24 hours' }))
  await waitFor(() => expect(lastSent('link/set')).toEqual({ uuid: 'l1', minutes_left: 1440 }))
})

test('a request whose mail no mail server took in time says so, and is mailed again to the same address', async () => {
  const mail = { state: 'given_up', at: '2026-03-04 10:01:00.000000+00', error: '' } as const
  const text = 'No mail server took the mail to clinic@outside.example in time: it is not tried any more'
  showList({ 'link/list': { status: 'OK', links: [{ ...link, mail }], page } })
  expect(await screen.findByText(text)).toBeTruthy()
  showSignedIn(<RequestPanel uuid="l1" onClose={vi.fn()} onOpenExam={vi.fn()} />, {
    'link/get': { status: 'OK', ...link, mail },
  })
  await waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2))
  expect(screen.getByRole('button', { name: 'Send the mail again' })).toBeTruthy()
})

test('a request says on its card and in its panel that no mail server is set up', async () => {
  const mail = { state: 'no_server', at: '2026-03-04 10:01:00.000000+00', error: '' } as const
  const text =
    'No mail server is set up: the mail to clinic@outside.example does not leave. Copy the address and pass it on'
  showList({ 'link/list': { status: 'OK', links: [{ ...link, mail }], page } })
  expect(await screen.findByText(text)).toBeTruthy()
  showSignedIn(<RequestPanel uuid="l1" onClose={vi.fn()} onOpenExam={vi.fn()} />, {
    'link/get': { status: 'OK', ...link, mail },
  })
  await waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2))
})

test('a request whose mail came back says so on its card and in its panel, where the address is corrected', async () => {
  const mail = { state: 'returned', at: '2026-03-04 10:01:00.000000+00', error: '550 No such mailbox' } as const
  showList({ 'link/list': { status: 'OK', links: [{ ...link, mail }], page } })
  expect(await screen.findByText('The mail to clinic@outside.example could not be delivered')).toBeTruthy()
  showSignedIn(<RequestPanel uuid="l1" onClose={vi.fn()} onOpenExam={vi.fn()} />, {
    'link/get': { status: 'OK', ...link, mail },
    'link/mail': { error_type: 'INVALID_EMAIL' },
  })
  expect(await screen.findByText('550 No such mailbox')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Correct the address' }))
  await userEvent.type(screen.getByLabelText('E-mail address'), '.org')
  await userEvent.click(screen.getByRole('button', { name: 'Mail again' }))
  expect(await screen.findByText(/The link was not mailed\. This is not an e-mail address\./)).toBeTruthy()
  expect(lastSent('link/mail')).toEqual({ uuid: 'l1', email: 'clinic@outside.example.org' })
})
