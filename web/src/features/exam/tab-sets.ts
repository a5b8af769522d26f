import { studySet } from '@hilum/contract/calls/study'
import { studyDelete } from '@hilum/contract/calls/study-acts'
import { studyNominateForm } from '@hilum/contract/calls/study-nominate'
import { studyPush } from '@hilum/contract/calls/study-push'
import { studyRequests } from '@hilum/contract/calls/study-requests'
import { studyShare } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import type { Designation, StudyState } from '@hilum/contract/inbox-config'
import { studyDownload } from '@hilum/contract/routes/storage-acts'
import { attachmentVersion } from '@hilum/contract/routes/storage-attachments'
import { studySchema } from '@hilum/contract/routes/storage-studies'
import { type Decided, mayCall, mayCallOnAll, mayChangeField, partOf } from '../../session/use-may.ts'
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

/** Calls and routes that tabs need the right to, of several to any; a tab without an entry needs the study alone. */
const needs: Partial<Record<ExamTab, Decided | readonly Decided[]>> = {
  viewer: studySchema,
  download: studyDownload,
  share: [partOf(studyShare, 'user'), partOf(studyShare, 'group'), partOf(studyShare, 'location')],
  editMRN: partOf(studySet, 'fields'),
  pacs: [studyNominateForm, studyPush],
  sendExams: [partOf(studyShare, 'account'), partOf(studyShare, 'email'), partOf(studyShare, 'code')],
  attachments: attachmentVersion,
  deleteExams: studyDelete,
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
    return need !== undefined && [need].flat().some((one) => mayCallOnAll(one, flags))
  })
}

/** The tabs to show for this study to this person; a study without a nomination has nothing to process. */
export function visibleTabs(
  designation: Designation | undefined,
  study: Pick<Study, 'source' | 'permissions'> & { nomination?: Study['nomination'] },
  placeFlags: Readonly<Record<string, number>>,
) {
  return tabSetOf(designation, study).filter(
    (tab) => mayOpenTab(tab, study, placeFlags) && (tab !== 'process' || study.nomination !== undefined),
  )
}

/** The tabs with Reports after the viewer, or first after the summary where there is none: what readers look for first. */
export function withReports(tabs: readonly ExamTab[]): readonly ExamTab[] {
  return tabs.toSpliced(Math.max(tabs.indexOf('viewer'), 0) + 1, 0, 'reports')
}

/** Whether the person may do what a tab is for. */
export function mayOpenTab(
  tab: ExamTab,
  study: Pick<Study, 'permissions'>,
  placeFlags: Readonly<Record<string, number>>,
): boolean {
  if (tab === 'pendingRequests') return mayCall(studyRequests, placeFlags)
  const need = needs[tab]
  if (tab === 'editMRN' && !mayChangeField('patientid', study.permissions)) return false
  return need === undefined || [need].flat().some((one) => mayCall(one, study.permissions))
}

/** PANEL-07: exchange with the shared-with-group filter, process for a gatekeeper group, else summary. */
export function defaultTab(designation: Designation | undefined, state: StudyState, tabs: readonly ExamTab[]): ExamTab {
  const wanted: ExamTab[] = []
  if (state === 'Shared w/ group') wanted.push('exchange')
  if (designation === 'GATEKEEPER') wanted.push('process')
  return wanted.find((tab) => tabs.includes(tab)) ?? 'summary'
}
