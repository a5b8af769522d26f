import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { startAccess } from '../../../test/access-fixture.ts'
import { makeLink, openLink } from '../../../test/make-link.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import type { Asker, Caller } from '../../access/caller.ts'
import { findCaller } from '../../access/find-caller.ts'
import { addressKey } from '../../access/address-key.ts'
import { type AuditEntry, writeAudit } from './audit.sql.ts'
import { eraseDetails } from './erase-details.command.ts'
import { noteRefusedSender, type RefusedSender } from './note-refused-sender.command.ts'
import { writeOwnAudit } from './write-own-audit.command.ts'

const { services, query } = await startTestApp()
const { db } = services
const north = await makeOrganisation(db)
const south = await makeOrganisation(db)
const group = await north.addGroup()
const place = { ...group, accountUuid: north.accountUuid }
const study = await makeStudy(db, place)
const thief = await south.addPerson()
/** An installation with one account. */
const alone = await startAccess()
const sole = await makeOrganisation(alone.db)

async function askerOf(sid: string): Promise<Asker> {
  const asker = await findCaller(db, sid, '192.0.2.7')
  if (!asker) throw new Error('There is no session')
  return asker
}
async function linkTo(...uuids: string[]): Promise<string> {
  const { userUuid: createdBy } = await north.addPerson({ groups: [group] })
  const studies = uuids.map((uuid) => ({ uuid, phi_namespace: group.namespaceUuid }))
  return makeLink(db, { accountUuid: north.accountUuid, createdBy, studies })
}

describe('the audit', () => {
  const rowOf = async (objectUuid: string) =>
    (await query<Record<string, unknown>>(`select * from audit where object_uuid = '${objectUuid}'`))[0]
  const write = async (caller: AuditEntry['caller'], more: Partial<AuditEntry> = {}) => {
    const objectUuid = randomUUID()
    await writeAudit(db, { accountUuid: north.accountUuid, caller, action: 'EDIT', type: 'Study', objectUuid, ...more })
    return rowOf(objectUuid)
  }

  it('is written with the kind of actor by every statement', () => {
    const root = path.resolve(import.meta.dirname, '..', '..')
    const statements = globSync('**/*.sql.ts', { cwd: root }).flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/insert into audit \(([^)]*)\)/g)].map(
        ([, columns = '']) => ({ file, columns: columns.split(/,\s*/) }),
      ),
    )
    expect(statements.length).toBeGreaterThan(3)
    expect(statements.filter(({ columns }) => !columns.includes('actor_kind'))).toEqual([])
  })

  it('says who it was: a person, a program with a key, an opened link, or the installation itself', async () => {
    const person = (await askerOf(thief.sid)) as Caller
    const seen = { actor: thief.userUuid, actor_name: thief.name, client_address: '192.0.2.7' }
    expect(await write(person)).toMatchObject({ ...seen, actor_kind: 'user' })
    expect(await write({ ...person, kind: 'key' })).toMatchObject({ ...seen, actor_kind: 'key' })
    const { userUuid, name, clientAddress } = person
    expect(await write({ userUuid, name, clientAddress })).toMatchObject({ ...seen, actor_kind: 'user' })
    const linkUuid = await linkTo(study.uuid)
    const opened = await askerOf(await openLink(db, linkUuid))
    expect(await write(opened)).toMatchObject({ actor: linkUuid, actor_kind: 'link', actor_name: 'Link' })
    const nobody = { actor: null, actor_kind: 'system', actor_name: '', client_address: '' }
    expect(await write(undefined)).toMatchObject(nobody)
  })

  it('says of what account, namespace and thing, and what changed', async () => {
    const more = { phiNamespace: group.namespaceUuid, detail: { patient_sex: ['', 'F'] } }
    expect(await write(undefined, more)).toMatchObject({
      account_uuid: north.accountUuid,
      phi_namespace: group.namespaceUuid,
      action: 'EDIT',
      type: 'Study',
      detail: more.detail,
    })
    expect(await write(undefined)).toMatchObject({ phi_namespace: null, detail: {} })
  })

  it('holds what people do with their own login in the first account that they belong to', async () => {
    const person = await north.addPerson({ groups: [group] })
    await writeOwnAudit(db, (await askerOf(person.sid)) as Caller, 'PASSWORD_CHANGE', { by: 'mail' })
    const own = { action: 'PASSWORD_CHANGE', type: 'User', actor: person.userUuid, detail: { by: 'mail' } }
    expect(await rowOf(person.userUuid)).toMatchObject({ ...own, account_uuid: north.accountUuid })
    const alone = await north.addPerson()
    await query(`update account_user set disabled = true where user_uuid = '${alone.userUuid}'`)
    await writeOwnAudit(db, (await askerOf(alone.sid)) as Caller, 'PASSWORD_CHANGE')
    expect(await rowOf(alone.userUuid)).toMatchObject({ account_uuid: null, detail: {} })
  })

  it('of each account says which details were erased in it, in their order', async () => {
    const reason = `Asked by the person ${randomUUID()}`
    const ids: number[] = []
    for (const { accountUuid } of [north, south, north])
      ids.push(Number((await write(undefined, { accountUuid }))?.['id']))
    const [first, ofSouth, last] = ids
    expect(await eraseDetails(db, [...ids].toReversed(), reason)).toBe(3)
    const rows = await query(`select account_uuid, type, actor_kind, detail->'audit_ids' as ids from audit
      where detail->>'reason' = '${reason}' order by id`)
    const line = { type: 'Audit', actor_kind: 'system' }
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        { ...line, account_uuid: north.accountUuid, ids: [first, last] },
        { ...line, account_uuid: south.accountUuid, ids: [ofSouth] },
      ]),
    )
  })
})

