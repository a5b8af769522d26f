import type { Study } from '@hilum/contract/entities/study'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { putSession } from '../../session/session-store.ts'
import { clearActMessages } from '../../state/act-messages.ts'
import { clearDrafts } from '../../state/drafts.ts'
import { mark, useMarked } from '../../state/marked-studies.ts'
import { DeleteTab } from './delete-tab.tsx'
import { MessagePanel } from './message-panel.tsx'
import { MrnTab } from './mrn-tab.tsx'
import { StudyTags } from './study-tags.tsx'

type Answer = (path: string, sent: Record<string, unknown>) => Response | Promise<Response>

interface Seen {
  calls: string[]
  sent: unknown[]
  /** Namespaces whose people the question before a deletion asked for. */
  places: unknown[]
}

/** Answers the page's calls, and the question for the people of namespaces apart; gives the list of what was called. */
function serve(answer: Answer, losers: object = { count: 0, people: [] }): Seen {
  const seen: Seen = { calls: [], sent: [], places: [] }
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const path = String(address).replace(/^\/api\/v3\//, '')
    const sent: unknown = JSON.parse(String(init.body))
    if (Array.isArray(sent) && sent[0]?.URL === '/study/delete/people') {
      seen.places.push(...sent.map((item) => item.namespace_id))
      return json(sent.map(() => ({ HTTP_STATUS_CODE: '200', ...losers })))
    }
    seen.calls.push(path)
    seen.sent.push(sent)
    return answer(path, sent as Record<string, unknown>)
  })
  return seen
}

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const ok = () => json({ status: 'OK' })

function signIn(userUuid: string) {
  const session = {
    sid: 's',
    settings: {},
    user: { uuid: userUuid, time_zone: '' },
    account: { uuid: 'a', name: 'Northside', settings: {} },
  }
  putSession({ status: 'established', session: session as never }) // only what the tabs read
}

function show(what: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return render(
    <QueryClientProvider client={client}>
      <MantineProvider>{what}</MantineProvider>
    </QueryClientProvider>,
  )
}

const all = { study_edit: 1, study_tag: 1, study_delete: 1 }

beforeEach(() => signIn('u'))
afterEach(() => {
  vi.unstubAllGlobals()
  act(() => {
    clearDrafts()
    clearActMessages()
  })
})

test('[TAG-01] [TAG-03] Enter adds what is typed, and the cross takes a tag off', async () => {
  const { calls, sent } = serve((path) => (path === 'tag/list' ? json({ tags: [], page: {} }) : ok()))
  show(<StudyTags study={makeStudy({ uuid: 'x', tags: ['stat'], permissions: all })} />)
  await userEvent.type(screen.getByRole('textbox', { name: 'Add a tag' }), '  trauma {Enter}')
  await userEvent.click(screen.getByRole('button', { name: 'Remove the tag stat' }))
  const acts = sent.filter((_one, at) => calls[at] !== 'tag/list')
  expect(acts).toEqual([
    { tag: 'trauma', object: 'Study', object_id: 'x' },
    { tag: 'stat', object: 'Study', object_id: 'x' },
  ])
  expect(calls.filter((path) => path !== 'tag/list')).toEqual(['tag/add', 'tag/delete'])
})

test('[TAG-01] the # that begins a tag in the search is no part of a tag that is added', async () => {
  const { calls, sent } = serve((path) => (path === 'tag/list' ? json({ tags: [], page: {} }) : ok()))
  show(<StudyTags study={makeStudy({ uuid: 'x', tags: ['Größe'], permissions: all })} />)
  const input = screen.getByRole('textbox', { name: 'Add a tag' })
  for (const typed of ['#', '#GROSSE', '# urgent']) {
    await userEvent.clear(input)
    await userEvent.type(input, `${typed}{Enter}`)
  }
  const acts = () => sent.filter((_one, at) => calls[at] === 'tag/add')
  await expect.poll(acts).toEqual([{ tag: 'urgent', object: 'Study', object_id: 'x' }])
})

test('[TAG-01] changes of tags reach the server in their order, however long one of them takes', async () => {
  const added = Promise.withResolvers<Response>()
  const { calls } = serve((path) => {
    if (path === 'tag/list') return json({ tags: [], page: {} })
    return path === 'tag/add' ? added.promise : ok()
  })
  show(<StudyTags study={makeStudy({ uuid: 'x', tags: ['stat'], permissions: all })} />)
  await userEvent.type(screen.getByRole('textbox', { name: 'Add a tag' }), 'trauma{Enter}')
  await userEvent.click(screen.getByRole('button', { name: 'Remove the tag stat' }))
  const acts = () => calls.filter((path) => path !== 'tag/list')
  expect(acts()).toEqual(['tag/add'])
  added.resolve(ok())
  await expect.poll(acts).toEqual(['tag/add', 'tag/delete'])
})

