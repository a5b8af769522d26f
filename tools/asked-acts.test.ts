import { expect, it } from 'vitest'
import { actsNamed, asking, declared, readWebSources } from '../server/test/asked-by-screens.ts'
import { questionsOf } from './guarded.ts'
import { actsAsked, flagsAsked, isOfAnother, isOfStudies, isQuestion, namedBy } from './questions.ts'
import { moduleOf, sentBy } from './sent-by.ts'
import { allBelow } from './syntax.ts'
import { listNamed } from './unasked.ts'

/*
 * Screens ask whether they may offer a call or a route by its declaration, which names the act. So no screen asks for
 * another act than the server does, and what it asks about is what it sends.
 */

const sources = readWebSources()

/**
 * Files that ask and do not send themselves, with what they ask about: they lead to a screen, hand the act to the part around them, hear of
 * changes, or ask what a link or a viewer may be given.
 */
const leading: Readonly<Record<string, readonly string[]>> = {
  'web/src/features/administration/destinations/own-nodes.tsx': ['groupUserList', 'locationUserList'],
  'web/src/features/administration/routing/rule-form-parts.tsx': ['routeAdd'],
  'web/src/features/exam/head-acts.tsx': ['studyDelete', 'studyMerge', 'studySet', 'studyStar'],
  'web/src/features/exam/link-form.tsx': ['studyDownload'],
  'web/src/features/exam/may-give-files.ts': ['attachmentVersion'],
  'web/src/features/exam/may-move.ts': ['studyDelete', 'studyShare', 'studyShareAccess'],
  'web/src/features/exam/pending-requests-tab.tsx': ['linkAdd'],
  'web/src/features/exam/retract-dialog.tsx': ['studyRevive'],
  'web/src/features/exam/send-to.tsx': ['studyDownload'],
  'web/src/features/exam/tab-sets.ts': ['studyRequests'],
  'web/src/features/exam/use-reports.ts': ['attachmentVersion', 'studySchema'],
  'web/src/features/exam/viewer-tab.tsx': ['storeMeasurements'],
  'web/src/features/shell/group-actions.tsx': ['destinationSearch', 'linkAdd', 'studyUploadCheck'],
  'web/src/features/shell/left-nav.tsx': ['studyUploadCheck'],
  'web/src/features/shell/main-menu.tsx': ['orderList'],
  'web/src/features/shell/palette-entries.tsx': ['destinationSearch', 'linkAdd', 'orderList', 'studyUploadCheck'],
  'web/src/features/studies/empty-list.tsx': ['studyGet'],
  'web/src/features/studies/star-button.tsx': ['studyStar'],
  'web/src/features/studies/study-card.tsx': ['studyRevive'],
  'web/src/features/studies/use-list-acts.ts': ['studyStar'],
  'web/src/features/upload/upload-wizard.tsx': ['studyGet'],
  'web/src/queries/live-orders.ts': ['orderList'],
  'web/src/queries/namespaces.ts': ['studyUploadCheck'],
  'web/src/queries/share-notices.ts': ['studyGet'],
  'web/src/screens/pending-requests.tsx': ['linkAdd'],
  'web/src/session/first-steps-place.ts': ['accountFirstSteps'],
  'web/src/session/own-pages.ts': [
    'accountSet',
    'accountUserList',
    'auditAccount',
    'auditRefused',
    'customfieldList',
    'customfieldSet',
    'destinationSet',
    'groupUserList',
    'identityProviderSet',
    'locationUserList',
    'retentionGet',
    'roleList',
    'routeList',
    'webhookList',
  ],
}

it('no screen names an act: calls and routes do, for themselves and for parts of what they are sent', () => {
  const named = [...sources].flatMap(([file, text]) => actsNamed(text).map((act) => `${file}: ${act}`))
  expect(named).toEqual([])
})

it('a screen asks about calls and routes that it sends', () => {
  const asked = [...sources].flatMap(([file, text]) => {
    const names = [...text.matchAll(asking)].map((found) => found[2] ?? '')
    return names.filter((name) => Object.hasOwn(declared, name)).map((name) => ({ file, name }))
  })
  expect(asked.length).toBeGreaterThan(80)
  const unsent = asked.filter(({ file, name }) => !(leading[file]?.includes(name) || sentBy(file).has(name)))
  expect(unsent).toEqual([])
  for (const [file, names] of Object.entries(leading)) {
    const own = asked.filter((one) => one.file === file).map(({ name }) => name)
    expect([file, [...new Set(own)].toSorted()]).toEqual([file, names])
  }
})

/** Questions about what others send, or about words alone. */
const apart: ReadonlySet<string> = new Set([
  // the form sends all its fields, and this one only to whoever may
  'web/src/features/administration/users/user-form.tsx accountUserSet',
  // the part around them sends
  'web/src/features/exam/process-tab.tsx orderTake',
  'web/src/features/studies/marked-acts.tsx studyRevive',
  'web/src/features/studies/marked-acts.tsx studySet',
  'web/src/queries/retractions.ts studyRetract',
  // a way to the page of everybody's
  'web/src/features/administration/outside/outside-access.tsx outsideList',
  // the line is opened by the first subscription
  'web/src/queries/live-studies.ts channel',
  // why there is no gatekeeper to choose
  'web/src/features/administration/groups/place-form.tsx groupUserList',
])

