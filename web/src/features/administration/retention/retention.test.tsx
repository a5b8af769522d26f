import type { DeletedExam, RetainedEntry } from '@hilum/contract/calls/retention'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { showRouted } from '../../../../test/routed.tsx'
import { lastSent, type Replies, sentCalls } from '../../../../test/signed-in.tsx'
import { KeepingAndPurging } from './retention.tsx'

afterEach(() => history.replaceState(null, '', '/'))

const page = (total: number) => ({ more: 0, rows: 10, number: 1, total })
const exam = {
  uuid: 's1',
  namespace_id: 'ns',
  namespace_name: 'Neuro',
  study_uid: '2.25.1',
  patient_name: 'DOE^JANE',
  patientid: '4711',
  issuer: 'HERE',
  study_date: '20260304',
  study_description: 'MRI BRAIN',
}
const deleted: DeletedExam = {
  ...exam,
  deleted_at: '2026-03-04 10:00:00.000000+00',
  deleted_by: 'Mei Tanaka',
  kept_by: '',
  retain_until: null,
  due_at: '2099-04-03 10:00:00.000000+00',
}
const held: RetainedEntry = {
  ...exam,
  kind: 'study',
  is_deleted: 1,
  until: null,
  reason: 'Court',
  by_name: 'Mei Tanaka',
  since: '2026-03-04 10:00:00.000000+00',
}
const rules = {
  retention_days: null,
  restore_days: 30,
  places: [
    { namespace_id: 'n1', name: 'Neuro', kind: 'group', retention_days: 3653 },
    { namespace_id: 'n2', name: 'Trauma', kind: 'group', retention_days: null },
  ],
  bin: { due: 3, later: 2, held: 1 },
}
function show(view: string, replies: Replies = {}, permissions: Record<string, number> = { account_edit: 1 }) {
  history.replaceState(null, '', `/?view=${view}`)
  return showRouted(
    <KeepingAndPurging />,
    {
      'retention/get': rules,
      'retention/bin': { exams: [deleted], page: page(1) },
      'retention/kept': { kept: [held], page: page(1) },
      'retention/purged': { exams: [], page: page(0) },
      ...replies,
    },
    {},
    permissions,
  )
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('a rule is looked at before it is saved, and what it lets go is said', async () => {
  show('rules', { 'retention/set': ({ check }: { check?: number }) => ({ kept: 0, released: check ? 7 : 0 }) })
  expect((await screen.findByRole('row', { name: /^Neuro/ })).textContent).toContain('3,653 days from arrival')
  await press('Change the rule: Neuro')
  const form = within(await screen.findByRole('form', { name: 'Rule: Neuro' }))
  const days = form.getByRole('textbox', { name: 'Days from arrival' })
  await userEvent.clear(days)
  await userEvent.type(days, 'ten')
  await press('Look at the effect')
  expect(await form.findByText('Please enter a whole number from 0 to 36,525, or nothing.')).toBeTruthy()
  expect(lastSent('retention/set')).toBeUndefined()
  await userEvent.clear(days)
  await userEvent.type(days, '365')
  await press('Look at the effect')
  expect(await form.findByText(/7 deleted exams will be kept by nothing any more/)).toBeTruthy()
  expect(lastSent('retention/set')).toMatchObject({ namespace_id: 'n1', retention_days: '365', check: 1 })
  await userEvent.type(days, '0')
  expect(form.queryByRole('button', { name: 'Save' })).toBeNull()
  await press('Look at the effect')
  await press('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('retention/set')).toEqual({
    account_id: 'a',
    namespace_id: 'n1',
    retention_days: '3650',
    seen: { retention_days: 3653 },
  })
})

