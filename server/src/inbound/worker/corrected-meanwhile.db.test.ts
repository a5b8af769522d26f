import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { mailLinkActs } from '../../areas/link/mail-link.job.ts'
import { remindOfLinks } from '../../areas/link/remind-of-links.job.ts'
import { sweepLinks } from '../../areas/link/sweep-links.job.ts'
import { sendWaitingMails } from '../../areas/mail/send-waiting-mails.command.ts'
import { deliverShareActs } from '../../areas/study/deliver-share.job.ts'
import { listTracked } from '../../areas/study/share-track.sql.ts'

/* Sendings of an exam that was corrected to another patient before they left. */

const { services, call, query } = await startTestApp()
const { accountUuid, makePlace, organisation, received, share, stop } = await makeSharing({ services, call })
const reader = await organisation.addPerson()
const admin = await organisation.addPerson({ role: 'Administrator' })
const run = { work: 'w', signal: new AbortController().signal }
const address = 'https://hilum.example'
const outside = 'gp@clinic.example'

const taken: string[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, session, end) => {
    stream.resume()
    stream.on('end', () => {
      taken.push(...session.envelope.rcptTo.map((to) => to.address))
      end()
    })
  },
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
const { port } = server.server.address() as AddressInfo
/** Whom the mails are for that leave now. */
async function deliver() {
  taken.length = 0
  const config = { ...services.config, smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'Hilum <hilum@hospital.example>' }
  await sendWaitingMails({ ...services, config })
  return taken
}
beforeEach(() => query('delete from mail'))

/** A place with an exam of Jane Doe, born in 1980. */
async function makeExam() {
  const place = await makePlace('Administrator')
  await correct(place.uuid, 'DOE^JANE', '19800101')
  return place
}
const correct = (uuid: string, name: string, born: string) =>
  query(`update study set patient_name = '${name}', patient_birth_date = '${born}', row_version = row_version + 1
    where uuid = '${uuid}'`)
const ofOther = (uuid: string) => correct(uuid, 'ROE^RICHARD', '19550505')
const spelled = (uuid: string) => correct(uuid, 'DOE^JANE^ANN', '19800101')
const trackedOf = async (uuid: string) => (await listTracked(services.db, uuid)).find(({ state }) => state !== 'ended')
const listPatients = (uuid: string) =>
  query(`select from share where study_uuid = '${uuid}' and for_patient is not null
    union all select from link_study where study_uuid = '${uuid}' and for_patient is not null`)

describe('[SEND-04] a share for later', () => {
  async function schedule() {
    const place = await makeExam()
    expect(await share(place.sid, { uuid: place.uuid, user_id: reader.userUuid, delay: 600 })).toEqual(done)
    const [row] = await query<{ uuid: string }>(`select uuid from share where study_uuid = '${place.uuid}'`)
    const comes = async () => {
      await deliverShareActs.run(services, { shareUuid: row?.uuid ?? '' }, run)
      return received(reader, place.study.study_uid)
    }
    return { ...place, comes }
  }

  it('does not leave, its sender is told why, and a person releases it', async () => {
    const { sid, uuid, person, comes, study } = await schedule()
    await ofOther(uuid)
    expect(await comes()).toBeUndefined()
    expect(await trackedOf(uuid)).toMatchObject({ state: 'failed', failure: 'PATIENT_CHANGED' })
    expect(await query(`select subject from mail where recipient = '${person.email}'`)).toEqual([
      { subject: 'An exam that you wanted to send was not sent' },
    ])
    expect(await listPatients(uuid)).toEqual([])
    expect(await stop(sid, { uuid, user_id: reader.userUuid, restore: 1 })).toEqual(done)
    expect(await received(reader, study.study_uid)).toBeDefined()
  })

  it('leaves where the same person is only written in another way', async () => {
    const { uuid, comes } = await schedule()
    await spelled(uuid)
    expect(await comes()).toBeDefined()
    expect(await listPatients(uuid)).toEqual([])
  })

  it('leaves where somebody asked for it again once it was corrected', async () => {
    const { sid, uuid, comes } = await schedule()
    await ofOther(uuid)
    expect(await share(sid, { uuid, user_id: reader.userUuid, delay: 300 })).toEqual(done)
    expect(await comes()).toBeDefined()
  })
})

