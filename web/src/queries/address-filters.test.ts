import { modalities } from '@hilum/contract/modalities'
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { datePresets } from '../format/date-range.ts'
import { readAddressFilters } from '../state/list-search.ts'
import { filledFields, noFilters, type SearchFilters } from '../state/search-filters.ts'
import { fromAddress, hasFilters, isOpenSearch, readAddressFaults, toAddress } from './address-filters.ts'
import { workFilters } from './search-expressions.ts'

/** A search through an address as the router writes and reads it. */
function throughAddress(filters: SearchFilters): SearchFilters {
  const written = defaultStringifySearch(toAddress(filters))
  return { ...noFilters, ...fromAddress(readAddressFilters(defaultParseSearch(written))) }
}

const choices = ['1', '0'] as const
const open: Partial<SearchFilters>[] = [
  ...workFilters.filter((work) => work !== 'any').map((work) => ({ work })),
  ...(['starred', 'thin', 'unread', 'mixed', 'incomplete'] as const).flatMap((field) =>
    choices.map((choice) => ({ [field]: choice })),
  ),
  ...modalities.map(({ code }) => ({ modalities: [code] })),
  { modalities: ['CT', 'MR', 'US'] },
  ...datePresets.filter((preset) => preset !== 'all').map((preset) => ({ studyDate: { preset } })),
  ...datePresets.map((preset) => ({ uploaded: { preset } })),
  { studyDate: { preset: 'custom', from: '2024-02-29', to: '2026-01-01' } },
  { uploaded: { preset: 'custom', from: '2026-01-01', to: '2026-01-01' } },
]

test('every filter that names no patient goes through an address, alone and beside all others', () => {
  for (const filter of open) {
    const filters = { ...noFilters, ...filter }
    expect(throughAddress(filters)).toEqual(filters)
    expect(isOpenSearch(filters)).toBe(true)
  }
  const all: SearchFilters = Object.assign({}, noFilters, ...open)
  expect(throughAddress(all)).toEqual(all)
})

test('what a person typed never stands in an address, whichever field it is in', () => {
  const secret = 'Roe^Jane'
  const typed: SearchFilters = {
    ...noFilters,
    patientName: secret,
    number: secret,
    mrn: secret,
    birthDate: secret,
    sex: secret,
    accession: secret,
    referring: secret,
    modalities: [secret],
    work: secret,
    studyUid: secret,
    studyUuid: secret,
    sourceTitle: secret,
    destinationTitle: secret,
    tags: [secret],
    description: secret,
  }
  expect(hasFilters(toAddress(typed))).toBe(false)
  for (const field of filledFields(typed)) {
    expect([field, isOpenSearch({ ...noFilters, [field]: typed[field] })]).toEqual([field, false])
  }
})

test('what nobody knows is left out and told', () => {
  const address = readAddressFilters({
    work: 'any',
    modality: 'CT.XX',
    starred: 1,
    thin: 'yes',
    exam: '2026-02-30_2026-03-01',
    uploaded: '2026-03-02_2026-03-01',
    mixed: '',
  })
  expect(fromAddress(address)).toEqual(fromAddress({ thin: 'yes' }))
  expect(readAddressFaults(address)).toEqual([
    { field: 'work', value: 'any' },
    { field: 'modalities', value: 'CT.XX' },
    { field: 'starred', value: '1' },
    { field: 'studyDate', value: '2026-02-30_2026-03-01' },
    { field: 'uploaded', value: '2026-03-02_2026-03-01' },
  ])
})