test('over a rule that somebody else changed meanwhile its effect is looked at again before it is saved, and a third change is told of', async () => {
  let saved: object = { error_type: 'STALE' }
  let places = rules.places
  show('rules', {
    'retention/get': () => ({ ...rules, places }),
    'retention/set': ({ check }: { check?: number }) => (check ? { kept: 0, released: 7 } : saved),
  })
  await press('Change the rule: Neuro')
  places = rules.places.map((one) => ({ ...one, retention_days: 50 }))
  const days = await screen.findByRole('textbox', { name: 'Days from arrival' })
  await userEvent.clear(days)
  await userEvent.type(days, '40')
  await press('Look at the effect')
  await press('Save')
  await screen.findByText(/Somebody else changed this while the form was open/)
  await press('Look at the effect of mine')
  await waitFor(() => expect(lastSent('retention/set')).toMatchObject({ check: 1 }))
  saved = { kept: 0, released: 7 }
  await press('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('retention/set')).toEqual({
    account_id: 'a',
    namespace_id: 'n1',
    retention_days: '40',
    seen: { retention_days: 50 },
  })
})

test('a place without a rule is chosen for one; who may only look changes nothing', async () => {
  const { unmount } = show('rules', { 'retention/set': { kept: 4, released: 0 } })
  await press('Add a rule for a place')
  expect(await screen.findByRole('option', { name: 'Trauma' })).toBeTruthy()
  expect(screen.queryByRole('option', { name: 'Neuro' })).toBeNull()
  await userEvent.type(screen.getByRole('textbox', { name: 'Days from arrival' }), '10')
  await press('Look at the effect')
  expect(await screen.findByText('4 deleted exams will be kept that nothing keeps now.')).toBeTruthy()
  unmount()
  show('rules', {}, { purge_view: 1 })
  expect(await screen.findByRole('table', { name: 'Rules of retention' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /rule/ })).toBeNull()
})

test('the bin says when each exam goes and what keeps it; one is held with a reason', async () => {
  show('bin', {
    'retention/bin': {
      exams: [
        deleted,
        { ...deleted, uuid: 's2', patient_name: 'ROE^ANN', kept_by: 'hold', due_at: null },
        { ...deleted, uuid: 's3', patient_name: 'POE^EVA', due_at: '2026-01-01 00:00:00.000000+00' },
      ],
      page: page(3),
    },
  })
  expect((await screen.findByRole('row', { name: /ROE, ANN/ })).textContent).toContain('not while this lasts')
  expect(screen.getByRole('row', { name: /POE, EVA/ }).textContent).toContain('with the next purge')
  expect(screen.getByRole('button', { name: 'End the hold on ROE, ANN · MRN 4711' })).toBeTruthy()
  await press('Hold DOE, JANE · MRN 4711')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Hold' }))
  expect(await dialog.findByText(/Please say why/)).toBeTruthy()
  expect(lastSent('retention/hold')).toBeUndefined()
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), 'File 12/26')
  await userEvent.click(dialog.getByRole('button', { name: 'Hold' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('retention/hold')).toEqual({ account_id: 'a', study_id: 's1', reason: 'File 12/26' })
})

test('the bin is narrowed by place and by what keeps an exam, without a patient in the address', async () => {
  show('bin')
  await press('Filter')
  await userEvent.type(screen.getByRole('textbox', { name: 'Place' }), 'neu')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kept by' }), 'nothing')
  await waitFor(() =>
    expect(lastSent('retention/bin')).toMatchObject({
      'filter.namespace_name.like': '%neu%',
      'filter.kept_by.equals': '',
      sort_by: 'due_at-asc',
    }),
  )
})

test('a patient is found and held, an exam is kept through a day; the number stays out of the address', async () => {
  const patients = [
    {
      patientid: '4711',
      issuer: 'HERE',
      patient_name: 'DOE^JANE',
      patient_birth_date: '19610305',
      is_held: 0,
      exams: [{ ...exam, is_deleted: 0, is_held: 0, hold_reason: '', retain_until: null }],
    },
  ]
  show('kept', { 'retention/patient': { patients } })
  await userEvent.type(await screen.findByRole('textbox', { name: 'MRN' }), '4711')
  await press('Find')
  await press('Hold the patient')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Reason' }), 'Court')
  await press('Hold')
  await waitFor(() =>
    expect(lastSent('retention/hold')).toEqual({ account_id: 'a', patientid: '4711', issuer: 'HERE', reason: 'Court' }),
  )
  await press('Keep through a day: MRI BRAIN, 03-04-2026')
  await userEvent.type(await screen.findByLabelText('Last day'), '2036-12-31')
  await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'Trial')
  await press('Keep through a day')
  await waitFor(() =>
    expect(lastSent('retention/date')).toEqual({
      account_id: 'a',
      study_id: 's1',
      retain_until: '2036-12-31',
      seen: { retain_until: null },
      reason: 'Trial',
    }),
  )
  expect(location.search).not.toContain('4711')
  expect(sentCalls.filter(({ path }) => path === 'retention/patient').length).toBeGreaterThan(1)
})

