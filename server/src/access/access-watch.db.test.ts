import { once } from 'node:events'
import { get, type IncomingMessage, request as httpRequest } from 'node:http'
import { Tag } from '@hilum/dicom/tags'
import { expect, it } from 'vitest'
import { madeImage, uploadImage } from '../../test/made-image.ts'
import { makeSession } from '../../test/make-organisation.ts'
import { type Member, startStorage } from '../../test/storage-fixture.ts'
import { changeDisabled, endAllSessions } from '../areas/user/operator-acts.command.ts'
import { endSession } from '../areas/session/end-sessions.sql.ts'

/*
 * Everything that stays open is open here – downloads whose reader waits, uploads that have not ended – while a right
 * ends in each of the ways there are. The connection must break then, without the other side doing anything.
 */

const storage = await startStorage()
const { db, query } = storage
const origin = storage.base.replace('/api/v3/storage', '')
const operator = { db, machineUser: 'root' }
const permissions = ['study_upload', 'study_view', 'study_download', 'study_delete'] as const
/** More than the buffers of a connection hold. */
const bulk = new Uint8Array(24 * 1024 * 1024).fill(7)

/** An image that is sent in part. */
const whole = madeImage({
  studyUid: '2.25.7799',
  number: 1,
  more: [{ tag: Tag.EncapsulatedDocument, vr: 'OB', value: bulk }],
})
const begun = whole.subarray(0, 300_000)
/** Well below the 30 seconds after which a body that stops is given up. */
const trickleMs = 5000

let made = 0
async function addStudy() {
  const member = await storage.addMember([...permissions])
  const studyUid = `2.25.7700${++made}`
  const more = [{ tag: Tag.EncapsulatedDocument, vr: 'OB' as const, value: bulk }]
  expect((await uploadImage(storage, member, madeImage({ studyUid, number: 1, more }))).status).toBe(202)
  return { member, studyUid }
}

interface Opened {
  /** Whether the connection was cut before the end; a reader must take what lies in the buffers to see it. */
  isCut: () => Promise<boolean>
}