test('[TAG-02] typing offers up to 25 tags in use, without those that are there already', async () => {
  const tags = [{ tag: 'Stat' }, { tag: 'State exam' }]
  const { calls, sent } = serve(() => json({ tags, page: {} }))
  show(<StudyTags study={makeStudy({ tags: ['stat'], permissions: all })} />)
  await userEvent.type(screen.getByRole('textbox', { name: 'Add a tag' }), 'stat')
  await screen.findByRole('option', { name: 'State exam', hidden: true })
  expect(screen.queryByRole('option', { name: 'Stat', hidden: true })).toBeNull()
  expect(calls[0]).toBe('tag/list')
  expect(sent[0]).toMatchObject({ object: 'Study', 'page.rows': 25 })
})

test('[TAG-04] every tag can be read; more than two are counted as well', () => {
  serve(ok)
  show(<StudyTags study={makeStudy({ tags: ['one', 'two', 'a tag of many words that no pill has room for'] })} />)
  expect(screen.getByText('a tag of many words that no pill has room for')).toBeTruthy()
  expect(screen.getByText('3 Selected')).toBeTruthy()
  // Without the right to tag: no input, no crosses.
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
})

const limits = { pdf: 2, sr: 1, burned_in: 0, image_count: 9 }

test('[MRN-01] [MRN-02] [PROCESS-19] Update waits for an MRN, then locks, sets and unlocks', async () => {
  const { calls, sent } = serve((path) => (path === 'study/edit/limits' ? json(limits) : ok()))
  show(<MrnTab study={makeStudy({ uuid: 'x', patientid: 'M1', permissions: all })} />)
  const update = screen.getByRole<HTMLButtonElement>('button', { name: 'Update' })
  const input = screen.getByRole('textbox', { name: 'New MRN' })
  expect(update.disabled).toBe(true)
  await userEvent.type(input, '   ')
  expect(update.disabled).toBe(true)
  await userEvent.type(input, 'M2')
  expect(screen.getByLabelText('After the update').textContent).toBe('M1 → M2')
  expect(await screen.findByText('2 PDF documents')).toBeTruthy()
  expect(screen.getByText('1 structured report')).toBeTruthy()
  await userEvent.click(update)
  await screen.findByText('The MRN was changed from M1 to M2.')
  const acts = calls.filter((path) => path !== 'study/edit/limits')
  expect(acts).toEqual(['study/lock', 'study/set', 'study/unlock'])
  expect(sent[calls.indexOf('study/set')]).toEqual({ study_id: 'x', patientid: 'M2', seen_mrns: ['M1'] })
})

