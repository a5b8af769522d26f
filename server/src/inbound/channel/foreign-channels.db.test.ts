import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Group, makeOrganisation, makeSession, makeStudy, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { writeEvent } from '../../areas/event/event.sql.ts'

/*
 * The doors of the channel, as the walk over calls and doors does it: foreign names are answered like unknown ones, and a
 * line that is open hears nothing of the time after its right has ended, whatever ended it, while others hear on.
 */

const { app, call, services, query } = await startTestApp()
const origin = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('http', 'ws')
const theirs = await makeOrganisation(services.db)
const ours = await makeOrganisation(services.db)
const theirGroup = await theirs.addGroup()
const ourGroup = await ours.addGroup()
const owner = await theirs.addPerson({ role: 'Administrator', groups: [theirGroup] })

const doors = [...new Set(app.doors.map(({ url }) => url))].filter((url) => url.includes('websocket'))
const kinds = ['study', 'job'] as const
type Said = Record<string, unknown>

async function connect(door = doors[0]) {
  const socket = new WebSocket(`${origin}${door}`)
  const said: Said[] = []
  socket.on('message', (data) => said.push(JSON.parse(String(data)) as Said))
  await once(socket, 'open')
  return {
    said,
    send: (message: object) => socket.send(JSON.stringify(message)),
    /** The messages until a ping, sent now, is answered. */
    ask: async (message: object) => {
      const from = said.length
      socket.send(JSON.stringify(message))
      socket.send(JSON.stringify({ action: 'ping' }))
      await expect
        .poll(() => said.slice(from).some((one) => one.status === 'OK' && !one.channel), { interval: 2 })
        .toBe(true)
      return said.slice(from).filter((one) => one.status !== 'OK' || one.channel)
    },
    close: () => socket.close(),
  }
}
type Line = Awaited<ReturnType<typeof connect>>

async function subscribe(line: Line, sid: string, namespace: string): Promise<void> {
  for (const kind of kinds)
    expect(await line.ask({ action: 'subscribe', channel: `${kind}.${namespace}`, sid })).toMatchObject([
      { status: 'OK' },
    ])
}

it.each(doors)('[OPEN-01] %s answers foreign namespaces like unknown ones, whoever asks', async (door) => {
  const stranger = await ours.addPerson({ role: 'Administrator', groups: [ourGroup] })
  const colleague = await theirs.addPerson({ role: 'Administrator' })
  const [ended, disabled, left] = [
    await theirs.addPerson({ groups: [theirGroup] }),
    await theirs.addPerson({ groups: [theirGroup] }),
    await theirs.addPerson({ groups: [theirGroup] }),
  ]
  await query(`update session set expires_at = now() where user_uuid = '${ended.userUuid}'`)
  await query(`update app_user set disabled = true where uuid = '${disabled.userUuid}'`)
  await query(`update account_user set disabled = true where user_uuid = '${left.userUuid}'`)
  const study = await makeStudy(services.db, { ...theirGroup, accountUuid: theirs.accountUuid })
  const derived = (await call('session/derive', { sid: owner.sid, studies: [study.uuid] })).body.sid
  const askers = [stranger.sid, colleague.sid, ended.sid, disabled.sid, left.sid, derived, 'made-up', '', undefined]
  const foreign = [theirGroup.namespaceUuid, owner.namespaceUuid]
  const line = await connect(door)
  for (const sid of askers) {
    for (const kind of kinds) {
      const channels = foreign.flatMap((one) => [`${kind}.${one}`, `${kind}.${one.toUpperCase()}`])
      for (const channel of [...channels, `${kind}.${randomUUID()}`])
        expect(await line.ask({ action: 'subscribe', channel, sid })).toEqual([
          { status: 'ERROR', error_type: 'NOT_PERMITTED', channel },
        ])
    }
  }
  await writeEvent(services.db, 'study', theirGroup.namespaceUuid, study.uuid)
  const heard = await connect(door)
  await subscribe(heard, owner.sid, owner.namespaceUuid)
  await writeEvent(services.db, 'study', owner.namespaceUuid, study.uuid)
  services.events.ring()
  await expect.poll(() => heard.said.some((one) => one.event)).toBe(true)
  expect(line.said.filter((one) => one.event)).toEqual([])
  line.close()
  heard.close()
})