/** Begins to read and stops, over a connection of its own: one that was read before may hold all of the bulk by then. */
async function beginReading(path: string, sid: string): Promise<Opened> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${sid}` }
    get(`${origin}${path}`, { agent: false, headers }, resolve).on('error', reject)
  })
  expect(reply.statusCode).toBe(200)
  reply.on('error', () => undefined)
  await once(reply, 'readable')
  return {
    isCut: async () => {
      reply.resume()
      if (!reply.closed) await new Promise((resolve) => reply.once('close', resolve))
      return !reply.complete
    },
  }
}

/** Sends the beginning of a body and waits. */
async function beginSending(path: string, sid: string, type: string, before = ''): Promise<Opened> {
  const sending = httpRequest(`${origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sid}`, 'content-type': type },
  })
  sending.on('error', () => undefined)
  await new Promise<void>((resolve) => sending.write(Buffer.concat([Buffer.from(before), begun]), () => resolve()))
  // a body that stops is ended for that: on a busy machine before the right is
  let sent = begun.length
  const trickle = setInterval(() => sending.write(whole.subarray(sent, (sent += 1024))), trickleMs)
  sending.once('close', () => clearInterval(trickle))
  return {
    isCut: async () => {
      if (!sending.closed) await new Promise((resolve) => sending.once('close', resolve))
      return true
    },
  }
}

async function openDoors({ member, studyUid }: { member: Member; studyUid: string }, sid: string) {
  const { namespace } = member
  const study = `/api/v3/storage/study/${namespace}/${studyUid}`
  const web = `/dicomweb/${namespace}/studies/${studyUid}`
  const doors = {
    zip: await beginReading(`${study}/download?bundle=dicom&phi_namespace=${namespace}`, sid),
    image: await beginReading(`${study}/image/${studyUid}.1.1/version/*?phi_namespace=${namespace}`, sid),
    wado: await beginReading(web, sid),
    upload: await beginSending(`/api/v3/storage/namespace/${namespace}/image`, sid, 'application/octet-stream'),
    stow: await beginSending(
      `/dicomweb/${namespace}/studies`,
      sid,
      'multipart/related; type="application/dicom"; boundary=b',
      '--b\r\nContent-Type: application/dicom\r\n\r\n',
    ),
  }
  await expect.poll(() => storage.services.access.count(member.user)).toBe(5)
  return doors
}

it.each<[string, (member: Member, sessionUuid: string) => Promise<unknown>]>([
  ['the session is ended', (_member, session) => db.transaction().execute((tx) => endSession(tx, session))],
  [
    'all sessions are ended by the operator',
    ({ user }) => endAllSessions(operator, { uuid: user, account_uuid: null }),
  ],
  ['the person is disabled', ({ user }) => changeDisabled(operator, { uuid: user, account_uuid: null }, true)],
  ['the person leaves the group', ({ user }) => query(`delete from group_user where user_uuid = '${user}'`)],
  [
    'the person leaves the account',
    ({ user }) => query(`update account_user set disabled = true where user_uuid = '${user}'`),
  ],
  [
    'the role loses its rights',
    ({ account }) => query(`update role set permissions = '{}' where account_uuid = '${account}'`),
  ],
])('when %s, every running download and upload stops at once, and no other', async (_how, end) => {
  const [own, other] = [await addStudy(), await addStudy()]
  const sid = await makeSession(db, own.member.user)
  const [session] = await query<{ uuid: string }>(
    `select uuid from session where user_uuid = '${own.member.user}' order by created desc limit 1`,
  )
  const doors = await openDoors(own, sid)
  const others = await openDoors(other, other.member.sid)
  await end(own.member, session?.uuid ?? '')
  // before the reader goes on, and sooner than the clock would find it
  await expect.poll(() => storage.services.access.count(own.member.user), { timeout: 10_000 }).toBe(0)
  for (const [name, door] of Object.entries(doors)) expect([name, await door.isCut()]).toEqual([name, true])
  expect(storage.services.access.count(other.member.user)).toBe(5)
  for (const door of [others.zip, others.image, others.wado]) expect(await door.isCut()).toBe(false)
})

it.each(['deleted_at = now()', 'must_approve = true'])(
  'when the study gets %s, what sends it stops at once, and nothing else',
  async (state) => {
    const [own, other] = [await addStudy(), await addStudy()]
    const doors = await openDoors(own, own.member.sid)
    const others = await openDoors(other, other.member.sid)
    await query(`update study set ${state} where study_uid = '${own.studyUid}'`)
    await expect.poll(() => storage.services.access.count(own.member.user), { timeout: 10_000 }).toBe(2)
    for (const name of ['zip', 'image', 'wado'] as const)
      expect([name, await doors[name].isCut()]).toEqual([name, true])
    for (const name of ['zip', 'image', 'wado'] as const)
      expect([name, await others[name].isCut()]).toEqual([name, false])
  },
)

it('a deletion that is slow to answer still answers, though it ended the right that it needed', async () => {
  // the answer waits for the state of the job, long after the bell of the deletion was heard
  await query(`create function wait_a_while() returns trigger language plpgsql as $$
    begin perform pg_sleep(1); return new; end $$`)
  await query('create trigger slow_end before update on job for each row execute function wait_a_while()')
  try {
    const { member, studyUid } = await addStudy()
    const reply = await fetch(`${storage.base}/study/${member.namespace}/${studyUid}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${member.sid}`, 'x-ambrahealth-job-id': 'slow' },
    })
    expect(reply.status).toBe(202)
    expect(await reply.json()).toMatchObject({ study_uid: studyUid })
  } finally {
    await query('drop trigger slow_end on job')
    await query('drop function wait_a_while()')
  }
})
