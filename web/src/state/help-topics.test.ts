import { expect, test } from 'vitest'
import type { ExamTab } from './exam-tabs.ts'
import { helpTopicAt, helpTopics } from './help-topics.ts'

const tabs: Record<ExamTab, string> = {
  summary: 'exam',
  viewer: 'view',
  download: 'download',
  share: 'share',
  sendExams: 'share',
  pacs: 'gate',
  editMRN: 'correct',
  deleteExams: 'delete',
  attachments: 'attachments',
  reports: 'reports',
  orders: 'orders',
  pendingRequests: 'requests',
  exchange: 'gate',
  process: 'gate',
}

test.each(Object.entries(tabs))('the help opens from the tab %s at the part %s, on every list', (tab, topic) => {
  for (const path of ['/group/0', '/group/7/Deleted', '/worklist', '/orders'])
    expect(helpTopicAt(path, { study: 's', tab })).toBe(topic)
  expect(helpTopics).toContain(topic)
})

test.each([
  ['/group/0', {}, 'find'],
  ['/group/list', {}, 'find'],
  ['/group/7/Queued', { study: 's' }, 'exam'],
  ['/worklist', {}, 'worklist'],
  ['/worklist', { study: 's' }, 'exam'],
  ['/orders', {}, 'orders'],
  ['/upload', {}, 'upload'],
  ['/study/upload', {}, 'upload'],
  ['/study/request/7', {}, 'requests'],
  ['/study/retrieve/7', {}, 'retrieve'],
  ['/account-settings/keys', {}, 'settings'],
  ['/administration/audit', {}, 'administration'],
  ['/forgot-password', {}, 'signIn'],
  ['/group/0', { tab: 'constructor' }, 'find'],
  ['/404', {}, undefined],
])('the help opens from %s with %j at %s', (path, search, topic) => {
  expect(helpTopicAt(path, search)).toBe(topic)
})
