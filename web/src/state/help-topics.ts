import type { ExamTab } from './exam-tabs.ts'

/** Parts of the help, in their order on its page; the name of one is the end of its address, `/help#upload`. */
export const helpTopics = [
  'find',
  'list',
  'exam',
  'view',
  'viewerKeys',
  'reports',
  'attachments',
  'download',
  'upload',
  'share',
  'correct',
  'patients',
  'delete',
  'requests',
  'retrieve',
  'gate',
  'orders',
  'worklist',
  'settings',
  'signIn',
  'administration',
  'keys',
  'trouble',
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
  ['/orders', 'orders'],
  ['/account-settings', 'settings'],
  ['/administration', 'administration'],
  ['/group', 'find'],
  ['/link', 'share'],
  ['/share-code', 'share'],
  ['/forgot-password', 'signIn'],
  ['/reset-password', 'signIn'],
  ['/sign-in', 'signIn'],
]

const ofTabs: Readonly<Record<ExamTab, HelpTopic>> = {
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

/** The study that the address opens, and its tab where another than the first is open. */
interface OpenStudy {
  study?: unknown
  tab?: unknown
}

/** The part of the help about the place where somebody is; undefined where no part is nearer than another. */
export function helpTopicAt(path: string, { study, tab }: OpenStudy): HelpTopic | undefined {
  if (typeof tab === 'string' && Object.hasOwn(ofTabs, tab)) return ofTabs[tab as ExamTab] // has it
  const ofPath = ofPaths.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1]
  return typeof study === 'string' && study !== '' ? 'exam' : ofPath
}