test('[MRN-01] the MRN that stands is written again with a reason, for images that carry others', async () => {
  const { calls, sent } = serve((path) => (path === 'study/edit/limits' ? json(limits) : ok()))
  const study = { uuid: 'x', patientid: 'M1', image_mrns: ['M1', 'M7'], permissions: all }
  show(<MrnTab study={makeStudy(study)} />)
  const update = screen.getByRole<HTMLButtonElement>('button', { name: 'Update' })
  await userEvent.type(screen.getByRole('textbox', { name: 'New MRN' }), 'M1')
  expect(update.disabled).toBe(true)
  const reason = screen.getByRole('textbox', { name: 'Why all images are of this patient, for the record' })
  await userEvent.type(reason, ' One person {Enter}')
  await screen.findByText('All images are sent under M1.')
  const seen = { seen_mrns: ['M1', 'M7'] }
  expect(sent[calls.indexOf('study/set')]).toEqual({
    study_id: 'x',
    patientid: 'M1',
    mrn_reason: 'One person',
    ...seen,
  })
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('who said that all images are of one MRN is told, and taken back', async () => {
  const { calls, sent } = serve((path) => (path === 'study/edit/limits' ? json(limits) : ok()))
  const word = { mrns: ['M1', 'M7'], by_name: 'Ada Person', at: '2026-11-28 09:30:00.000000+00' }
  show(<MrnTab study={makeStudy({ uuid: 'x', patientid: 'M1', mrn_of_all: word, permissions: all })} />)
  expect(
    screen.getByText(/^Ada Person said on .*2026.* that all images are of MRN M1, .* came under M7\./),
  ).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText('Nobody says any longer that all images are of M1.')
  expect(sent[calls.indexOf('study/set')]).toEqual({ study_id: 'x', mrn_of_all: 0 })
})

test('[MRN-01] the MRN that stands is not written again where all images carry it', async () => {
  serve((path) => (path === 'study/edit/limits' ? json(limits) : ok()))
  show(<MrnTab study={makeStudy({ uuid: 'x', patientid: 'M1', permissions: all })} />)
  await userEvent.type(screen.getByRole('textbox', { name: 'New MRN' }), 'M1')
  expect(screen.getByText('This is the MRN already.')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Update' }).disabled).toBe(true)
})

test.each([
  [1, 'This is an outside MRN. The new one becomes an MRN of Northside.'],
  [0, undefined],
])('[MRN-01] Edit MRN says whose the new MRN of an outside one will be (%s)', (outside, words) => {
  serve(() => json(limits))
  show(<MrnTab study={makeStudy({ issuer: 'AWAY', mrn_outside: outside, permissions: all })} />)
  expect(screen.queryByText(/becomes an MRN/)?.textContent).toBe(words)
})

test('[ERROR-22] a refused change says so, its misspelt words put right, unlocks, and keeps what was typed', async () => {
  const { calls } = serve((path) =>
    path === 'study/set' ? json({ status: 'ERROR', error_type: 'STALE' }, 412) : json({ ...limits, until: '' }),
  )
  show(<MrnTab study={makeStudy({ permissions: all })} />)
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'New MRN' })
  await userEvent.type(input, 'M2{Enter}')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Failed to update the changes')
  expect(alert.textContent).toContain('changed meanwhile')
  expect(within(alert).getByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(input.value).toBe('M2')
  expect(calls).toContain('study/unlock')
})

test.each([
  ['12\\\\34', 'Please leave out the backslash'],
  ['5'.repeat(65), 'At most 64 characters.'],
])('[MRN-01] an MRN that images cannot hold is refused beside the field (%s)', async (mrn, reason) => {
  const { calls } = serve(() => json(limits))
  show(<MrnTab study={makeStudy({ permissions: all })} />)
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'New MRN' })
  await userEvent.click(input)
  await userEvent.paste(mrn)
  await userEvent.keyboard('{Enter}')
  expect(input.value).toBe(mrn)
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText(new RegExp(reason))).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Update' }).disabled).toBe(true)
  expect(calls).not.toContain('study/set')
})

test('a study that somebody else edits cannot be updated meanwhile', async () => {
  serve(() => json(limits))
  show(<MrnTab study={makeStudy({ is_locked: 1, permissions: all })} />)
  await userEvent.type(screen.getByRole('textbox', { name: 'New MRN' }), 'M2')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Update' }).disabled).toBe(true)
})

test('what is typed outlasts the end of the session, for the same person only', async () => {
  serve(() => json(limits))
  const study = makeStudy({ permissions: all })
  const first = show(<MrnTab study={study} />)
  await userEvent.type(screen.getByRole('textbox', { name: 'New MRN' }), 'M2')
  first.unmount()
  putSession({ status: 'signedOut', reason: 'ended' })
  signIn('somebody else')
  const second = show(<MrnTab study={study} />)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'New MRN' }).value).toBe('')
  second.unmount()
  signIn('u')
  const third = show(<MrnTab study={study} />)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'New MRN' }).value).toBe('M2')
  third.unmount()
  putSession({ status: 'signedOut', reason: 'signedOut' })
  signIn('u')
  show(<MrnTab study={study} />)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'New MRN' }).value).toBe('')
})

const two = [
  makeStudy({ uuid: 'a', patient_name: 'DOE^Jane', permissions: all }),
  makeStudy({ uuid: 'b', patient_name: 'ROE^Rita', permissions: all }),
]

/** The tab, with the question of whoever holds it. */
function Deletion({ studies }: { studies: readonly Study[] }) {
  const [isAsking, setIsAsking] = useState(false)
  return <DeleteTab studies={studies} isAsking={isAsking} onAsking={setIsAsking} />
}

async function confirmDeletion() {
  await userEvent.click(screen.getByRole('button', { name: 'Delete 2 exams' }))
  const question = screen.getByRole('dialog')
  await userEvent.click(within(question).getByRole('button', { name: 'Delete 2 exams' }))
}