describe('a DICOM sender that was refused', () => {
  let made = 0
  const addressOf = () => `198.51.100.${++made}`
  const linesOf = async (address: string) =>
    query<Record<string, unknown>>(`select * from access_refusal where client_address = '${address}' order by act`)
  const note = (one: Partial<RefusedSender>, on = db) => {
    const acts = one.acts ?? new Map([['C-STORE', 3]] as const)
    return noteRefusedSender({ db: on }, { callingTitle: 'CT_2', called: undefined, address: '', acts, ...one })
  }

  it('is counted by service in the account that was called, by title and address', async () => {
    const address = addressOf()
    const called = { namespaceUuid: group.namespaceUuid, accountUuid: north.accountUuid }
    const acts = new Map([
      ['C-ECHO', 2],
      ['C-STORE', 5],
    ] as const)
    await note({ address, called, acts })
    const line = {
      account_uuid: north.accountUuid,
      user_uuid: null,
      asker: `AE CT_2 ${addressKey(address)}`,
      user_name: 'CT_2',
      kind: 'Namespace',
      last_object: group.namespaceUuid,
    }
    expect(await linesOf(address)).toMatchObject([
      { ...line, act: 'C-ECHO', count: 2 },
      { ...line, act: 'C-STORE', count: 5 },
    ])
  })

  it('has no name where what it sent is no title, and no line where nothing was refused', async () => {
    const [address, quiet] = [addressOf(), addressOf()]
    const called = { namespaceUuid: group.namespaceUuid, accountUuid: north.accountUuid }
    await note({ address, called, callingTitle: 'Gerät\\1' })
    expect(await linesOf(address)).toMatchObject([{ user_name: '?', asker: `AE ? ${address}`, count: 3 }])
    await note({ address: quiet, called, acts: new Map() })
    expect(await linesOf(quiet)).toEqual([])
  })

  it('that called a title of nobody is told to the one account that there is, and of several to none', async () => {
    const address = addressOf()
    await note({ address })
    expect(await linesOf(address)).toEqual([])
    await note({ address }, alone.db)
    const { rows } = await alone.run(
      `select account_uuid, kind, last_object from access_refusal where client_address = '${address}'`,
    )
    expect(rows).toEqual([{ account_uuid: sole.accountUuid, kind: 'Title', last_object: sole.accountUuid }])
  })
})
