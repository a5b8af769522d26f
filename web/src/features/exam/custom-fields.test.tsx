import type { CustomField } from '@hilum/contract/entities/page-fields'
import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeNomination } from '../../../test/make-nomination.ts'
import { makeStudy } from '../../../test/make-study.ts'
import { lastSent, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { clearDrafts } from '../../state/drafts.ts'
import { CustomFields } from './custom-fields.tsx'
import { ExchangeTab } from './exchange-tab.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  act(clearDrafts)
})

const field = (uuid: string, given: Partial<CustomField> = {}): CustomField => ({
  uuid,
  name: uuid,
  type: 'text',
  value: '',
  required: 0,
  options: null,
  ui_json: null,
  ...given,
})
const team = field('Team', { value: 'Stroke' })
const memo = field('Comment', { type: 'memo' })
const urgency = field('Urgency', {
  type: 'select',
  options: { values: ['r', 'u'], labels: ['Routine', 'Urgent'], field_label: 'How soon' },
})
const side = field('Side', { type: 'radio', options: { values: ['Left', 'Right'] }, required: 1 })
const number = field('Weight', { type: 'number' })

function show(fields: CustomField[], permissions: Record<string, number | string> = { study_edit: 1 }, more = {}) {
  const study = makeStudy({ uuid: 'one', customfields: fields, permissions, ...more })
  return showSignedIn(<CustomFields study={study} fields={fields} page="summary" />)
}
const edit = () => userEvent.click(screen.getByRole('button', { name: 'Edit the fields' }))
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))

test('[ENTITY-30] [PROCESS-19] text, memo, select and radio are filled under a lock; only what changed is sent', async () => {
  show([team, memo, urgency, side])
  await edit()
  const first = await screen.findByRole('textbox', { name: 'Team' })
  expect(document.activeElement).toBe(first)
  await userEvent.type(screen.getByRole('textbox', { name: 'Comment' }), 'one{Enter}two')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'How soon' }), 'Urgent')
  await userEvent.click(screen.getByRole('radio', { name: 'Left' }))
  await save()
  await screen.findByText('The fields were saved.')
  expect(sentCalls.map(({ path }) => path).slice(0, 3)).toEqual(['study/lock', 'study/set', 'study/unlock'])
  expect(lastSent('study/set')).toEqual({
    study_id: 'one',
    'customfield-Comment': 'one\ntwo',
    'customfield-Urgency': 'u',
    'customfield-Side': 'Left',
  })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit the fields' }))
})

test('[ENTITY-30] what is required or of the wrong kind is told in words by its field, and nothing is sent', async () => {
  show([team, side, number])
  await edit()
  await userEvent.type(await screen.findByRole('textbox', { name: 'Weight' }), 'heavy')
  expect(screen.getByText('Please enter a number, such as 12.5.')).toBeTruthy()
  await save()
  expect(screen.getByText('This field is required.')).toBeTruthy()
  expect((document.activeElement as HTMLInputElement).type).toBe('radio')
  expect(lastSent('study/set')).toBeUndefined()
})

test('[ENTITY-30] what only the server refuses is told by the name of the field, and what was typed stays', async () => {
  show([team])
  vi.stubGlobal('fetch', async (address: string) => {
    if (!address.endsWith('study/set')) return Response.json({ status: 'OK' })
    const refusal = { error_type: 'INVALID_CUSTOMFIELD', error_subtype: ['Team: longer than 3 characters'] }
    return Response.json({ status: 'ERROR', ...refusal }, { status: 412 })
  })
  await edit()
  const input = await screen.findByRole('textbox', { name: 'Team' })
  await userEvent.type(input, 'x')
  await save()
  expect(within(await screen.findByRole('alert')).getByText('Team: longer than 3 characters')).toBeTruthy()
  expect(input).toHaveProperty('value', 'Strokex')
})

test('what was typed outlasts leaving the form, and Cancel throws it away', async () => {
  const { unmount } = show([team])
  await edit()
  await userEvent.type(await screen.findByRole('textbox', { name: 'Team' }), ' unit')
  unmount()
  show([team])
  expect(await screen.findByRole('textbox', { name: 'Team' })).toHaveProperty('value', 'Stroke unit')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.getByText('Stroke')).toBeTruthy()
})

test('nothing is edited without the right, a field that the role leaves for reading is only read', async () => {
  const { unmount } = show([team], {})
  expect(screen.queryByRole('button', { name: 'Edit the fields' })).toBeNull()
  unmount()
  show([team, memo], { study_edit: 1, study_field_customfield_Team: 'O' })
  await edit()
  expect(await screen.findByRole('textbox', { name: 'Comment' })).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: 'Team' })).toBeNull()
  expect(screen.getByText('Stroke')).toBeTruthy()
})

test('while somebody else edits the study nothing can be saved, and it says so', async () => {
  show([team], { study_edit: 1 }, { is_locked: 1, locked_by_name: 'Mel' })
  await edit()
  await screen.findByText(/Somebody else is editing this study/)
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
})

test('[EXCHANGE-01] the exchange page has the fields of the exam and the custom ones that name it', () => {
  const onPage = { ui_json: { show_on_pages: ['exchange'] } }
  const customfields = [field('Named', { ...onPage, value: 'v' }), field('Other', { value: 'hidden here' })]
  const exam = { patient_name: 'DOE^JANE', accession_number: 'A-77', study_description: 'CT head' }
  showSignedIn(<ExchangeTab study={makeStudy({ ...exam, customfields, permissions: { study_edit: 1 } })} />)
  for (const text of ['DOE, JANE', 'A-77', 'CT head']) expect(screen.getByText(text)).toBeTruthy()
  expect(screen.getByText('Named')).toBeTruthy()
  expect(screen.queryByText('Other')).toBeNull()
  expect(screen.getByRole('button', { name: 'Edit the fields' })).toBeTruthy()
})

test('[PROCESS-17] the fields of an exam that the gatekeeper group rejected are not filled there', () => {
  const shown = show([team], undefined, { nomination: makeNomination({ side: 'gate', state: 'rejected' }) })
  expect(screen.queryByRole('button', { name: 'Edit the fields' })).toBeNull()
  shown.unmount()
  show([team], undefined, { nomination: makeNomination({ side: 'source', state: 'rejected' }) })
  expect(screen.getByRole('button', { name: 'Edit the fields' })).toBeTruthy()
})
