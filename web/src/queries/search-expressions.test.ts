import { modalities } from '@hilum/contract/modalities'
import { expect, test } from 'vitest'
import { noFilters } from '../state/search-filters.ts'
import { readBirthDate, toExpressions } from './search-expressions.ts'

const today = '2026-11-21'

test('[SEARCH-05] [SEARCH-12] every field goes to the wire: accession and identifiers exactly, other text in part', () => {
  const filters = {
    patientName: 'doe%jane',
    number: ' 4711 ',
    mrn: 'M1',
    birthDate: '05-21-1980',
    sex: 'F',
    accession: ' A1 ',
    referring: 'lee',
    modalities: ['CT', 'MR'],
    starred: '1',
    thin: '0',
    unread: '1',
    work: 'open',
    mixed: '1',
    incomplete: '1',
    studyUid: '1.2.3',
    studyUuid: 'abc',
    sourceTitle: 'GW',
    destinationTitle: 'PACS',
    studyDate: { preset: 'last3Days' },
    uploaded: { preset: 'custom', from: '2026-01-01', to: '2026-01-31' },
    tags: ['stat'],
    description: 'chest\nct',
  } as const
  expect(toExpressions(filters, today)).toEqual({
    'filter.patient_name.like': '%doe%jane%',
    'filter.SMART_SEARCH.equals': '4711',
    'filter.patientid.like': '%M1%',
    'filter.patient_birth_date.equals': '19800521',
    'filter.patient_sex.equals': 'F',
    'filter.accession_number.equals': 'A1',
    'filter.referring_physician.like': '%lee%',
    'filter.modality.in': ['CT', 'MR'],
    'filter.star.equals': '1',
    'filter.thin.equals': '0',
    'filter.unread.equals': '1',
    'filter.work_status.in': ['new', 'in_progress'],
    'filter.mixed_patients.equals': '1',
    'filter.arrival.in': ['receiving', 'incomplete'],
    'filter.study_uid.like': '%1.2.3%',
    'filter.uuid.equals': 'abc',
    'filter.source_ae_title.like': '%GW%',
    'filter.destination_ae_title.like': '%PACS%',
    'filter.study_date.ge': '20261119',
    'filter.study_date.le': '20261121',
    'filter.created.ge': '2026-01-01 00:00:00',
    'filter.created.lt': '2026-02-01 00:00:00',
    'filter.tags.in': ['stat'],
    'filter.study_description.like': '%chest ct%',
  })
})

test('a study that is complete, one status, and no status', () => {
  expect(toExpressions({ ...noFilters, incomplete: '0', work: 'done' }, today)).toEqual({
    'filter.arrival.equals': 'complete',
    'filter.work_status.equals': 'done',
  })
  expect(toExpressions({ ...noFilters, work: 'of an older release' }, today)).toEqual({})
})

test('an empty search, and all modalities, ask for nothing in particular', () => {
  expect(toExpressions(noFilters, today)).toEqual({})
  expect(toExpressions({ ...noFilters, modalities: modalities.map(({ code }) => code) }, today)).toEqual({})
})

test.each([
  ['05-21-1980', '19800521'],
  ['5-1-1980', '19800501'],
  ['02-30-1980', undefined],
  ['1980-05-21', undefined],
  ['soon', undefined],
])('[SEARCH-13] a date of birth %s is read as %s', (typed, read) => {
  expect(readBirthDate(typed)).toBe(read)
})
