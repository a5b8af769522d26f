import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { historyChanges } from '../../queries/study-history.ts'
import { changeText } from './history-change.ts'

const field = { uuid: 'f', required: 0, ui_json: {}, value: '' }
const study = makeStudy({
  customfields: [
    { ...field, name: 'Asked on', type: 'date', options: {} },
    { ...field, name: 'Urgency', type: 'select', options: { values: ['u'], labels: ['Urgent'] } },
    { ...field, name: 'Dose', type: 'number', options: { field_label: 'Dose in mSv' } },
  ],
})
const change = (name: string, before: string, after: string, label?: string) =>
  changeText({ name, label, before, after }, study, 'DD-MM-YYYY', 'UTC')

test('the history writes values as the summary does', () => {
  expect(change('patient_birth_date', '19610305', '', 'Date of birth')).toBe('Date of birth: 05-03-1961 → —')
  expect(change('study_time', '', '081500', 'Time')).toBe('Time: — → 08:15')
  expect(change('patient_name', 'DOE^JANE', 'Kovač^Luka', 'Patient name')).toBe('Patient name: DOE, JANE → KOVAČ, Luka')
  expect(change('Asked on', '', '2024-03-01')).toBe('Asked on: — → 01-03-2024')
  expect(change('Urgency', '', 'u')).toBe('Urgency: — → Urgent')
  expect(change('Dose', '1', '12.5')).toBe('Dose in mSv: 1 → 12.5')
  expect(change('expires_at', '2026-03-11 10:00:00.000000+00', '', 'Access ends')).toBe(
    'Access ends: 11-03-2026 10:00 → —',
  )
})

test('values that read alike, and those that are no date, are shown as they are kept', () => {
  expect(change('patient_name', 'DOE^JANE', 'DOE^JANE^^', 'Patient name')).toBe('Patient name: DOE^JANE → DOE^JANE^^')
  expect(change('study_time', 'noon', '081500', 'Time')).toBe('Time: noon → 08:15')
  expect(change('a field of before', 'a', 'b')).toBe('a field of before: a → b')
})

test('a change of the work status stands in words', () => {
  const changes = historyChanges({ action: 'EDIT', detail: { work_status: ['new', 'in_progress'] } })
  expect(changes.map((one) => changeText(one, study, 'DD-MM-YYYY', 'UTC'))).toEqual(['Work status: New → In progress'])
})
