import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeLink, openLink } from '../../../test/make-link.ts'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import type { Asker } from '../../access/caller.ts'
import { findCaller } from '../../access/find-caller.ts'
import { digestOf } from '../../access/sid.ts'
import { type Attempt, noteRefusal, type Refused } from './note-refusal.command.ts'

const { services, query } = await startTestApp()
const { db } = services
const north = await makeOrganisation(db)
const south = await makeOrganisation(db)
const group = await north.addGroup()
const place = { ...group, accountUuid: north.accountUuid }
const study = await makeStudy(db, place)
const thief = await south.addPerson()

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

describe('a refusal', () => {
  const attempt = (...names: unknown[]): Attempt => ({ act: `test ${randomUUID()}`, names, isForbidden: false })
  function logging() {
    const told: Record<string, unknown>[] = []
    const log = { warn: (line: Record<string, unknown>) => told.push(line) } as unknown as typeof services.log
    // waiting refusals belong to the database object: this one is used by nobody else
    return { parts: { db: db.withoutPlugins() as typeof db, log }, told }
  }
  const stranger = (): Refused => ({ clientAddress: '203.0.113.77', sid: undefined })
  // a line counts one hour, and this one may begin at the end of it
  const countOf = async ({ act }: Attempt) =>
    (
      await query<{ count: number }>(
        `select coalesce(sum(count), 0)::integer as count from access_refusal where act = '${act}'`,
      )
    )[0]?.count
  /** Notes one more behind all that wait: once that one is counted, they were looked at. */
  async function lookedAt(parts: Parameters<typeof noteRefusal>[0]) {
    const last = attempt(study.uuid)
    noteRefusal(parts, await askerOf(thief.sid), last)
    await expect.poll(() => countOf(last)).toBe(1)
  }

  it('without a session waits among a thousand; those beyond are told of in the log, people’s never', async () => {
    const person = await askerOf(thief.sid)
    for (const first of [stranger(), person]) {
      const { parts, told } = logging()
      const [asked, ofPerson] = [attempt(study.uuid), attempt(study.uuid)]
      noteRefusal(parts, first, asked)
      for (let index = 0; index < 10; index++) noteRefusal(parts, person, ofPerson)
      for (let index = 0; index < 1005; index++) noteRefusal(parts, stranger(), asked)
      for (let index = 0; index < 10; index++) noteRefusal(parts, person, ofPerson)
      await lookedAt(parts)
      expect(await countOf(ofPerson)).toBe(20)
      await expect.poll(() => told).toEqual([{ event: 'refusals not looked at', requests: 5 }])
    }
  })

  it('that is looked at is told of in no log, and of failures it says how many were lost', async () => {
    const { parts, told } = logging()
    const asked = attempt(study.uuid)
    noteRefusal(parts, await askerOf(thief.sid), asked)
    await expect.poll(() => countOf(asked)).toBe(1)
    await lookedAt(parts)
    expect(told).toEqual([])
    const broken = { db: {} as typeof db, log: parts.log }
    for (let index = 0; index < 3; index++) noteRefusal(broken, stranger(), asked)
    await expect.poll(() => told).toMatchObject([{ event: 'refusals not put on record', lost: 2, err: {} }])
  })

  it('is of the first fifty names of a request', async () => {
    const person = await askerOf(thief.sid)
    const others = (count: number) => Array.from({ length: count }, () => randomUUID())
    const uids = (count: number) => Array.from({ length: count }, (_, index) => `1.2.3.${index}`)
    const { parts } = logging()
    const [within, beyond] = [attempt(7, ...others(49), study.uuid), attempt(...others(50), study.uuid)]
    const [uidWithin, uidBeyond] = [attempt(), attempt()]
    noteRefusal(parts, person, within)
    noteRefusal(parts, person, beyond)
    noteRefusal(parts, person, { ...uidWithin, uidsAnywhere: [...uids(49), study.study_uid] })
    noteRefusal(parts, person, { ...uidBeyond, uidsAnywhere: [...uids(50), study.study_uid] })
    await lookedAt(parts)
    const counts = [within, beyond, uidWithin, uidBeyond].map(countOf)
    expect(await Promise.all(counts)).toEqual([1, 0, 1, 0])
  })

  it('of an opened link is of what the link does not show, by uuid or by UID', async () => {
    const linkUuid = await linkTo(study.uuid)
    const opened = await askerOf(await openLink(db, linkUuid))
    const other = await makeStudy(db, place)
    const { parts } = logging()
    const asked = [attempt(study.uuid), attempt(other.uuid), attempt(), attempt()] as const
    noteRefusal(parts, opened, asked[0])
    noteRefusal(parts, opened, asked[1])
    noteRefusal(parts, opened, { ...asked[2], uidsAnywhere: [study.study_uid] })
    noteRefusal(parts, opened, { ...asked[3], uidsAnywhere: [other.study_uid] })
    await lookedAt(parts)
    expect(await Promise.all(asked.map(countOf))).toEqual([0, 1, 0, 1])
    const lines = await query(`select asker, user_uuid, user_name from access_refusal where act = '${asked[1].act}'`)
    expect(lines).toEqual([{ asker: linkUuid, user_uuid: null, user_name: 'Link' }])
  })

  /** How each of these attempts, looked at together, was counted: by kind of the thing, `none` where it was not. */
  async function countTogether(...asked: (readonly [who: Refused, names: unknown[], more?: Partial<Attempt>])[]) {
    const { parts, told } = logging()
    // the first is looked at alone
    noteRefusal(parts, stranger(), attempt(randomUUID()))
    const noted = asked.map(([who, names, more]) => {
      const one = { ...attempt(...names), ...more }
      noteRefusal(parts, who, one)
      return one
    })
    await lookedAt(parts)
    expect(told).toEqual([])
    return Promise.all(
      noted.map(async ({ act }) => {
        const rows = await query<{ kind: string }>(`select kind from access_refusal where act = '${act}' order by kind`)
        return rows.map(({ kind }) => kind).join() || 'none'
      }),
    )
  }

  it('is one line for each account, of the nearest thing that was named', async () => {
    const person = await askerOf(thief.sid)
    const order = randomUUID()
    await query(`insert into imaging_order (account_uuid, uuid) values ('${north.accountUuid}', '${order}')`)
    const { userUuid } = await north.addPerson()
    const named = [study.uuid, order, userUuid, group.groupUuid, group.namespaceUuid, north.accountUuid].toReversed()
    const all = await Promise.all(named.map(async (_, index) => named.slice(0, index + 1)))
    const kinds = ['Account', 'Namespace', 'Group', 'User', 'Order', 'Study']
    expect(await countTogether(...all.map((names) => [person, names] as const))).toEqual(kinds)
    const backwards = all.map((names) => [person, names.toReversed()] as const)
    expect(await countTogether(...backwards)).toEqual(kinds)
    const west = await makeOrganisation(db)
    const { sid } = await west.addPerson()
    const inSouth = await makeStudy(db, { ...(await south.addGroup()), accountUuid: south.accountUuid })
    expect(await countTogether([await askerOf(sid), [study.uuid, inSouth.uuid]])).toEqual(['Study,Study'])
  })

  it('is of a study that was named by UID and namespace, by UID alone only where all were asked', async () => {
    const person = await askerOf(thief.sid)
    const found = await countTogether(
      [person, [study.study_uid, group.namespaceUuid]],
      [person, [study.study_uid, randomUUID()]],
      [person, [group.namespaceUuid]],
      [stranger(), [], { uidsAnywhere: [study.study_uid] }],
      [stranger(), [randomUUID()], { uidsAnywhere: ['1.2.3'] }],
    )
    expect(found).toEqual(['Study', 'none', 'Namespace', 'Study', 'none'])
    const act = `test ${randomUUID()}`
    await countTogether([stranger(), [study.uuid], { act }])
    expect(await query(`select user_name, user_uuid from access_refusal where act = '${act}'`)).toEqual([
      { user_name: '', user_uuid: null },
    ])
  })

  it('is none of what is the person’s own and shown', async () => {
    const reader = await north.addPerson({ role: 'Administrator', groups: [group] })
    const own = await askerOf(reader.sid)
    const waiting = await makeStudy(db, place, { must_approve: true })
    const copy = await makeStudy(db, { ...(await south.addGroup()), accountUuid: south.accountUuid })
    await query(`update study set study_uid = '${study.study_uid}' where uuid = '${copy.uuid}'`)
    const found = await countTogether(
      [own, [north.accountUuid]],
      [own, [reader.userUuid]],
      [own, [study.uuid]],
      [own, [waiting.uuid]],
      [own, [], { uidsAnywhere: [study.study_uid] }],
      [own, [], { uidsAnywhere: [study.study_uid], isAnswered: true }],
    )
    expect(found).toEqual(found.map(() => 'none'))
    await query(`delete from study where uuid = '${copy.uuid}'`)
  })

  it('is one of what is in an own place and not shown there: an order without the right to see orders', async () => {
    const { sid } = await north.addPerson({ groups: [group] })
    const order = randomUUID()
    await query(`insert into imaging_order (account_uuid, uuid, namespace_uuid)
      values ('${north.accountUuid}', '${order}', '${group.namespaceUuid}')`)
    const clinician = `account_uuid = '${north.accountUuid}' and name = 'Clinician'`
    await query(`update role set permissions = array_remove(permissions, 'order_view') where ${clinician}`)
    const without = await askerOf(sid)
    expect(await countTogether([without, [order]], [without, [study.uuid]])).toEqual(['Order', 'none'])
    await query(`update role set permissions = permissions || array['order_view'] where ${clinician}`)
    expect(await countTogether([await askerOf(sid), [order]])).toEqual(['none'])
  })

  it('is none of a page that stayed open, and one of a made-up session at its address', async () => {
    const { sid, userUuid } = await north.addPerson()
    const clientAddress = '203.0.113.78'
    await query(
      `update session set expires_at = now(), client_address = '${clientAddress}' where user_uuid = '${userUuid}'`,
    )
    const token = randomUUID()
    await db.transaction().execute((tx) =>
      sql`insert into session_token (token_digest, session_uuid, expires_at)
        select ${digestOf(token)}, uuid, now() from session where user_uuid = ${userUuid}`.execute(tx),
    )
    const found = await countTogether(
      [{ clientAddress, sid }, [study.uuid]],
      [{ clientAddress, sid: token }, [study.uuid]],
      [{ clientAddress, sid: 'made-up' }, [study.uuid]],
    )
    expect(found).toEqual(['none', 'none', 'Study'])
  })
})
