import type { Study } from '@hilum/contract/entities/study'
import { expect, test } from 'vitest'
import { defaultTab, tabSetOf, visibleMultiTabs, visibleTabs, withReports } from './tab-sets.ts'

/** Tabs of somebody who holds nothing but the flags of the study. */
const tabsFor = (...[designation, study]: [Parameters<typeof visibleTabs>[0], Parameters<typeof visibleTabs>[1]]) =>
  visibleTabs(designation, study, {})

const own = { source: 'upload' } as const
const all = { source: 'upload', permissions: { study_view: 1, study_download: 1 } } as const

test('[PANEL-03] [PANEL-04] [PANEL-05] each group type has its tabs, with exchange for what was shared into a cloud group', () => {
  expect(tabSetOf('GATEKEEPER', own)).toEqual(['summary', 'exchange', 'viewer', 'download', 'attachments', 'process'])
  const library = 'summary exchange viewer download share editMRN sendExams attachments pendingRequests'
  const cloud = 'summary viewer download pacs share editMRN sendExams attachments pendingRequests'
  expect(tabSetOf('LIBRARY', own)).toEqual(library.split(' '))
  expect(tabSetOf('CLOUD', own)).toEqual(cloud.split(' '))
  expect(tabSetOf('CLOUD', { source: 'share' })).toEqual([...cloud.split(' '), 'exchange'])
})

test('tabs without a view or without the permission are not shown', () => {
  expect(tabsFor('CLOUD', all)).toEqual(['summary', 'viewer', 'download'])
  expect(tabsFor('CLOUD', { source: 'upload', permissions: {} })).toEqual(['summary'])
})

test('[PERM-10][PANEL-04][PANEL-05][PANEL-06] the Share tab takes the right to share, and one to people, to groups or to locations', () => {
  const sharing = (permissions: Record<string, number>) => tabsFor('CLOUD', { source: 'upload', permissions })
  expect(sharing({ study_share: 1, study_share_user: 1 })).toContain('share')
  expect(sharing({ study_share: 1, study_share_group: 1 })).toContain('share')
  expect(sharing({ study_share: 1, study_share_location: 1 })).toContain('share')
  expect(sharing({ study_share_location: 1 })).not.toContain('share')
  expect(tabsFor('LIBRARY', { source: 'share', permissions: { study_share: 1, study_share_user: 1 } })).toContain(
    'share',
  )
  expect(sharing({ study_share: 1 })).not.toContain('share')
  expect(sharing({ study_share_user: 1, study_share_group: 1 })).not.toContain('share')
  const flags: Record<string, number>[] = [{ study_share: 1, study_share_user: 1 }, {}]
  const studies = flags.map((permissions) => ({ permissions, is_deleted: 0 }))
  expect(visibleMultiTabs(studies.slice(0, 1))).toEqual(['share'])
  expect(visibleMultiTabs(studies)).toEqual([])
  expect(
    tabsFor('GATEKEEPER', { source: 'upload', permissions: { study_share: 1, study_share_user: 1 } }),
  ).not.toContain('share')
})

test('[PERM-11][PANEL-02][PANEL-04][PANEL-05][PANEL-06] Send exams takes the right to share, and one to a way of sending', () => {
  const ways = ['study_share_account', 'study_share_email', 'study_share_share_code']
  for (const way of ways) {
    const permissions = { study_share: 1, [way]: 1 }
    for (const group of ['CLOUD', 'LIBRARY'] as const)
      expect(tabsFor(group, { source: 'upload', permissions })).toContain('sendExams')
    expect(tabsFor('GATEKEEPER', { source: 'upload', permissions })).not.toContain('sendExams')
    expect(tabsFor('CLOUD', { source: 'upload', permissions: { [way]: 1 } })).not.toContain('sendExams')
    expect(visibleMultiTabs([{ permissions, is_deleted: 0 }])).toEqual(['sendExams'])
    const without = { permissions: { study_share: 1 }, is_deleted: 0 }
    expect(visibleMultiTabs([{ permissions, is_deleted: 0 }, without])).toEqual([])
  }
  expect(tabsFor('CLOUD', { source: 'upload', permissions: { study_share: 1 } })).not.toContain('sendExams')
})

test.each(['CLOUD', 'LIBRARY'] as const)(
  '[PERM-19] studies of a %s group are viewed, shared and downloaded',
  (group) => {
    const permissions = { study_view: 1, study_download: 1, study_share: 1, study_share_group: 1 }
    for (const source of ['upload', 'share'] as const)
      expect(tabsFor(group, { source, permissions })).toEqual(expect.arrayContaining(['viewer', 'download', 'share']))
  },
)

test('[PANEL-04] PACS takes the right to nominate or to push', () => {
  const tabs = (permissions: Record<string, number>) => tabsFor('CLOUD', { source: 'upload', permissions })
  expect(tabs({ study_share: 1, study_share_group: 1 })).toContain('pacs')
  expect(tabs({ study_push: 1 })).toContain('pacs')
  expect(tabs({ study_share: 1, study_share_user: 1 })).not.toContain('pacs')
})

test('[PANEL-07] the default tab: exchange, process, else summary', () => {
  const tabs = ['summary', 'viewer', 'exchange', 'process'] as const
  expect(defaultTab('CLOUD', 'Shared w/ group', tabs)).toBe('exchange')
  expect(defaultTab('GATEKEEPER', 'Nominations', tabs)).toBe('process')
  expect(defaultTab('CLOUD', 'Inbox', tabs)).toBe('summary')
  expect(defaultTab('GATEKEEPER', 'Nominations', ['summary'])).toBe('summary')
})

test('a study of a gatekeeper group has Process once it is nominated, and not before', () => {
  const study = { source: 'share', permissions: {} } as const
  expect(tabsFor('GATEKEEPER', study)).not.toContain('process')
  const nomination = {} as NonNullable<Study['nomination']> // whether there is one decides
  expect(tabsFor('GATEKEEPER', { ...study, nomination })).toContain('process')
})

test('there is no Edit MRN where the role leaves the MRN for reading only, or hides it', () => {
  const tabs = (letter: string) =>
    tabsFor('CLOUD', { source: 'upload', permissions: { study_edit: 1, study_field_patientid: letter } })
  expect(tabs('R')).toContain('editMRN')
  for (const letter of ['O', 'H']) expect(tabs(letter)).not.toContain('editMRN')
})

test('Reports stand after the viewer, and after the summary where there is no viewer', () => {
  for (const group of ['CLOUD', 'LIBRARY', 'GATEKEEPER'] as const) {
    const tabs = tabSetOf(group, own)
    const shown = withReports(tabs)
    expect(shown[shown.indexOf('viewer') + 1]).toBe('reports')
    expect(shown.filter((tab) => tab !== 'reports')).toEqual(tabs)
  }
  expect(withReports(['summary', 'attachments'])).toEqual(['summary', 'reports', 'attachments'])
})
