import type { Study } from '@hilum/contract/entities/study'
import type { Designation, StudyState } from '@hilum/contract/inbox-config'
import type { Act } from '@hilum/contract/acts'
import { may, mayChangeField, mayOnAll } from '../../session/use-may.ts'
import type { ExamTab } from '../../state/exam-tabs.ts'

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

/** Acts that tabs need the right to, of several to any; a tab without an entry needs the study alone. */
const needs: Partial<Record<ExamTab, Act | readonly Act[]>> = {
  viewer: 'viewStudy',
  download: 'downloadExam',
  share: 'shareExam',
  editMRN: 'editStudy',
  pacs: ['nominateStudy', 'pushStudy'],
  sendExams: 'sendExams',
  attachments: 'seeAttachments',
  deleteExams: 'deleteStudy',
  pendingRequests: 'seePendingRequests',
}

/** PANEL-06: what can be done with several; the first is the default (PANEL-07). */
const multiTabs = ['download', 'share', 'sendExams', 'deleteExams'] as const satisfies readonly ExamTab[]
export type MultiTab = (typeof multiTabs)[number]

/** PERM-01: a tab for several studies needs every one of them to grant it. Deleted ones are out of reach until restored. */
export function visibleMultiTabs(studies: readonly Pick<Study, 'permissions' | 'is_deleted'>[]): readonly MultiTab[] {
  if (studies.some((study) => study.is_deleted === 1)) return []
  const flags = studies.map(({ permissions }) => permissions)
  return multiTabs.filter((tab) => {
    const need = needs[tab]
    return need !== undefined && [need].flat().some((act) => mayOnAll(act, flags))
  })
}

/** The tabs to show for this study to this person. */
export function visibleTabs(designation: Designation | undefined, study: Pick<Study, 'source' | 'permissions'>) {
  return tabSetOf(designation, study).filter((tab) => {
    const need = needs[tab]
    if (tab === 'editMRN' && !mayChangeField('patientid', study.permissions)) return false
    return need === undefined || [need].flat().some((act) => may(act, study.permissions))
  })
}

/** PANEL-07: exchange with the shared-with-group filter, process for a gatekeeper group, else summary. */
export function defaultTab(designation: Designation | undefined, state: StudyState, tabs: readonly ExamTab[]): ExamTab {
  const wanted: ExamTab[] = []
  if (state === 'Shared w/ group') wanted.push('exchange')
  if (designation === 'GATEKEEPER') wanted.push('process')
  return wanted.find((tab) => tabs.includes(tab)) ?? 'summary'
}
