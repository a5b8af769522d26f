import { Tag } from '@hilum/dicom/tags'
import { expect } from 'vitest'
import type { Nominated, openGate } from './nominated-exam.ts'
import { type ScriptedPeer, textIn } from './scripted-peer.ts'
import type { TestApp } from './test-app.ts'

export type UnderWay = Nominated & { release: () => void }

/** The moment at which a destination keeps a push waiting: when it is asked for the exam, or when it has the first image. */
type Stage = 'asked' | 'sent'

/**
 * Nominations whose pushes are under way, their end, and all that people and the destination see of them afterwards. The
 * runner of the application works.
 * @param how.isOrdered the exam is sent under an order
 */
export function pushesUnderWay(
  { query }: TestApp,
  pacs: ScriptedPeer,
  { fields, clinician, one, ask, makeNominated, addOrder }: Awaited<ReturnType<typeof openGate>>,
  { stage = 'sent', isOrdered = false, images = 1 }: { stage?: Stage; isOrdered?: boolean; images?: number } = {},
) {
  async function makeUnderWay(): Promise<UnderWay> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const wait = () => {
      reached.resolve()
      return promise
    }
    pacs.stored.length = 0
    pacs.script = stage === 'asked' ? { beforeFound: wait } : { beforeAnswer: wait }
    const nominated = await makeNominated(images)
    if (isOrdered) await addOrder(nominated)
    const { gateSide: uuid, order } = nominated
    const sent = { uuid, ...(isOrdered ? { order_id: order?.uuid } : {}) }
    expect(await ask('study/push/confirm', one.sid, sent)).toMatchObject({ status: 'OK' })
    await reached.promise
    return { ...nominated, release: resolve }
  }

  const statusOf = async ({ gateSide }: Nominated): Promise<string | undefined> => {
    const [push] = await query<{ status: string }>(`select status from push where study_uuid = '${gateSide}'`)
    return push?.status
  }
  const isOver = async (on: Nominated) => ['S', 'F', undefined].includes(await statusOf(on))
  const isMoving = async ({ source }: Nominated) =>
    (await query(`select from separation where study_uuid = '${source}' and state = 'making'`)).length > 0

  async function endPush(on: UnderWay): Promise<string> {
    on.release()
    await expect.poll(() => isOver(on), { timeout: 20_000 }).toBe(true)
    return 'ended'
  }

  /** All that people and the destination see once the push is over; what never must be ends the test. */
  async function stateOf(on: UnderWay): Promise<unknown> {
    await endPush(on)
    await expect.poll(() => isMoving(on), { timeout: 20_000 }).toBe(false)
    const { source, gateSide, order } = on
    const given = await ask('study/get', clinician.sid, { uuid: source, customfield_h: 1 })
    const got = await ask('study/get', one.sid, { uuid: gateSide, customfield_h: 1 })
    const status = await statusOf(on)
    if (status === 'S') expect(pacs.stored.length).toBeGreaterThan(0)
    // the end of a push that is still the nomination's reaches its sender
    const told = given.customfield_h?.[fields['nomination_push_status'] ?? '']
    if (given.nomination)
      expect([given.nomination.state, told]).toEqual([status === 'S' ? 'completed' : 'failed', status])
    if (got.nomination) expect(got.nomination.state).toBe(given.nomination?.state)
    const names = pacs.stored.map((file) => textIn(file, Tag.PatientName))
    expect(names).not.toContain('ROE^RICHARD')
    const state = {
      status,
      reached: [...new Set(pacs.stored.map((file) => textIn(file, Tag.PatientID)))],
      // an image that came meanwhile is not among those that were confirmed
      images: new Set(pacs.stored.map((file) => textIn(file, Tag.SOPInstanceUID))).size,
      late: got.study_push_status?.map((one: { late_image_count: number }) => one.late_image_count),
      source: [given.error_type, given.nomination?.state, told, given.mixed_patients, given.image_count],
      gate: [got.error_type, got.nomination?.state, got.patientid, got.mixed_patients, got.is_locked, got.image_count],
      separations: await query(`select state from separation where study_uuid = '${source}' order by created`),
      order:
        order &&
        (await query(
          `select patientid, cancelled_at is null as holds from imaging_order where uuid = '${order.uuid}'`,
        )),
    }
    return JSON.parse(JSON.stringify(state).replaceAll(on.mrn, 'MRN'))
  }

  return { makeUnderWay, endPush, stateOf }
}
