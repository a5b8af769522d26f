import { expect, test } from 'vitest'
import { defaultTab, examTabs, tabSetOf, visibleTabs } from './tab-sets.ts'

const own = { source: 'upload' } as const
const all = { source: 'upload', permissions: { study_view: 1, study_download: 1 } } as const

test('[PANEL-03] [PANEL-04] [PANEL-05] each group type has its tabs, with exchange for what was shared into a cloud group', () => {
  expect(tabSetOf('GATEKEEPER', own)).toEqual(['summary', 'exchange', 'viewer', 'download', 'attachments', 'process'])
  expect(tabSetOf('LIBRARY', own)).toContain('exchange')
  expect(tabSetOf('CLOUD', own)).not.toContain('exchange')
  expect(tabSetOf('CLOUD', { source: 'share' })).toContain('exchange')
})

test('tabs without a view or without the permission are not shown', () => {
  expect(visibleTabs('CLOUD', all)).toEqual(['summary', 'viewer', 'download'])
  expect(visibleTabs('CLOUD', { source: 'upload', permissions: {} })).toEqual(['summary'])
})

test('[PANEL-07] the default tab: exchange, process, else summary', () => {
  expect(defaultTab('CLOUD', 'Shared w/ group', examTabs)).toBe('exchange')
  expect(defaultTab('GATEKEEPER', 'Nominations', examTabs)).toBe('process')
  expect(defaultTab('CLOUD', 'Inbox', examTabs)).toBe('summary')
  expect(defaultTab('GATEKEEPER', 'Nominations', ['summary'])).toBe('summary')
})

test('[MRN-01] there is no Edit MRN where the role leaves the MRN for reading only, or hides it', () => {
  const tabs = (letter: string) =>
    visibleTabs('CLOUD', { source: 'upload', permissions: { study_edit: 1, study_field_patientid: letter } })
  expect(tabs('R')).toContain('editMRN')
  for (const letter of ['O', 'H']) expect(tabs(letter)).not.toContain('editMRN')
})
