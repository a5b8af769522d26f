import type { ExamTab } from './exam-tabs.ts'
/** Parts of the help, in their order on its page; the name of one is the end of its address, `/help#upload`. */
export const helpTopics = [
  'find',
  'list',
  'view',
  'download',
  'upload',
  'share',
  'correct',
  'delete',
  'requests',
  'retrieve',
  'gate',
  'worklist',
  'settings',
  'administration',
  'keys',
  'weakness',
  'notDiagnostic',
] as const
export type HelpTopic = (typeof helpTopics)[number]

const ofPaths: readonly (readonly [string, HelpTopic])[] = [
  ['/study/upload', 'upload'],
  ['/upload', 'upload'],
  ['/study/request', 'requests'],
  ['/study/retrieve', 'retrieve'],
  ['/worklist', 'worklist'],
  ['/account-settings', 'settings'],
  ['/administration', 'administration'],
]

/** Tabs of an open exam. */
const ofTabs: Readonly<Partial<Record<ExamTab, HelpTopic>>> = {
  viewer: 'view',
  download: 'download',
  share: 'share',
  sendExams: 'share',
  pacs: 'share',
  editMRN: 'correct',
  deleteExams: 'delete',
  exchange: 'gate',
  process: 'gate',
}

/** The part of the help about the place where somebody is; undefined where no part is nearer than another. */
export function helpTopicAt(path: string, tab: string | undefined): HelpTopic | undefined {
  const ofTab = tab === undefined || !Object.hasOwn(ofTabs, tab) ? undefined : ofTabs[tab as ExamTab] // has it
  const ofPath = ofPaths.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1]
  return ofTab ?? ofPath ?? (path.startsWith('/group/') ? 'find' : undefined)
}