const byUser = (table: string, { userUuid }: Person) => `${table} where user_uuid = '${userUuid}'`

/** Ways in which a right to hear of a group ends, for somebody who also belongs to another account. */
const ends: [string, (person: Person, sid: string) => Promise<unknown>, { isElsewhereToo: boolean }][] = [
  ['the person signs out', (_person, sid) => call('session/logout', { sid }), { isElsewhereToo: true }],
  [
    'the session is ended from another',
    async ({ userUuid }, _sid) => {
      const other = await makeSession(services.db, userUuid)
      expect((await call('session/end', { sid: other, others: 1 })).status).toBe(200)
    },
    { isElsewhereToo: true },
  ],
  [
    'the person is disabled',
    ({ userUuid }) => query(`update app_user set disabled = true where uuid = '${userUuid}'`),
    { isElsewhereToo: true },
  ],
  [
    'the member is disabled in the account',
    (person) =>
      query(`update ${byUser('account_user set disabled = true', person)} and account_uuid = '${theirs.accountUuid}'`),
    { isElsewhereToo: false },
  ],
  [
    'the person leaves the group',
    (person) => query(`delete from ${byUser('group_user', person)} and group_uuid = '${theirGroup.groupUuid}'`),
    { isElsewhereToo: false },
  ],
  [
    'the person is given a role without the channel',
    async (person) => {
      const role = randomUUID()
      await query(`insert into role (uuid, account_uuid, name, permissions)
        values ('${role}', '${theirs.accountUuid}', '${role}', '{study_view}')`)
      await query(
        `update ${byUser(`group_user set role_uuid = '${role}'`, person)} and group_uuid = '${theirGroup.groupUuid}'`,
      )
    },
    { isElsewhereToo: false },
  ],
  [
    'the role loses the channel',
    async (person) => {
      const [role] = await query<{ uuid: string }>(
        `select role_uuid as uuid from ${byUser('group_user', person)} and group_uuid = '${theirGroup.groupUuid}'`,
      )
      await query(
        `update role set permissions = array_remove(permissions, 'channel_study') where uuid = '${role?.uuid}'`,
      )
    },
    { isElsewhereToo: false },
  ],
]

it.each(ends)(
  '[OPEN-01] when %s, its lines are silent at once, and no others',
  async (_how, end, { isElsewhereToo }) => {
    const person = await addToBoth()
    const colleague = await theirs.addPerson({ groups: [theirGroup] })
    const line = await connect()
    const other = await connect()
    await subscribe(line, person.sid, theirGroup.namespaceUuid)
    await subscribe(line, person.sid, ourGroup.namespaceUuid)
    await subscribe(other, colleague.sid, theirGroup.namespaceUuid)
    const from = line.said.length
    await end(person, person.sid)
    const study = randomUUID()
    for (const { namespaceUuid } of [theirGroup, ourGroup]) await writeEvent(services.db, 'study', namespaceUuid, study)
    services.events.ring()
    await expect.poll(() => other.said.filter((one) => one.event === 'STUDY').length).toBe(1)
    const places = isElsewhereToo ? [theirGroup, ourGroup] : [theirGroup]
    const refused = places.flatMap((one) => kinds.map((kind) => `${kind}.${one.namespaceUuid}`)).toSorted()
    const since = () => line.said.slice(from)
    await expect
      .poll(() =>
        since()
          .filter((one) => one.error_type === 'NOT_PERMITTED')
          .map((one) => String(one.channel))
          .toSorted(),
      )
      .toEqual(refused)
    for (const { namespaceUuid } of [theirGroup, ourGroup]) tellJob(person, namespaceUuid)
    const elsewhere = isElsewhereToo ? [] : kinds.map((kind) => `${kind}.${ourGroup.namespaceUuid}`)
    const heardOn = () => [...new Set(since().flatMap((one) => (one.event ? [String(one.channel)] : [])))].toSorted()
    await expect.poll(heardOn).toEqual(elsewhere.toSorted())
    // and it is not let in again there
    expect(
      await line.ask({ action: 'subscribe', channel: `study.${theirGroup.namespaceUuid}`, sid: person.sid }),
    ).toEqual([{ status: 'ERROR', error_type: 'NOT_PERMITTED', channel: `study.${theirGroup.namespaceUuid}` }])
    expect(heardOn()).toEqual(elsewhere.toSorted())
    line.close()
    other.close()
  },
)