test('[DELETE-01] a table of the exams, and nothing is deleted before the question is answered', async () => {
  const { calls } = serve(ok)
  show(<Deletion studies={two} />)
  expect(screen.getByRole('row', { name: /DOE, Jane/ })).toBeTruthy()
  expect(screen.getByRole('row', { name: /ROE, Rita/ })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Delete 2 exams' }))
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(calls).toEqual([])
})

test('[DELETE-01] the question tells exams apart whose patients, kinds and dates are the same', async () => {
  serve(ok)
  const alike = { patient_name: 'SMITH^John', permissions: all }
  const here = makeStudy({ ...alike, patientid: 'M-1' })
  const other = makeStudy({ ...alike, patientid: 'M-2', study_description: 'HEAD' })
  const { unmount } = show(<Deletion studies={[here, other]} />)
  const lines = () => within(screen.getByRole('dialog')).getAllByRole('listitem').slice(0, 2)
  const texts = () => lines().map(({ textContent }) => textContent)
  await userEvent.click(screen.getByRole('button', { name: 'Delete 2 exams' }))
  expect(texts()).toEqual(['SMITH, John · M-1 · CT HEAD · 03-01-2026', 'SMITH, John · M-2 · CT HEAD · 03-01-2026'])
  unmount()
  const away = makeStudy({ ...alike, patientid: 'M-1', phi_namespace: 'q', phi_namespace_name: 'Harbour' })
  show(<Deletion studies={[here, away]} />)
  await userEvent.click(screen.getByRole('button', { name: 'Delete 2 exams' }))
  expect(texts()).toEqual([
    'SMITH, John · M-1 · CT HEAD · 03-01-2026 · Neuro',
    'SMITH, John · M-1 · CT HEAD · 03-01-2026 · Harbour',
  ])
})

test.each([
  ['NOT_PERMITTED', undefined, 'Your role does not permit deleting here.'],
  ['NOT_PERMITTED', 'hold', 'It is on hold and must be kept.'],
  ['NOT_PERMITTED', 'frozen', 'It is frozen and must be kept.'],
  ['NOT_FOUND', undefined, 'It is no longer here.'],
  ['MISSING_FIELDS', 'uuid', 'The server was not told which exam is meant.'],
])(
  '[DELETE-02] [ERROR-19] [ERROR-20] counts of failed and successful deletions show in the message tab: %s %s',
  async (code, subtype, reason) => {
    serve((path) =>
      path === 'bundle'
        ? json([
            { HTTP_STATUS_CODE: '200', status: 'OK' },
            { HTTP_STATUS_CODE: '412', status: 'ERROR', error_type: code, error_subtype: subtype },
          ])
        : ok(),
    )
    show(
      <>
        <Deletion studies={two} />
        <MessagePanel onOpen={vi.fn()} />
      </>,
    )
    await confirmDeletion()
    const messages = screen.getByRole('region', { name: 'Messages' })
    expect(await within(messages).findByText('1 exam was deleted')).toBeTruthy()
    expect(within(messages).getByRole('alert').textContent).toContain('Exam failed to be deleted')
    expect(within(messages).getByText(`ROE, Rita: ${reason}`)).toBeTruthy()
  },
)

function Marks() {
  return <p>{useMarked('view').size} marked</p>
}

test('[LIST-15] a deletion ends the selection', async () => {
  serve((path) => (path === 'bundle' ? json(two.map(() => ({ HTTP_STATUS_CODE: '200', status: 'OK' }))) : ok()))
  act(() => mark('view', two, true))
  show(
    <>
      <Deletion studies={two} />
      <Marks />
    </>,
  )
  await confirmDeletion()
  expect(await screen.findByText('0 marked')).toBeTruthy()
})

test('[ERROR-19] [ERROR-20] a request that fails as a whole fails the whole selection, which stays', async () => {
  serve(() => json({ status: 'ERROR', error_type: 'NOT_PERMITTED' }, 412))
  act(() => mark('view', two, true))
  show(
    <>
      <Deletion studies={two} />
      <Marks />
    </>,
  )
  await confirmDeletion()
  const alert = await screen.findByRole('alert')
  expect(screen.getByText('2 marked')).toBeTruthy()
  expect(alert.textContent).toContain('2 exams failed to delete')
  expect(alert.textContent).toContain('Your role does not permit deleting here.')
  expect(screen.getByRole('row', { name: /DOE, Jane/ })).toBeTruthy()
})

test('Undo in the message tab brings the deleted exams back', async () => {
  const onOpen = vi.fn()
  const { sent } = serve((path, items) =>
    path === 'bundle' ? json(Object.values(items).map(() => ({ HTTP_STATUS_CODE: '200', status: 'OK' }))) : ok(),
  )
  show(
    <>
      <Deletion studies={two} />
      <MessagePanel onOpen={onOpen} />
    </>,
  )
  await confirmDeletion()
  const undo = await screen.findByRole('button', { name: 'Undo' })
  const messages = screen.getByRole('region', { name: 'Messages' })
  for (const name of ['DOE, Jane', 'ROE, Rita']) expect(within(messages).getByText(name)).toBeTruthy()
  await userEvent.click(undo)
  expect(await screen.findByText('2 exams were restored')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /^ROE, Rita/ }))
  expect(onOpen).toHaveBeenCalledExactlyOnceWith('b')
  expect(sent.at(-1)).toMatchObject([
    { URL: '/study/revive', uuid: 'a' },
    { URL: '/study/revive', uuid: 'b' },
  ])
})

