import { expect, test } from 'vitest'
import { datesOf, findSearchFault, type RetrieveFields } from './retrieve-rules.ts'

const today = '2026-03-04'
const options: RetrieveFields = {
  destinations: ['d1'],
  name: 'Silva',
  mrn: '',
  accession: '',
  description: '',
  modality: '',
  mode: 'any',
  from: '',
  to: '',
}

test.each<[string, Partial<RetrieveFields>, string | undefined]>([
  ['no destination', { destinations: [] }, 'retrieve.fault.destination'],
  ['nothing to search for', { name: ' ' }, 'retrieve.fault.value'],
  ['a modality alone', { name: '', modality: 'CT' }, undefined],
  ['a date alone', { name: '', mode: 'equal', from: '2026-01-02' }, 'retrieve.fault.value'],
  ['between with one date', { mode: 'between', from: '2026-01-02' }, 'retrieve.fault.between'],
  ['between with neither', { mode: 'between' }, undefined],
  ['a date in the future', { mode: 'after', from: '2026-03-05' }, 'retrieve.fault.future'],
  [
    '[RETRIEVE-09] an end in the future',
    { mode: 'between', from: '2026-01-02', to: '2026-03-05' },
    'retrieve.fault.future',
  ],
  ['an end before its start', { mode: 'between', from: '2026-01-02', to: '2026-01-01' }, 'retrieve.fault.order'],
  ['a mode without its date', { mode: 'before' }, 'retrieve.fault.date'],
  ['today', { mode: 'equal', from: today }, undefined],
])('[RETRIEVE-07] [RETRIEVE-08] [RETRIEVE-09] %s', (_what, part, fault) => {
  expect(findSearchFault({ ...options, ...part }, today)).toBe(fault)
})

test('[RETRIEVE-06] each mode asks for whole days', () => {
  const day = { from: '2025-12-31', to: '2026-01-02' }
  expect(datesOf({ mode: 'equal', ...day })).toEqual({ start_datetime: '2025-12-31', end_datetime: '2026-01-01' })
  expect(datesOf({ mode: 'between', ...day })).toEqual({ start_datetime: '2025-12-31', end_datetime: '2026-01-03' })
  expect(datesOf({ mode: 'before', ...day })).toEqual({ end_datetime: '2025-12-31' })
  expect(datesOf({ mode: 'after', ...day })).toEqual({ start_datetime: '2026-01-01' })
  expect(datesOf({ mode: 'any', ...day })).toEqual({})
})