describe('[SEND-04] a mail with a link', () => {
  const held = { state: 'held', error: expect.stringContaining('corrected to another patient') }
  async function send(more: object) {
    const place = await makeExam()
    const sent = await share(place.sid, { uuid: place.uuid, email: outside, expires: 7 * 24 * 60, ...more })
    const [linkUuid = ''] = sent.user_invite_share_id
    return { ...place, linkUuid, comes: () => mailLinkActs.run(services, { linkUuid, address }, run) }
  }
  const outbox = async (more = {}) =>
    (await call('mail/outbox', { sid: admin.sid, account_id: accountUuid, ...more })).body.mails.filter(
      ({ recipient }: { recipient: string }) => recipient === outside,
    )

  it('for later is held, with the reason at the sending and in the outbox, and its giver is told', async () => {
    const { uuid, person, comes } = await send({ delay: 600 })
    await ofOther(uuid)
    await comes()
    expect(await trackedOf(uuid)).toMatchObject(held)
    expect(await outbox()).toMatchObject([{ held: 1, may_retry: 1, body: '', last_error: held.error }])
    expect(await deliver()).toEqual([person.email])
  })

  it('that waits for the mail server is held when it would leave', async () => {
    const { uuid, person } = await send({})
    await ofOther(uuid)
    expect(await deliver()).toEqual([person.email])
    expect(await trackedOf(uuid)).toMatchObject(held)
  })

  it('to several exams is held for any of them', async () => {
    const { sid, uuid, group, person } = await makeExam()
    const [other] = await query<{ uuid: string }>(
      `insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, arrival, patient_name,
        patient_birth_date, created, updated)
      values ('${group.namespaceUuid}', gen_random_uuid(), '2.25.' || floor(random() * 1e15)::bigint,
        '${group.namespaceUuid}', '${accountUuid}', 'complete', 'DOE^JANE', '19800101', now(), now())
      returning uuid`,
    )
    const ids = { study_id: uuid, study_ids: other?.uuid }
    expect((await call('link/add', { sid, action: 'STUDY_VIEW', email: outside, ...ids })).body.status).toBe('OK')
    await ofOther(other?.uuid ?? '')
    expect(await deliver()).toEqual([person.email])
  })

  it('leaves where the same person is only written in another way', async () => {
    const [now, later] = [await send({}), await send({ delay: 600 })]
    for (const { uuid, comes } of [now, later]) {
      await spelled(uuid)
      await comes()
    }
    expect(await deliver()).toEqual([outside, outside])
  })

  it.each([
    [
      'an administrator',
      async ({ mail }: { mail: string }) => call('mail/retry', { sid: admin.sid, account_id: accountUuid, uuid: mail }),
    ],
    ['whoever sent it', async ({ sid, uuid }: { sid: string; uuid: string }) => call('link/mail', { sid, uuid })],
  ])('that is held is released by %s, and leaves then', async (_who, release) => {
    const { sid, uuid, person, linkUuid, comes } = await send({ delay: 600 })
    await ofOther(uuid)
    await comes()
    const [mail] = await outbox()
    expect((await release({ sid, uuid: linkUuid, mail: mail.uuid })).body.status).toBe('OK')
    expect((await deliver()).toSorted()).toEqual([outside, person.email].toSorted())
    expect(await trackedOf(uuid)).toMatchObject({ state: 'delivered', error: '' })
  })

  it('that was given up is held when somebody tries it again, who then knows and releases it', async () => {
    const { uuid, person } = await send({})
    await query(`update mail set given_up = true, returned_at = now() where recipient = '${outside}'`)
    await ofOther(uuid)
    const again = async () => {
      const [mail] = await outbox()
      return (await call('mail/retry', { sid: admin.sid, account_id: accountUuid, uuid: mail.uuid })).body.status
    }
    expect(await again()).toBe('OK')
    expect(await deliver()).toEqual([person.email])
    expect(await trackedOf(uuid)).toMatchObject(held)
    expect(await again()).toBe('OK')
    expect(await deliver()).toEqual([outside])
  })

  it('forgets the patient once the link is over for good', async () => {
    const { uuid, linkUuid } = await send({})
    await sweepLinks(services)
    expect(await listPatients(uuid)).toHaveLength(1)
    await query(`update link set expires_at = now() - interval '1 hour' where uuid = '${linkUuid}'`)
    await sweepLinks(services)
    expect(await listPatients(uuid)).toEqual([])
  })

  it('that is held is cancelled, and never leaves', async () => {
    const { sid, uuid, person, linkUuid, comes } = await send({ delay: 600 })
    await ofOther(uuid)
    await comes()
    const [mail] = await outbox()
    await call('mail/cancel', { sid: admin.sid, account_id: accountUuid, uuid: mail.uuid })
    expect(await outbox()).toEqual([])
    expect(await outbox({ left: 1 })).toMatchObject([{ held: 1, cancelled: 0, sent_at: null }])
    expect(await stop(sid, { uuid, user_invite_share_id: linkUuid })).toEqual(done)
    expect(await deliver()).toEqual([person.email])
  })

  it('that reminds of the end is held too, and the sending stays as it was', async () => {
    const { uuid, person, linkUuid } = await send({})
    expect(await deliver()).toEqual([outside])
    const before = await trackedOf(uuid)
    expect(before).toMatchObject({ state: 'delivered' })
    await query(`update link set expires_at = now() + interval '5 hours', created = now() - interval '6 days'
      where uuid = '${linkUuid}'`)
    await ofOther(uuid)
    await remindOfLinks(services)
    expect(await deliver()).not.toContain(outside)
    expect(await trackedOf(uuid)).toMatchObject({ state: 'delivered', delivered_at: before?.delivered_at, error: '' })
    expect(await outbox()).toMatchObject([{ held: 1, subject: 'A link to an exam ends soon' }])
    expect(taken).toContain(person.email)
  })
})

describe('a reminder', () => {
  it.each([
    ['waits for the mail server', async () => undefined],
    [
      'came back',
      async () => query(`update mail set returned_at = now(), last_error = 'No such mailbox' where is_reminder`),
    ],
    ['left', async () => deliver()],
  ])('that %s leaves what the tracker and the list of links say of the sending as it was', async (_what, happens) => {
    const place = await makeExam()
    const { sid, uuid } = place
    const [linkUuid] = (await share(sid, { uuid, email: outside, expires: 7 * 24 * 60 })).user_invite_share_id
    await deliver()
    const look = async () => ({
      tracked: (await trackedOf(uuid))?.delivered_at,
      mail: (await call('link/get', { sid, uuid: linkUuid })).body.mail,
    })
    const before = await look()
    expect(before).toEqual({ tracked: expect.any(String), mail: expect.objectContaining({ state: 'sent' }) })
    await query(`update link set expires_at = now() + interval '5 hours', created = now() - interval '6 days'
      where uuid = '${linkUuid}'`)
    await remindOfLinks(services)
    expect(await query(`select from mail where is_reminder`)).toHaveLength(1)
    await happens()
    expect(await look()).toEqual(before)
  })
})