test('a date is taken back by an empty day alone, by none that is over or typed in part', async () => {
  const patients = [
    {
      patientid: '4711',
      issuer: 'HERE',
      patient_name: 'DOE^JANE',
      patient_birth_date: '19610305',
      is_held: 0,
      exams: [{ ...exam, is_deleted: 0, is_held: 0, hold_reason: '', retain_until: '2096-12-31' }],
    },
  ]
  show('kept', { 'retention/patient': { patients } })
  await userEvent.type(await screen.findByRole('textbox', { name: 'MRN' }), '4711')
  await press('Find')
  await press('Keep through a day: MRI BRAIN, 03-04-2026')
  const day = (await screen.findByLabelText('Last day')) as HTMLInputElement
  await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'Trial')
  fireEvent.change(day, { target: { value: '2006-12-31' } })
  await press('Keep through a day')
  await screen.findByText('Please choose a day of the calendar that is not over.')
  // browsers give no value of a day that is typed in part
  Object.defineProperty(day, 'validity', { configurable: true, value: { badInput: true } })
  fireEvent.change(day, { target: { value: '' } })
  await press('Keep through a day')
  await screen.findByText('Please choose a day of the calendar that is not over.')
  expect(lastSent('retention/date')).toBeUndefined()
  Reflect.deleteProperty(day, 'validity')
  fireEvent.change(day, { target: { value: '2096-01-01' } })
  fireEvent.change(day, { target: { value: '' } })
  await press('Keep through a day')
  await waitFor(() => expect(lastSent('retention/date')).toMatchObject({ retain_until: '' }))
})

test('the date of an exam in the bin is shown, and is what saving replaces', async () => {
  show('bin', {
    'retention/bin': { exams: [{ ...deleted, kept_by: 'date', retain_until: '2096-12-31' }], page: page(1) },
  })
  await press('Keep through a day: DOE, JANE · MRN 4711')
  const day = await screen.findByLabelText('Last day')
  expect(day).toHaveProperty('value', '2096-12-31')
  fireEvent.change(day, { target: { value: '2097-12-31' } })
  await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'Trial')
  await press('Keep through a day')
  await waitFor(() => expect(lastSent('retention/date')).toMatchObject({ seen: { retain_until: '2096-12-31' } }))
})

test('a hold is ended with a reason, and says when it has ended already', async () => {
  show('kept', { 'retention/release': { error_type: 'NOT_FOUND' } })
  await press('End the hold on DOE, JANE · MRN 4711')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Reason' }), 'Closed')
  await press('End the hold')
  expect(await screen.findByText('That is not here any more, or the hold has ended already.')).toBeTruthy()
})

test('what was purged is listed, empty and failed alike said in words', async () => {
  const { unmount } = show('purged', {
    'retention/purged': {
      exams: [
        {
          uuid: '7',
          at: '2026-03-04 03:00:00.000000+00',
          study_id: 's',
          study_uid: '2.25.9',
          namespace_name: '',
          deleted_at: null,
          deleted_by: '',
          operator: 'root',
          reason: 'Letter',
        },
      ],
      page: page(1),
    },
  })
  expect((await screen.findByRole('row', { name: /2.25.9/ })).textContent).toMatch(
    /A place that is gone.*Erased by root.*Letter/,
  )
  unmount()
  const empty = show('purged')
  expect(await screen.findByText('No exam has been removed for good.')).toBeTruthy()
  empty.unmount()
  show('purged', { 'retention/purged': 500 })
  expect(await screen.findByText('The purged exams could not be loaded.')).toBeTruthy()
})

test('nobody else opens the page', async () => {
  show('rules', {}, { study_view: 1 })
  expect(await screen.findByText(/Only people who may keep and purge exams/)).toBeTruthy()
  expect(sentCalls).toEqual([])
})
