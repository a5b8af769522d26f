import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import { expect, it } from 'vitest'
import { makeSamples, type Place } from '../../../test/call-samples.ts'
import { makeStudy } from '../../../test/make-organisation.ts'
import { newEmail, startPeople } from '../../../test/people-fixture.ts'

/*
 * An auditor reads the audit of an organisation, runs nothing of it and sees no exam: by a right of its own, which those
 * give who hold it.
 */

const people = await startPeople()
const { services, call, organisation, admin, addHolder } = people
const { accountUuid } = organisation
const samples = makeSamples(people, 'AUDIT')
const group = await organisation.addGroup()

const ofAudit = new Set(['seeAudit', 'seeRefusedAccess'])
/** Calls that the role in the account decides alone. */
const ofAccount = (Object.keys(calls) as CallName[]).flatMap((name) => {
  const { on } = calls[name] as { on: { kind: string; may?: string } }
  return on.kind === 'account' && on.may ? [{ name, may: on.may }] : []
})
const audits = ofAccount.filter(({ may }) => ofAudit.has(may)).map(({ name }) => name)

async function ask(name: CallName, person: Place['person']) {
  const study = await makeStudy(services.db, { namespaceUuid: group.namespaceUuid, accountUuid })
  const place: Place = {
    accountUuid,
    groupUuid: group.groupUuid,
    namespaceUuid: group.namespaceUuid,
    studyUuid: study.uuid,
    ownStudyUuid: study.uuid,
    person,
  }
  return (await call(calls[name].path, { ...(await samples[name](place)), sid: person.sid })).body
}

it('there are calls of the audit, and others that the role in the account decides', () => {
  expect(audits).toHaveLength(7)
  expect(ofAccount.length).toBeGreaterThan(audits.length + 30)
})

it.each(audits)('an auditor may send %s, and whoever sees histories or edits people may not', async (name) => {
  const auditor = await addHolder(['account_audit_view'])
  expect((await ask(name, auditor)).error_type).toBeUndefined()
  const other = await addHolder(['audit_view', 'account_user_edit', 'role_edit'])
  expect((await ask(name, other)).error_type).toBe('NOT_PERMITTED')
})

it('an auditor may send what somebody without any right may send, and nothing else of the account', async () => {
  const answersOf = async (person: Place['person']) => {
    const answers: string[] = []
    for (const { name, may } of ofAccount) {
      if (!ofAudit.has(may)) answers.push(`${name} ${(await ask(name, person)).error_type}`)
    }
    return answers
  }
  const auditor = await addHolder(['account_audit_view'])
  expect(await answersOf(auditor)).toEqual(await answersOf(await addHolder([])))
  expect((await call('study/list', { sid: auditor.sid })).body.studies).toEqual([])
})

it('whoever reads the audit by the right of auditors gives it on, and whoever holds the pair of the public API alone does not', async () => {
  const made = await call('role/add', {
    sid: admin.sid,
    account_id: accountUuid,
    name: 'Auditor',
    permissions: JSON.stringify({ account_audit_view: 1 }),
  })
  expect(made.body.error_type).toBeUndefined()
  const invited = { uuid: accountUuid, first: 'Ada', last: 'Auditor', role_id: made.body.uuid }
  expect((await call('account/user/add', { ...invited, sid: admin.sid, email: newEmail() })).body.status).toBe('OK')
  const pair = await addHolder(['audit_view', 'account_edit', 'account_user_edit', 'role_edit'])
  expect((await ask('auditAccount', pair)).error_type).toBeUndefined()
  expect((await call('account/user/add', { ...invited, sid: pair.sid, email: newEmail() })).body.error_type).toBe(
    'CAN_NOT_PROMOTE',
  )
})
