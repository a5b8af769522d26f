import type { Study } from '@hilum/contract/entities/study'
import type { Designation, StudyState } from '@hilum/contract/inbox-config'
import { may } from '../../session/use-may.ts'

/** PANEL-02 */
export const examTabs = [
  'summary',
  'viewer',
  'download',
  'share',
  'pacs',
  'editMRN',
  'sendExams',
  'attachments',
  'deleteExams',
  'exchange',
  'process',
  'pendingRequests',
] as const
export type ExamTab = (typeof examTabs)[number]

/** PANEL-03…05 */
const tabSets: Record<Designation, readonly ExamTab[]> = {
  GATEKEEPER: ['summary', 'exchange', 'viewer', 'download', 'attachments', 'process'],
  LIBRARY: [
    'summary',
    'exchange',
    'viewer',
    'download',
    'share',
    'editMRN',
    'sendExams',
    'attachments',
    'pendingRequests',
  ],
  CLOUD: ['summary', 'viewer', 'download', 'pacs', 'share', 'editMRN', 'sendExams', 'attachments', 'pendingRequests'],
}

/** The tab set of a group type, as the specification has it (PANEL-03…05). */
export function tabSetOf(designation: Designation | undefined, study: Pick<Study, 'source'>): readonly ExamTab[] {
  const tabs = tabSets[designation ?? 'CLOUD']
  return designation !== 'GATEKEEPER' && study.source === 'share' && !tabs.includes('exchange')
    ? [...tabs, 'exchange']
    : tabs
}

/** Tabs that have a view. One that has none is not shown. */
const builtTabs: ReadonlySet<ExamTab> = new Set(['summary', 'viewer', 'download'])

/** The tabs to show for this study to this person. */
export function visibleTabs(designation: Designation | undefined, study: Pick<Study, 'source' | 'permissions'>) {
  return tabSetOf(designation, study).filter((tab) => {
    if (!builtTabs.has(tab)) return false
    if (tab === 'viewer') return may('viewStudy', study.permissions)
    if (tab === 'download') return may('downloadExam', study.permissions)
    return true
  })
}

/** PANEL-07: exchange with the shared-with-group filter, process for a gatekeeper group, else summary. */
export function defaultTab(designation: Designation | undefined, state: StudyState, tabs: readonly ExamTab[]): ExamTab {
  const wanted: ExamTab[] = []
  if (state === 'Shared w/ group') wanted.push('exchange')
  if (designation === 'GATEKEEPER') wanted.push('process')
  return wanted.find((tab) => tabs.includes(tab)) ?? 'summary'
}
