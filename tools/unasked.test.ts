import { expect, it } from 'vitest'
import type { Act } from '@hilum/contract/acts'
import { declared } from '../server/test/asked-by-screens.ts'
import { actsOf } from './questions.ts'
import { isReached, listNamed, unaskedWay } from './unasked.ts'

/*
 * Screens offer a call where its act was asked: from the page's entry no way leads to the call past every question
 * of its act, or of one whose right includes it. So a control that is offered to everybody beside a guarded one is seen.
 */

type Declared = keyof typeof declared

/** Acts that come with the place, the list or the exam itself. */
const comesAlong: ReadonlySet<Act> = new Set(['enterPlace', 'viewStudy', 'addStudy', 'hearStudies', 'chooseNotices'])

/** Calls of an upload. */
const uploads: readonly Declared[] = [
  'storeInstancesOfStudy',
  'studyLock',
  'studySet',
  'studySync',
  'studyUnlock',
  'studyUploadCheck',
  'studyUploadPeople',
  'studyUploadRetracted',
  'uploadImage',
  'uploadToWrap',
  'webhookEvent',
]

/** Parts of screens that are opened to those alone who may send these calls, by another question than one of a control. */
const gates: Readonly<Record<string, readonly Declared[]>> = {
  // tabs of an exam open by the table of tab-sets.ts
  'web/src/features/exam/attachments-tab.tsx AttachmentsTab': ['attachmentVersion'],
  'web/src/features/exam/download-tab.tsx DownloadTab': ['studyDownload'],
  'web/src/features/exam/delete-tab.tsx DeleteTab': ['studyDelete', 'studyDeletePeople'],
  'web/src/features/exam/share-tab.tsx ShareTab': ['studyShareAccess'],
  'web/src/features/exam/send-tab.tsx SendTab': ['studyShareTrack'],
  'web/src/features/exam/orders-tab.tsx OrdersTab': ['orderList'],
  'web/src/features/exam/pending-requests-tab.tsx PendingRequestsTab': ['studyRequests'],
  // the requests of a group: a state of its list, for those who may see them
  'web/src/screens/pending-requests.tsx PendingRequests': ['linkDelete', 'linkGet', 'linkList', 'linkMail', 'linkSet'],
  'web/src/features/exam/mrn-tab.tsx MrnTab': ['studyLock', 'studySet', 'studyUnlock'],
  'web/src/features/exam/multi-panel.tsx DownloadMany': ['studyDownload'],
  // the wizard offers places that take uploads, and a request takes them by its link
  'web/src/features/upload/upload-wizard.tsx UploadWizard': uploads,
  'web/src/features/upload/opened-request.tsx OpenedRequest': uploads,
  // the button to the next step asks, and so does what the second person is shown
  'web/src/features/exam/process-tab.tsx Steps': [
    'orderTake',
    'studyLock',
    'studyPushConfirm',
    'studySet',
    'studyUnlock',
  ],
  // rows are those of reports that one may see
  'web/src/features/exam/reports-tab.tsx ReportsTab': ['attachmentVersion'],
  // the box stays that was ticked while the right was there
  'web/src/features/exam/nameless-choice.tsx Copies': [
    'studyDeidentifyAdd',
    'studyDeidentifyKey',
    'studyDeidentifyList',
    'studyDeidentifyPreview',
  ],
  // acts on several exams
  'web/src/features/exam/batch-acts.tsx BatchActs': [
    'studyDelete',
    'studyDeletePeople',
    'studyRevive',
    'studySet',
    'studyShare',
    'studyShareAccess',
    'studyShareStop',
    'studyShareWho',
    'studyStar',
    'tagAdd',
    'tagDelete',
  ],
  // the list hands its acts to rows, keys and the menu of marked exams, which ask
  'web/src/features/studies/use-listed-studies.ts useListedStudies': ['studyRevive', 'studySet', 'studyStar'],
  // a link says what may be done with it
  'web/src/features/link/opened-link.tsx OpenedLinkPage': ['studyDownload'],
  'web/src/features/exam/linked-files.tsx LinkedFiles': ['attachmentVersion'],
  // the server tells of earlier images those alone who may restore them
  'web/src/features/exam/deleted-before.tsx DeletedBeforeBanner': ['studyRevive'],
  // the page lists the groups and locations that one may see, and says of another that it is not there
  'web/src/queries/account-groups.ts placeQuery': ['groupGet', 'locationGet'],
  // taking back what one did
  'web/src/features/exam/message-panel.tsx MessagePanel': ['studyRevive'],
  // each row says what may be done
  'web/src/queries/outside-access.ts useActOnOutside': ['linkSet', 'studyShareExtend', 'studyShareStop'],
}

const names = (Object.keys(declared) as Declared[]).filter(
  (name) => actsOf(name).length > 0 && !actsOf(name).some((act) => comesAlong.has(act)),
)

const unasked = names.flatMap((name) => {
  const past = Object.keys(gates).filter((gate) => gates[gate]?.includes(name))
  return unaskedWay(name, past)?.slice(-12).join(' > ').replaceAll('web/src/', '') ?? []
})

it('every way of the page to a call asks for its act', () => {
  expect(names.length).toBeGreaterThan(150)
  expect(unasked).toEqual([])
})

it('every call that the web names is reached by a way from its entry', () => {
  const named = listNamed()
  expect(named.length).toBeGreaterThan(200)
  expect(named.filter((name) => !isReached(name))).toEqual([])
})

const parts = Object.entries(gates).flatMap(([gate, calls]) => calls.map((name) => ({ gate, name })))
const idle = parts.filter(({ gate, name }) => {
  const others = Object.keys(gates).filter((one) => one !== gate && gates[one]?.includes(name))
  return unaskedWay(name, others) === undefined
})

it('every gate is passed by a way that asks for nothing else', () => {
  expect(parts.length).toBeGreaterThan(30)
  expect(idle).toEqual([])
})