const questions = [...sources.keys()].flatMap((file) => questionsOf(file).map((one) => ({ file, ...one })))

it('what stands under a question sends what is asked about', () => {
  expect(questions.length).toBeGreaterThan(110)
  const unsent = questions.filter(({ file, asked, sent }) => !sent.has(asked) && !leading[file]?.includes(asked))
  expect(new Set(unsent.map(({ file, asked }) => `${file} ${asked}`))).toEqual(apart)
})

/** Parts that stand for several fields of an input. */
const unnamed: ReadonlySet<string> = new Set(['filterShare target', 'studySet fields'])

it('what stands under a question about a part of a call sends that part', () => {
  const parts = questions.filter(
    ({ file, asked, part }) => part && !leading[file]?.includes(asked) && !apart.has(`${file} ${asked}`),
  )
  expect(parts.length).toBeGreaterThan(3)
  const unsent = parts.filter(
    ({ asked, part, sent }) =>
      !unnamed.has(`${asked} ${part}`) && !new RegExp(`\\b${part}\\b`).test(sent.get(asked) ?? ''),
  )
  expect(unsent.map(({ file, asked, part }) => [file, asked, part].join(' '))).toEqual([])
})

/** Parts of calls of the web that no screen asks about, each for a reason. */
const unaskedParts: ReadonlySet<string> = new Set([
  // one form adds and changes, and asks by the other call, whose part takes the same act
  'accountUserAdd groups',
  'filterSet namespace_id',
  'routeSet share_code',
  // the step of a nomination that rejects is reached by who may take its order
  'studySet rejection',
  // rows of outside access say what may be done with each
  'studyShareExtend account',
  'studyShareExtend code',
  'studyShareExtend group',
  'studyShareExtend location',
  'studyShareExtend user',
  // the forms look for recipients of the kinds that they ask for by studyShare
  'studyShareWho account',
  'studyShareWho group',
  'studyShareWho location',
  'studyShareWho user',
])

it('every part of a call of the web that takes an act of its own is asked about', () => {
  const decided = listNamed().flatMap((name) => {
    const one = declared[name]
    return 'decides' in one ? Object.keys(one.decides ?? {}).map((part) => ({ name, part })) : []
  })
  expect(decided.length).toBeGreaterThan(15)
  const asked = new Set(
    [...sources.values()].flatMap((text) =>
      [...text.matchAll(/\bpartOf\(\s*(\w+), (?:'(\w+)'|\w+)/g)].map(([, name, part]) => `${name} ${part ?? 'any'}`),
    ),
  )
  const left = decided.filter(({ name, part }) => !asked.has(`${name} ${part}`) && !asked.has(`${name} any`))
  expect(new Set(left.map(({ name, part }) => `${name} ${part}`))).toEqual(unaskedParts)
})

/** Questions whose flags are those of an inbox or of the account, under another name. */
const ofPlaces: ReadonlySet<string> = new Set([
  'web/src/features/administration/orders/order-form.tsx',
  'web/src/features/search/saved-searches.tsx',
  'web/src/queries/namespaces.ts',
  'web/src/screens/refused-act.tsx',
  'web/src/session/first-steps-place.ts',
  'web/src/session/is-administrator.ts',
])

it('a question is asked of the flags that say it: of the study, of its place, or of the account', () => {
  const asked = [...sources.keys()].flatMap((file) =>
    allBelow(moduleOf(file).program, isQuestion).map((question) => ({
      file,
      name: namedBy(file, question).name,
      acts: actsAsked(file, question),
      flags: flagsAsked(file, question),
      isOfAnother: isOfAnother(question),
    })),
  )
  expect(asked.length).toBeGreaterThan(120)
  const where = ({ file, name, acts }: (typeof asked)[0]) => `${file} ${name ?? acts.join()}`
  // a study carries the permissions that begin with study_ alone
  const ofStudy = asked.filter(({ acts, flags }) => flags && !acts.every(isOfStudies) && !/place|inbox/i.test(flags))
  expect(new Set(ofStudy.map(({ file }) => file))).toEqual(ofPlaces)
  const ofAccount = asked.filter(({ name, flags }) => name && isOnStudy(name) && !flags)
  expect(ofAccount.map(where)).toEqual([])
  expect(asked.filter(({ flags }) => /\[\d+\]|\.at\(/.test(flags)).map(where)).toEqual([])
  expect(asked.filter((one) => one.isOfAnother).map(where)).toEqual([])
})

function isOnStudy(name: keyof typeof declared): boolean {
  return 'kind' in declared[name].on && declared[name].on.kind === 'study'
}

it('an answer about a call that reads is named maySee…, one about a call that changes something is not', () => {
  const named = questions.filter(({ name }) => /^may[A-Z]/.test(name))
  expect(named.length).toBeGreaterThan(50)
  const misnamed = named.filter(({ asked, name }) => reads(asked) !== name.startsWith('maySee'))
  expect(misnamed.map(({ file, asked, name }) => [file, asked, name].join(' '))).toEqual([])
})

function reads(name: string): boolean {
  const one = declared[name as keyof typeof declared]
  return 'methods' in one ? one.methods[0] === 'GET' : one.reads === true
}
