import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QueryClass } from '@hilum/dicom/dimse/query'
import { ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { makeCertificate } from '../../../test/made-certificate.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { type ScriptedPeer, startScriptedPeer, studyAnswer } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { openDicomListener } from '../dimse/open-dicom-listener.ts'
import { startRunner } from './run-work.ts'

/*
 * Faults of the first minute with a new destination, where we are the caller: a peer that takes a half of what was proposed,
 * and TLS on one side alone. Each for a push, a search and a retrieval: the words, what is stored, and nothing locked.
 */

const { services, call, query, app } = await startTestApp({ HILUM_DICOM_PORT: '0' })
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
const runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
const administrator = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const nodeTitle = 'HILUM_HALF'
const folder = await mkdtemp(join(tmpdir(), 'hilum-half-'))
afterAll(() => rm(folder, { recursive: true }))
const pems = await makeCertificate(folder)
const plain = await startScriptedPeer('PLAIN')
const secret = await startScriptedPeer('SECRET', { cert: pems.cert, key: pems.key })
afterEach(() => {
  for (const peer of [plain, secret]) Object.assign(peer, { script: {}, asked: 0 }).stored.length = 0
})
const [sc, ct] = ['1.2.840.10008.5.1.4.1.1.7', '1.2.840.10008.5.1.4.1.1.2']

async function destinationOf(peer: Pick<ScriptedPeer, 'port' | 'title'>, isTls = false): Promise<string> {
  const { port, title } = peer
  const { uuid } = await makeDestination({ query }, organisation.accountUuid, { port, title, name: title, nodeTitle })
  await query(
    `update destination set uses_tls = ${isTls}, tls_certificate = ${isTls ? `'${pems.cert}'` : "''"} where uuid = '${uuid}'`,
  )
  return uuid
}

/** A complete study of a secondary capture and a CT image. */
async function addStudy(): Promise<string> {
  const studyUid = newUid()
  for (const [at, sopClassUid] of [sc, ct].entries()) {
    const reply = await app.inject({
      method: 'POST',
      url: `/api/v3/storage/namespace/${group.namespaceUuid}/image?sid=${staff.sid}`,
      headers: { 'content-type': 'application/dicom' },
      payload: Buffer.from(madeImage({ studyUid, patientId: 'PUSHED-1', number: at + 1, sopClassUid })),
    })
    expect(reply.statusCode).toBe(202)
  }
  const [record] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${studyUid}'`)
  const uuid = record?.uuid ?? ''
  await call('study/sync', { sid: staff.sid, uuid, image_count: 2 })
  return uuid
}

const push = (uuid: string, destination: string) =>
  call('study/push', { sid: staff.sid, uuid, destination_id: destination })
const pushState = async (uuid: string) => {
  const [state] = (await call('study/get', { sid: staff.sid, uuid })).body.study_push_status
  return [state?.status, state?.status_reason]
}
const isFree = async (uuid: string) =>
  expect(await query(`select from study_lock where study_uuid = '${uuid}'`)).toEqual([])
const hurry = () => query(`update work set run_at = now() where state = 'waiting' and not by_clock`)

const answer = async (uuid: string) => (await call('destination/search/get', { sid: staff.sid, uuid })).body
async function search(destination: string): Promise<string> {
  const asked = { sid: staff.sid, uuid: destination, copy_to: group.namespaceUuid, patient_name: 'Found' }
  const { uuid } = (await call('destination/search', asked)).body
  await expect.poll(async () => (await answer(uuid)).state, { timeout: 20_000 }).not.toBe('waiting')
  return uuid
}
const retrieve = (uuid: string, studyUid: string) =>
  call('destination/retrieve', { sid: staff.sid, destination_search_id: uuid, study_uid: studyUid })
const retrieval = async (uuid: string) => (await answer(uuid)).results[0].retrieval
const imagesOf = (studyUid: string) =>
  query(`select i.sop_uid from instance i join stored_study t on t.storage_namespace = i.storage_namespace
    and t.key = i.study_key where t.study_uid = '${studyUid}'`)

describe('a peer that accepts half the presentation contexts', () => {
  it('gets of a push what it takes, is told as partial with the reason, and gets the rest when it takes the rest', async () => {
    const uuid = await addStudy()
    const destination = await destinationOf(plain)
    plain.script.classes = [QueryClass.StudyFind, sc]
    await push(uuid, destination)
    const words = '1 of 2 images sent. Not sent: The peer does not take this kind of object (1).'
    await expect.poll(() => pushState(uuid)).toEqual(['F', words])
    expect(plain.stored).toHaveLength(1)
    await isFree(uuid)
    plain.script = {}
    await push(uuid, destination)
    await expect.poll(() => pushState(uuid)).toEqual(['S', '2 of 2 images sent.'])
  })

  it('gets all of a push in the syntax that it does take', async () => {
    const uuid = await addStudy()
    plain.script.syntaxes = [ImplicitLittleEndian]
    await push(uuid, await destinationOf(plain))
    await expect.poll(() => pushState(uuid)).toEqual(['S', '2 of 2 images sent.'])
    expect(plain.stored).toHaveLength(2)
  })

  it('sends for a C-GET what it may, and the retrieval is told as partly there', async () => {
    const destination = await destinationOf(plain)
    const uid = newUid()
    plain.script = {
      classes: [QueryClass.StudyFind, QueryClass.StudyGet, sc],
      answers: [studyAnswer({ uid, images: 2 })],
      files: [sc, ct].map((sopClassUid, at) =>
        madeImage({ studyUid: uid, patientName: 'FOUND^ADA', number: at + 1, sopClassUid }),
      ),
    }
    const found = await search(destination)
    await retrieve(found, uid)
    await expect
      .poll(() => retrieval(found))
      .toMatchObject({
        state: 'partial',
        completed: 1,
        message: '1 images could not be sent to us. The peer answered B000',
      })
    expect(await imagesOf(uid)).toHaveLength(1)
    // well again, the same search brings the rest
    plain.script = { ...plain.script, classes: [QueryClass.StudyFind, QueryClass.StudyGet, sc, ct] }
    await retrieve(found, uid)
    await expect.poll(() => retrieval(found)).toMatchObject({ state: 'done', message: '' })
    expect(await imagesOf(uid)).toHaveLength(2)
  })

  it('sends nothing where it takes searches and no retrieval, in words', async () => {
    const destination = await destinationOf(plain)
    const uid = newUid()
    plain.script = { classes: [QueryClass.StudyFind], answers: [studyAnswer({ uid })] }
    const found = await search(destination)
    await retrieve(found, uid)
    await expect
      .poll(() => retrieval(found))
      .toMatchObject({
        state: 'failed',
        message: 'The peer does not take retrievals (C-GET)',
      })
    expect(await imagesOf(uid)).toEqual([])
  })
})

describe('TLS on one side alone', () => {
  const closing = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.destroy()))
  const ported = async (server: typeof closing, title: string) => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return { port: (server.address() as AddressInfo).port, title }
  }
  const peerSpeaks = 'The peer speaks TLS, and is called without it'
  const peerEnds = 'The peer ended the connection without an answer. Perhaps it expects TLS'
  const weSpeak = 'The peer did not answer in TLS. Perhaps it speaks none'
  const mismatches: [
    who: string,
    isTls: boolean,
    peer: () => Promise<Pick<ScriptedPeer, 'port' | 'title'>>,
    words: RegExp,
  ][] = [
    ['the peer speaks TLS and we do not', false, async () => secret, RegExp(`${peerSpeaks}|${peerEnds}`)],
    ['we speak TLS and the peer does not', true, async () => plain, RegExp(weSpeak)],
    ['the peer hangs up on what is no TLS', false, () => ported(closing, 'CLOSING'), RegExp(peerEnds)],
    ['the peer hangs up on TLS', true, () => ported(closing, 'CLOSING'), RegExp(weSpeak)],
  ]

  it.each(mismatches)(
    '%s: push, search and test say so, nothing is sent, and the exam is free',
    async (_who, isTls, peerOf, words) => {
      const peer = await peerOf()
      const destination = await destinationOf(peer, isTls)
      const uuid = await addStudy()
      await push(uuid, destination)
      await expect.poll(() => pushState(uuid)).toEqual(['N', expect.stringMatching(words)])
      await isFree(uuid)
      expect(await answer(await search(destination))).toMatchObject({
        state: 'failed',
        message: expect.stringMatching(words),
      })
      const tested = (await call('destination/test', { sid: administrator.sid, uuid: destination })).body
      expect(tested).toMatchObject({
        ok: 0,
        steps: [{ step: 'connect', outcome: 'failed', message: expect.stringMatching(words) }],
      })
      if (peer !== plain && peer !== secret) return
      // set right, the push that waits goes by itself
      await query(
        `update destination set uses_tls = ${!isTls}, tls_certificate = '${isTls ? '' : pems.cert}' where uuid = '${destination}'`,
      )
      await hurry()
      await expect.poll(() => pushState(uuid), { timeout: 20_000 }).toEqual(['S', '2 of 2 images sent.'])
    },
  )

  it.each([
    ['the peer speaks TLS and we do not', false],
    ['we speak TLS and the peer does not', true],
  ])('%s: a retrieval says so and is tried again, and comes when it is set right', async (_who, isTls) => {
    const peer = isTls ? plain : secret
    const destination = await destinationOf(peer, !isTls)
    const uid = newUid()
    peer.script = {
      answers: [studyAnswer({ uid })],
      files: [madeImage({ studyUid: uid, patientName: 'FOUND^ADA', number: 1 })],
      places: new Map([[nodeTitle, listeners.port]]),
    }
    const found = await search(destination)
    const turn = (on: boolean) =>
      query(
        `update destination set uses_tls = ${on}, tls_certificate = '${on ? pems.cert : ''}' where uuid = '${destination}'`,
      )
    await turn(isTls)
    await retrieve(found, uid)
    const words = isTls ? RegExp(weSpeak) : RegExp(`${peerSpeaks}|${peerEnds}`)
    await expect.poll(() => retrieval(found)).toMatchObject({ state: 'waiting', message: expect.stringMatching(words) })
    expect(await imagesOf(uid)).toEqual([])
    await turn(!isTls)
    await hurry()
    await expect.poll(() => retrieval(found), { timeout: 20_000 }).toMatchObject({ state: 'done', message: '' })
    expect(await imagesOf(uid)).toHaveLength(1)
  })

  it('a peer with a certificate that is not the one kept is not called, in words', async () => {
    const destination = await destinationOf(secret, true)
    await query(`update destination set tls_certificate = '' where uuid = '${destination}'`)
    const { steps } = (await call('destination/test', { sid: administrator.sid, uuid: destination })).body
    expect(steps).toMatchObject([
      { step: 'connect', message: 'The certificate of the peer is not one that is trusted here' },
    ])
  })
})
