import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import type { Study } from '@hilum/contract/entities/study'
import { ApiFailure } from '../../api/api-failure.ts'
import { mrnsSeenOf } from '../../queries/exam-acts.ts'
import { byFile } from '../../queries/attachments.ts'
import { historyChanges, historyLabel } from '../../queries/study-history.ts'
import { fieldLabel, fieldText, showsOn } from '../../fields/custom-field-text.ts'
import { ordersFailure } from './orders-tab.tsx'
import { pictureless } from './pictureless.ts'
import { visibleMultiTabs } from './tab-sets.ts'

test('[EXCHANGE-01] a custom field shows on the pages that its ui_json names, however that is written', () => {
  expect(showsOn({ ui_json: { show_on_pages: ['summary', 'exchange'] } }, 'exchange')).toBe(true)
  expect(showsOn({ ui_json: '{"show_on_pages":"summary, exchange"}' }, 'exchange')).toBe(true)
  expect(showsOn({ ui_json: { show_on_pages: ['exchanges'] } }, 'exchange')).toBe(false)
  for (const ui_json of [null, '', '{', 7, [], {}]) expect(showsOn({ ui_json }, 'exchange')).toBe(false)
})

test('values read as people write them, by the type of their field', () => {
  const field = (type: string, value: string, options: unknown = null) =>
    fieldText({ type, value, options }, 'DD/MM/YYYY')
  expect(field('date', '2026-03-01')).toBe('01/03/2026')
  expect(field('checkbox', '1')).toBe('Yes')
  expect(field('bool', '0')).toBe('No')
  expect(field('select', 'u', { values: ['r', 'u'], labels: ['Routine', 'Urgent'] })).toBe('Urgent')
  expect(field('multiselect', 'r,x', { values: ['r'], labels: ['Routine'] })).toBe('Routine, x')
  expect(field('text', '<b>1</b>')).toBe('<b>1</b>')
  expect(field('date', '')).toBe('')
  expect(fieldLabel({ name: 'ward', options: { field_label: 'Ward' } })).toBe('Ward')
  expect(fieldLabel({ name: 'ward', options: null })).toBe('ward')
})

test.each([
  ['CREATE', 'Study', 'history.upload'],
  ['CREATE', 'Study_share', 'history.shared'],
  ['CREATE', 'User_invite_share', 'history.invite'],
  ['DELETE', 'Study_share', 'history.removeShare'],
  ['DELETE', 'User_invite_share', 'history.removeShare'],
  ['STUDY_DOWNLOAD', 'Study', 'history.download'],
  ['STUDY_VIEW', 'Study', 'history.view'],
  ['EDIT', 'Study', 'history.edit'],
  ['EDIT', 'Study_share', 'history.shareChanged'],
  ['CREATE', 'Elsewhere', undefined],
])('[SUMMARY-02] %s of %s shows as %s', (action, type, label) => {
  expect(historyLabel({ action, type })).toBe(label)
})

test('[SUMMARY-02] an edit says what stood there and what stands there now', () => {
  const detail = { patientid: ['M1', 'M2'], tags: ['', 'stat'], odd: 'text' }
  expect(historyChanges({ action: 'EDIT', detail })).toEqual([
    { name: 'patientid', label: 'MRN', before: 'M1', after: 'M2' },
    { name: 'tags', label: 'Tags', before: '', after: 'stat' },
  ])
  expect(historyChanges({ action: 'STUDY_VIEW', detail })).toEqual([])
})

test('[ERROR-14] [PERM-16] orders that cannot be shown say why', () => {
  expect(ordersFailure(new ApiFailure('NOT_PERMITTED'))).toBe('You are not permitted to view orders in this account')
  expect(ordersFailure(new ApiFailure('NOT_FOUND'))).toBe('The account can not be found')
  expect(ordersFailure(new ApiFailure('ERR_NETWORK'))).toBe('The orders could not be loaded.')
})

test('[PERM-01] of no study nothing is granted', () => {
  expect(visibleMultiTabs([])).toEqual([])
})

test('[PANEL-06] [PANEL-07] [PERM-01] several have the tabs that every one of them grants; download comes first', () => {
  const may = (...names: string[]) => ({
    permissions: Object.fromEntries(names.map((name) => [name, 1])),
    is_deleted: 0,
  })
  const both = may('study_download', 'study_delete')
  expect(visibleMultiTabs([both, both])).toEqual(['download', 'deleteExams'])
  expect(visibleMultiTabs([both, may('study_download')])).toEqual(['download'])
  expect(visibleMultiTabs([both, may()])).toEqual([])
  expect(visibleMultiTabs([{ ...both, is_deleted: 1 }, both])).toEqual([])
})

test('the newest version of a file stands for it, those before it below', () => {
  const one = (id: string, version: string, stored: number) => ({ id, version, stored, filename: 'f', size: 1 })
  const files = byFile([one('a', '1', 1), one('b', '1', 2), one('a', '2', 3)])
  expect(files.map(({ id, version, earlier }) => [id, version, earlier.map((old) => old.version)])).toEqual([
    ['a', '2', ['1']],
    ['b', '1', []],
  ])
})

test('[SUMMARY-01] a series without pictures says what it is instead', () => {
  const of = (sop_class_uid: string) => pictureless({ modality: 'OT' }, { sop_class_uid })
  expect(of('1.2.840.10008.5.1.4.1.1.104.1')).toBe('A document')
  expect(of('1.2.840.10008.5.1.4.1.1.88.11')).toBe('A report')
  expect(of('1.2.840.10008.5.1.4.1.1.88.59')).toBe('Notes on images')
  expect(of('1.2.840.10008.5.1.4.1.1.2')).toBeUndefined()
})

test('an MRN that is empty or hidden tells no numbers of images that somebody saw', () => {
  const seen = (more: Partial<Study>) => mrnsSeenOf(makeStudy({ patientid: 'X-1', mixed_patients: 0, ...more }))
  expect(seen({})).toEqual({ seen_mrns: ['X-1'] })
  expect(seen({ image_mrns: ['X-1', 'Y-2'] })).toEqual({ seen_mrns: ['X-1', 'Y-2'] })
  expect(seen({ patientid: '' })).toEqual({})
  expect(seen({ mixed_patients: 1 })).toEqual({})
})
