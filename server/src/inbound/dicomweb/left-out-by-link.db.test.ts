import type { AddressInfo } from 'node:net'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, expect, it } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { makeLink, openLink } from '../../../test/make-link.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'

/* A study by a link, one image of which cannot leave: nobody can tell whom its header names. */

const { services, app, call } = await startTestApp()
const { organisation, accountUuid, received } = await makeSharing({ services, call })
await app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
afterAll(() => app.close())

/** An item that ends inside an element. */
const damaged = Uint8Array.from([0xfe, 0xff, 0x00, 0xe0, 12, 0, 0, 0, 8, 0, 0x50, 0x11, 85, 73, 200, 0, 49, 46, 50, 0])

/** A corrected exam and who opened a link to it; its second image, and a third one in a series of its own, are damaged. */
async function makeExam() {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const studyUid = newUid()
  const arrival = { namespaceUuid: group.namespaceUuid, accountUuid, source: 'upload' as const, quietSeconds: 30 }
  const more = [{ tag: 0x00081115, vr: 'SQ', value: damaged }]
  for (const image of [{ number: 1 }, { number: 2, more }, { number: 3, series: 2, more }])
    await receiveImage(services, arrival, [madeImage({ studyUid, ...image })] as never)
  const uuid = (await received(person, studyUid))?.uuid ?? ''
  const right = { patient_name: 'Right^Rosa', patientid: 'R77', patient_birth_date: '19800102' }
  expect((await call('study/set', { sid: person.sid, uuid, ...right })).body).toMatchObject(done)
  const studies = [{ phi_namespace: group.namespaceUuid, uuid }]
  const permissions = ['study_view', 'study_download'] as const
  const link = await makeLink(services.db, { accountUuid, createdBy: person.userUuid, studies, permissions })
  const root = `${origin}/dicomweb/${group.namespaceUuid}/studies/${studyUid}`
  const ask = async (sid: string, path: string, method = 'GET') => {
    const reply = await fetch(`${root}${path}`, { method, headers: { authorization: `Bearer ${sid}`, accept: '*/*' } })
    return {
      status: reply.status,
      warning: reply.headers.get('warning'),
      text: Buffer.from(await reply.arrayBuffer()).toString('latin1'),
    }
  }
  return { ask, person, studyUid, sid: await openLink(services.db, link) }
}

it('gives a link the other images of a study and of a series, and says which are left out and why', async () => {
  const { ask, sid, studyUid } = await makeExam()
  for (const [path, count, leftOut] of [
    ['', 3, ['1.2', '2.3']],
    [`/series/${studyUid}.1`, 2, ['1.2']],
  ] as const) {
    const given = await ask(sid, path)
    expect([path, given.status, given.text.split('application/dicom;').length - 1]).toEqual([path, 206, 1])
    expect(given.text).toContain(`instances/${studyUid}.1.1`)
    expect(given.warning).toContain(`${leftOut.length} of ${count} images are left out`)
    for (const one of leftOut) {
      expect(given.warning).toContain(`${studyUid}.${one}: The corrections`)
      expect(given.text).not.toContain(`instances/${studyUid}.${one}`)
    }
    expect(await ask(sid, path, 'HEAD')).toMatchObject({ status: 206, warning: given.warning })
  }
})

it('refuses a link the image alone, and a series without another one, in words that offer it in no other form', async () => {
  const { ask, sid, person, studyUid } = await makeExam()
  for (const path of [`/series/${studyUid}.2`, `/series/${studyUid}.1/instances/${studyUid}.1.2`]) {
    const refused = await ask(sid, path)
    expect([path, refused.status, refused.text]).toEqual([path, 409, expect.stringContaining('The corrections')])
    expect(refused.text).not.toContain('as_received')
    // nothing is left out for people, so that the damage is in nobody's way
    expect(await ask(person.sid, path)).toMatchObject({ status: 200, warning: null })
  }
  expect(await ask(person.sid, '')).toMatchObject({ status: 200, warning: null })
})