it.each(ends)('[OPEN-01] when %s, no job is told of from that moment on', async (_how, end, { isElsewhereToo }) => {
  const person = await addToBoth()
  const line = await connect()
  for (const { namespaceUuid } of [theirGroup, ourGroup]) await subscribe(line, person.sid, namespaceUuid)
  const from = line.said.length
  await end(person, person.sid)
  // at once: the line need not have heard of the end yet
  for (const { namespaceUuid } of [theirGroup, ourGroup]) tellJob(person, namespaceUuid)
  const refused = () => line.said.slice(from).filter((one) => one.error_type === 'NOT_PERMITTED')
  await expect.poll(() => refused().length).toBe(isElsewhereToo ? 4 : 2)
  const heardOf = () => line.said.slice(from).flatMap((one) => (one.event ? [one.channel] : []))
  await expect.poll(heardOf).toEqual(isElsewhereToo ? [] : [`job.${ourGroup.namespaceUuid}`])
  line.close()
})

it('[OPEN-01] tells of a study that waits for approval to those alone who may approve, for as long as they may', async () => {
  const approver = await theirs.addPerson({ role: 'Administrator', groups: [theirGroup] })
  const other = await theirs.addPerson({ role: 'Administrator', groups: [theirGroup] })
  const member = await theirs.addPerson({ groups: [theirGroup] })
  const place = { ...theirGroup, accountUuid: theirs.accountUuid }
  const waiting = await makeStudy(services.db, place, { must_approve: true })
  const shown = await makeStudy(services.db, place)
  const lines = [await connect(), await connect(), await connect()] as const
  for (const [index, { sid }] of [approver, other, member].entries())
    await subscribe(lines[index] as Line, sid, theirGroup.namespaceUuid)
  const heard = () => lines.map((line) => line.said.flatMap((one) => (one.event ? [one.uuid] : [])))
  const tellOf = async (...studies: { uuid: string }[]) => {
    for (const { uuid } of studies) await writeEvent(services.db, 'study', theirGroup.namespaceUuid, uuid)
    services.events.ring()
  }
  await tellOf(waiting, shown)
  await expect.poll(heard).toEqual([[waiting.uuid, shown.uuid], [waiting.uuid, shown.uuid], [shown.uuid]])
  const role = theirs.roles.get('Clinician')
  await query(`update ${byUser(`group_user set role_uuid = '${role}'`, other)}`)
  await tellOf(waiting, shown)
  await expect.poll(() => heard()[0]?.length).toBe(4)
  await expect.poll(() => heard()[1]).toEqual([waiting.uuid, shown.uuid, shown.uuid])
  await query(`update study set must_approve = false where uuid = '${waiting.uuid}'`)
  await tellOf(waiting)
  await expect.poll(() => heard().map((uuids) => uuids.at(-1))).toEqual([waiting.uuid, waiting.uuid, waiting.uuid])
  expect(heard()[2]).toEqual([shown.uuid, shown.uuid, waiting.uuid])
  for (const line of lines) line.close()
})

/** A person of both accounts, with a role of an own in their group. */
async function addToBoth(): Promise<Person> {
  const person = await theirs.addPerson({ groups: [theirGroup] })
  const role = randomUUID()
  await query(`insert into role (uuid, account_uuid, name, permissions)
    select '${role}', account_uuid, '${role}', permissions from role where uuid = '${theirs.roles.get('Clinician')}'`)
  await query(`update ${byUser(`group_user set role_uuid = '${role}'`, person)}`)
  await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
    values ('${ours.accountUuid}', '${person.userUuid}', '${ours.roles.get('Clinician')}')`)
  await addMember(ourGroup, person)
  return person
}

function addMember({ groupUuid }: Group, { userUuid }: Person): Promise<unknown> {
  return query(`insert into group_user (group_uuid, user_uuid) values ('${groupUuid}', '${userUuid}')`)
}

function tellJob({ userUuid }: Person, namespaceUuid: string): void {
  services.jobs.tell({ jobId: randomUUID(), userUuid, namespaceUuid, state: 'RUNNING', sent: 1 })
}