test('[DELETE-01] the question names the people of the group who lose exams, and all who keep any by a share, however many exams', async () => {
  const sharesOf = (uuid: unknown) => [
    ...(uuid === 'exam 24' ? [{ state: 'delivered', kind: 'user', name: 'Chidi Okafor', uuid: 'x' }] : []),
    { state: 'scheduled', kind: 'group', name: 'Later Group', uuid: 'y' },
  ]
  const losers = { count: 7, people: [{ name: 'Anna Berg' }, { name: 'Bo Carlsson' }] }
  const { calls, places } = serve(
    (path, items) =>
      path === 'bundle'
        ? json(
            Object.values(items as Record<string, { uuid: string }>).map(({ uuid }) => ({
              HTTP_STATUS_CODE: '200',
              shares: sharesOf(uuid),
              received: [],
              has_copy: 1,
              owner: {},
            })),
          )
        : ok(),
    losers,
  )
  const given = { phi_namespace_name: 'Emergency', permissions: { study_delete: 1, study_share: 1 } }
  show(<Deletion studies={Array.from({ length: 25 }, (_, at) => makeStudy({ uuid: `exam ${at}`, ...given }))} />)
  await userEvent.click(screen.getByRole('button', { name: 'Delete 25 exams' }))
  const question = await screen.findByRole('dialog')
  expect(await within(question).findByText('Chidi Okafor')).toBeTruthy()
  await within(question).findByText(
    'Access through Emergency ends for 7 other people too, among them Anna Berg, Bo Carlsson.',
  )
  expect(question.textContent).not.toContain('Later Group')
  expect(question.textContent).not.toContain('Not everybody')
  expect(within(question).getByText('and 20 more')).toBeTruthy()
  expect(calls.filter((path) => path === 'bundle')).toHaveLength(1)
  expect(places).toEqual(['p'])
})

test.each([
  ['nobody else', { count: 0, people: [] }, 'Access through Emergency ends; nobody else has it there.'],
  ['one other', { count: 1, people: [{ name: 'Anna Berg' }] }, 'Access through Emergency ends for Anna Berg too.'],
  [
    'all others',
    { count: 2, people: [{ name: 'Anna Berg' }, { name: 'Bo Carlsson' }] },
    'Access through Emergency ends for 2 other people too: Anna Berg, Bo Carlsson.',
  ],
  [
    'the group alone, where the server does not tell',
    { HTTP_STATUS_CODE: '412', status: 'ERROR', error_type: 'NOT_PERMITTED' },
    'Access through Emergency ends for everybody there.',
  ],
])('the question before a deletion names %s', async (_whom, losers, words) => {
  serve(ok, losers)
  const given = { phi_namespace_name: 'Emergency', permissions: { study_delete: 1 } }
  show(<Deletion studies={[makeStudy({ uuid: 'a', ...given })]} />)
  await userEvent.click(screen.getByRole('button', { name: 'Delete exam' }))
  expect(await screen.findByText(words)).toBeTruthy()
})

test('the question says so where an exam does not tell with whom it was shared', async () => {
  serve((path, items) =>
    path === 'bundle'
      ? json(Object.values(items).map(() => ({ HTTP_STATUS_CODE: '412', status: 'ERROR', error_type: 'NOT_FOUND' })))
      : ok(),
  )
  show(<Deletion studies={[makeStudy({ uuid: 'a', permissions: { study_delete: 1, study_share: 1 } })]} />)
  await userEvent.click(screen.getByRole('button', { name: 'Delete exam' }))
  expect(await screen.findByText(/^Not everybody with whom this was shared is known here/)).toBeTruthy()
})
