import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/*
 * Acts that a handler refuses by, beside that of its declaration and those of its parts (`decides`). The walks of roles
 * do not send what brings them about; each has a test of its own. Jobs ask again what their call asked.
 */

const root = path.resolve(import.meta.dirname, '..')

/** Handlers with the act by which they refuse, and the file below `server/src` that tries it. */
const tried: Readonly<Record<string, string>> = {
  'account/delete.call.ts administerAccount': 'areas/account/delete.db.test.ts',
  'account/require-pin.ts editUsers': 'areas/session/two-factor.db.test.ts',
  'account/user-get.call.ts administerUsers': 'areas/account/settings.db.test.ts',
  'job/list.call.ts administerAccount': 'areas/job/work-calls.db.test.ts',
  'namespace/settings.call.ts administerAccount': 'areas/account/settings.db.test.ts',
  'role/role-settings.command.ts setRoleSettings': 'areas/role/role.db.test.ts',
  'session/derive.call.ts viewStudy': 'areas/session/session.db.test.ts',
  'study/add.call.ts uploadStudy': 'areas/study/study-add.db.test.ts',
  'study/set.call.ts describeOwnUpload': 'areas/study/study-set.db.test.ts',
  'study/share.call.ts nominateStudy': 'inbound/worker/share-rights.db.test.ts',
  'study/share.call.ts seeAttachments': 'inbound/worker/share-rights.db.test.ts',
  'study/sync.call.ts uploadStudy': 'areas/study/sync.db.test.ts',
  'user/event-set.call.ts chooseOthersNotices': 'areas/account/sign-in-limits.db.test.ts',
  'user/event.call.ts seeOthersNotices': 'areas/account/sign-in-limits.db.test.ts',
  'user/get.call.ts administerUsers': 'areas/user/user.db.test.ts',
}

it('an act that a handler refuses by is tried by a test', () => {
  const files = globSync('server/src/areas/**/*.ts', { cwd: root }).filter((file) => !/\.(?:test|job)\.ts$/.test(file))
  const refusing =
    /mayDo\('(\w+)',[^\n]*\)\)*\n?[^\n]*(?:fail|ApiError|StorageError)\('(?:NOT_PERMITTED|ACCESS_DENIED)'/g
  const found = files.flatMap((file) =>
    [...read(file).matchAll(refusing)].map(([, act]) => `${file.replace('server/src/areas/', '')} ${act}`),
  )
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(tried).toSorted())
  const silent = Object.values(tried).filter((test) => !/NOT_PERMITTED|ACCESS_DENIED/.test(read(`server/src/${test}`)))
  expect(silent).toEqual([])
})

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}
