import type { Study } from '@hilum/contract/entities/study'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { studyQuery } from '../../queries/studies.ts'
import { putSession } from '../../session/session-store.ts'
import { clearDrafts } from '../../state/drafts.ts'
import { MrnTab } from './mrn-tab.tsx'

const rita = {
  study_uuid: 'r',
  study_count: 2,
  patient_name: 'ROE^Rita',
  patient_birth_date: '19700203',
  patient_sex: 'F',
  issuer: 'NORTHSIDE',
  verdict: 'different',
  reasons: ['name-different', 'birth-date-different', 'sex-same', 'mrn-same'],
}

let study: Study
let sets: Record<string, unknown>[]
let calls: string[]
let elsewhere: number
let holders: object[]
let more: number

beforeEach(() => {
  study = makeStudy({ uuid: 'x', patientid: 'M1', permissions: { study_edit: 1 } })
  ;[sets, calls, elsewhere, holders, more] = [[], [], 0, [rita], 0]
  const session = {
    sid: 's',
    settings: {},
    user: { uuid: 'u', time_zone: '' },
    account: { uuid: 'a', name: 'Northside' },
  }
  putSession({ status: 'established', session: session as never }) // only what the tab reads
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const path = address.replace('/api/v3/', '')
    const sent = JSON.parse(String(init.body)) as Record<string, string>
    calls.push(path)
    if (path === 'study/get') return Response.json({ status: 'OK', ...study })
    if (path !== 'study/set') return Response.json({ status: 'OK', pdf: 0, sr: 0, burned_in: 0, image_count: 0 })
    sets.push(sent)
    if (sent['patientid'] === 'HELD' && !sent['mrn_reason']) {
      const data = { patientid: 'HELD', holders: elsewhere ? [] : holders, elsewhere, more }
      const refused = { status: 'ERROR', error_type: 'MRN_HELD', error_subtype: 'patientid', error_data: data }
      return Response.json(refused, { status: 412 })
    }
    study = { ...study, patientid: sent['patientid'] ?? '' }
    return Response.json({ status: 'OK' })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  clearDrafts()
})

function Shown() {
  const { data } = useQuery({ ...studyQuery('x'), initialData: study })
  return <MrnTab study={data} />
}
function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <Shown />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return { client, unmount }
}

test('an MRN that somebody else changed meanwhile is replaced only by who has seen the change', async () => {
  const { client } = show()
  await userEvent.type(screen.getByLabelText('New MRN'), 'M9')
  study = { ...study, patientid: 'M2' }
  act(() => void client.setQueryData(studyQuery('x').queryKey, study))
  await screen.findByText(/changed the MRN from M1 to M2 while you typed/)
  await userEvent.keyboard('{Enter}')
  expect(sets).toEqual([])
  expect(screen.getByRole('button', { name: 'Update' }).matches(':disabled')).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Replace it' }))
  await userEvent.click(screen.getByRole('button', { name: 'Update' }))
  await vi.waitFor(() => expect(sets).toMatchObject([{ patientid: 'M9' }]))
  await vi.waitFor(() => expect(screen.queryByText(/while you typed/)).toBeNull())
})
const giveHeld = () => userEvent.type(screen.getByRole('textbox', { name: 'New MRN' }), 'HELD{Enter}')

test('the number of somebody else shows that person and takes a reason, which goes on record', async () => {
  show()
  await giveHeld()
  const question = await screen.findByRole('form', { name: 'Somebody else has MRN HELD' })
  expect(document.activeElement?.textContent).toBe('Somebody else has MRN HELD')
  expect(within(question).getByText('ROE, Rita (born 02-03-1970, F, 2 exams)')).toBeDefined()
  expect(question.textContent).toContain('Different name · Different date of birth')
  expect(question.textContent).toContain('would stand for DOE, Jane')
  expect(study.patientid).toBe('M1')
  await userEvent.click(within(question).getByRole('button', { name: 'Change the MRN all the same' }))
  const reason = within(question).getByRole('textbox', { name: 'Reason, for the record' })
  expect(document.activeElement).toBe(reason)
  expect(reason.getAttribute('aria-invalid')).toBe('true')
  expect(sets).toHaveLength(1)
  await userEvent.type(reason, ' Twin record {Enter}')
  await screen.findByText('The MRN was changed from M1 to HELD.')
  expect(sets.at(-1)).toMatchObject({ study_id: 'x', patientid: 'HELD', mrn_reason: 'Twin record' })
  expect(screen.queryByRole('form', { name: /Somebody else/ })).toBeNull()
  expect(calls.filter((path) => path === 'study/lock')).toHaveLength(2)
  expect(calls.filter((path) => path === 'study/unlock')).toHaveLength(2)
})

test('the question can be left with everything as it was', async () => {
  show()
  await giveHeld()
  await userEvent.click(await screen.findByRole('button', { name: 'Keep M1' }))
  expect(screen.queryByRole('form', { name: /Somebody else/ })).toBeNull()
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'New MRN' })
  expect(input.value).toBe('')
  expect(document.activeElement).toBe(input)
  expect(sets).toHaveLength(1)
})

test('of people who may not be seen it says only that somebody is there', async () => {
  elsewhere = 1
  show()
  await giveHeld()
  const question = await screen.findByRole('form', { name: /Somebody else/ })
  expect(question.textContent).toContain('Somebody in exams that you may not see, who may be another person.')
  expect(question.textContent).not.toContain('ROE')
})

test('of many people the first are told at once, all others on request, and how many are not named', async () => {
  holders = Array.from({ length: 20 }, (_, at) => ({ ...rita, study_uuid: `r${at}`, patient_name: `ROE${at}^Rita` }))
  ;[more, elsewhere] = [3, 0]
  show()
  await giveHeld()
  const question = await screen.findByRole('form', { name: /Somebody else/ })
  const others = within(question).getByText('19 other people').closest('details') as HTMLElement
  const isListed = (at: number) => !others.contains(within(question).getByText(new RegExp(`^ROE${at}, Rita`)))
  expect([0, 3, 4, 19].map(isListed)).toEqual([true, true, false, false])
  expect(within(others).getByText('3 more are not named.')).toBeDefined()
  expect(question.textContent).not.toContain('may not see')
})

test('a change can be undone, also after looking elsewhere, as long as it stands', async () => {
  const first = show()
  await userEvent.type(screen.getByRole('textbox', { name: 'New MRN' }), 'M2{Enter}')
  await screen.findByText('Your last change: M1 → M2')
  first.unmount()
  show()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText('The MRN was changed from M2 to M1.')
  expect(sets.at(-1)).toEqual({ study_id: 'x', patientid: 'M1', seen_mrns: ['M2'] })
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})
