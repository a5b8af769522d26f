import { expect, test } from 'vitest'
import { noFilters } from '../../state/search-filters.ts'
import { recognise, withTyped } from './recognise.ts'

test.each([
  ["o'connor", 'patientName', "o'connor"],
  ['DOE%JANE', 'patientName', 'DOE%JANE'],
  ['FILLER12^CASE', 'patientName', 'FILLER12^CASE'],
  [' NS-100245 ', 'number', 'NS-100245'],
  ['4711', 'number', '4711'],
  ['1.2.840.113619', 'studyUid', '1.2.840.113619'],
  ['.113619.2.', 'studyUid', '.113619.2.'],
  ['33187212958231109', 'studyUid', '33187212958231109'],
  ['#Follow up', 'tag', 'Follow up'],
])('%j is read as %s', (typed, kind, text) => {
  expect(recognise(typed)).toEqual({ kind, text })
})

test.each(['', '  ', '#'])('%j means nothing yet', (typed) => {
  expect(recognise(typed)).toBeUndefined()
})

test('what is typed takes the place of what the field showed, whatever kind both are of, and leaves other fields', () => {
  const before = { ...noFilters, patientName: 'doe', sex: 'F' }
  expect(withTyped(before, '4711')).toEqual({ ...noFilters, number: '4711', sex: 'F' })
  expect(withTyped({ ...noFilters, number: '4711' }, '1.2.3')).toEqual({ ...noFilters, studyUid: '1.2.3' })
  // Of a filled name and UID the name is in the field.
  expect(withTyped({ ...before, studyUid: '1.2' }, 'roe')).toEqual({ ...before, patientName: 'roe', studyUid: '1.2' })
  expect(withTyped(before, '')).toEqual({ ...before, patientName: '' })
})

test('a tag is added once, and the field is empty again', () => {
  const tagged = withTyped({ ...noFilters, tags: ['stat'] }, '#trauma')
  expect(tagged.tags).toEqual(['stat', 'trauma'])
  expect(withTyped(tagged, '#trauma').tags).toEqual(['stat', 'trauma'])
  expect(withTyped(tagged, '#Traumà').tags).toEqual(['stat', 'trauma'])
})
