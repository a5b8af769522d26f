import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { calls } from '@hilum/contract/calls/all-calls'
import { expect, it } from 'vitest'

/*
 * Acts that a handler refuses by stand in the declaration of its call, also those of a case of whom or what it concerns
 * (`asks`), so that the API page tells them. The walks of roles do not send what brings such a case about; each has a
 * test of its own. Jobs ask again what their call asked.
 */

const root = path.resolve(import.meta.dirname, '..')

/** Cases of calls, each with the file below `server/src` that tries it. */
const tried: Readonly<Record<string, string>> = {
  'account/delete people of the account': 'areas/account/delete.db.test.ts',
  'account/user/get another person': 'areas/account/settings.db.test.ts',
  'job/list the work of an account': 'areas/job/work-calls.db.test.ts',
  'namespace/settings changes of a group or an account': 'areas/account/settings.db.test.ts',
  'role/set settings': 'areas/role/role.db.test.ts',
  'role/settings settings': 'areas/role/role.db.test.ts',
  'setting/get another person': 'areas/setting/setting.db.test.ts',
  'setting/set another person': 'areas/setting/setting.db.test.ts',
  'session/derive each study': 'areas/session/session.db.test.ts',
  'study/add a study that is not thin': 'areas/study/study-add.db.test.ts',
  'study/set use_upload_permission': 'areas/study/study-set.db.test.ts',
  'study/share a gatekeeper group': 'inbound/worker/share-rights.db.test.ts',
  'study/share attachments': 'inbound/worker/share-rights.db.test.ts',
  'study/share/extend attachments': 'inbound/worker/share-rights.db.test.ts',
  'study/share/stop attachments': 'inbound/worker/share-rights.db.test.ts',
  'study/sync a number of images': 'areas/study/sync.db.test.ts',
  'study/sync no number of images': 'areas/study/sync.db.test.ts',
  'user/event another person': 'areas/account/sign-in-limits.db.test.ts',
  'user/event/set another person': 'areas/account/sign-in-limits.db.test.ts',
  'user/get another person': 'areas/user/user.db.test.ts',
  'user/set pin_required of another person': 'areas/session/two-factor.db.test.ts',
}

it('a handler refuses by acts that its declaration names alone', () => {
  const files = globSync('server/src/areas/**/*.ts', { cwd: root }).filter((file) => !/\.(?:test|job)\.ts$/.test(file))
  const refusing =
    /mayDo\('(\w+)',[^\n]*\)\)*\n?[^\n]*(?:fail|ApiError|StorageError)\('(?:NOT_PERMITTED|ACCESS_DENIED)'/g
  const found = files.flatMap((file) => [...read(file).matchAll(refusing)].map(([, act]) => `${file} ${act}`))
  expect(found).toEqual([])
  expect(files.filter((file) => /mayDo\(\w+\.asks[.[]/.test(read(file)))).toHaveLength(17)
})

it('every case of a call that takes an act of its own is tried by a test', () => {
  const cases = Object.values(calls).flatMap(({ path: at, asks }) =>
    Object.keys(asks ?? {}).map((name) => `${at} ${name}`),
  )
  expect(cases.toSorted()).toEqual(Object.keys(tried).toSorted())
  const silent = Object.values(tried).filter((test) => !/NOT_PERMITTED|ACCESS_DENIED/.test(read(`server/src/${test}`)))
  expect(silent).toEqual([])
})

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}
