import { randomBytes, randomUUID } from 'node:crypto'
import type { InboxConfig } from '@hilum/contract/inbox-config'
import { newUid } from '@hilum/dicom/uid'
import { ensureGateFields } from '../src/areas/nomination/gate-fields.sql.ts'
import { MessageRefused, type SentMessage, type SentOrder } from '../src/areas/order/sent-order.ts'
import { findOwnNames } from '../src/areas/storage/authority.sql.ts'
import { takeOrderMessage } from '../src/areas/order/take-order-message.command.ts'
import { madeImage, type MadeImage } from './made-image.ts'
import { makeOrganisation, type Person } from './make-organisation.ts'
import type { PairedAct } from './pairs-of-acts.ts'
import type { TestApp } from './test-app.ts'

/** A nominated exam of one image, by its records at the sender and in the gatekeeper group. */
export interface Nominated {
  studyUid: string
  mrn: string
  source: string
  gateSide: string
  /** Version of the gatekeeper group's record once the destination was chosen. */
  version: number
  /** An order of the gatekeeper group for the patient of the exam, where an act needs one. */
  order?: { uuid: string; number: string }
  /** A reviewer who has no other exams, where an act needs one. */
  leaver?: Person
  /** Another exam of the same patient at the sender, where an act needs one, with the digest of merging both. */
  merge?: { other: string; digest: string }
  /** The second image of the exam as what would be separated, where an act needs one. */
  split?: { uuid: string; image_uids: string; digest: string }
}

const patientName = 'DOE^JANE'

/**
 * A clinician of a cloud group, two reviewers of a gatekeeper group, a registrar of both, and their acts on a nomination.
 * `destinationOf` makes the destination that the exams go to.
 */
export async function openGate(
  { services, call, query, app }: TestApp,
  destinationOf: (accountUuid: string) => Promise<{ uuid: string }>,
  config: Partial<InboxConfig> = {},
) {
  const organisation = await makeOrganisation(services.db)
  const { accountUuid } = organisation
  const fields = await ensureGateFields(services.db, accountUuid)
  const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER', ...config } })
  const cloud = await organisation.addGroup({ config: { pacs_promote_groups: [gate.groupUuid] } })
  const clinician = await organisation.addPerson({ role: 'Staff', groups: [cloud] })
  const registrar = await organisation.addPerson({ role: 'Administrator', groups: [cloud, gate] })
  const addReviewer = () => organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
  const [one, other] = [await addReviewer(), await addReviewer()]
  const { uuid: destination } = await destinationOf(accountUuid)
  const ask = async (path: string, sid: string, sent: object) => (await call(path, { sid, ...sent })).body
  const said = ({ status, error_type: error }: { status: string; error_type?: string }) => error ?? status

  async function upload(
    studyUid: string,
    number: number,
    name: string,
    mrn: string,
    more: Partial<MadeImage> = {},
  ): Promise<string> {
    const image = madeImage({ studyUid, number, patientName: name, patientId: mrn, birthDate: '19700101', ...more })
    const reply = await app.inject({
      method: 'POST',
      url: `/api/v3/storage/namespace/${cloud.namespaceUuid}/image?sid=${clinician.sid}`,
      headers: { 'content-type': 'application/dicom' },
      payload: Buffer.from(image),
    })
    return reply.statusCode === 202 ? 'OK' : `upload ${reply.statusCode}`
  }

  async function recordIn(namespace: string, studyUid: string): Promise<string> {
    const [row] = await query<{ uuid: string }>(
      `select uuid from study where study_uid = '${studyUid}' and phi_namespace = '${namespace}'`,
    )
    return row?.uuid ?? ''
  }

  /** An exam that has come in whole at the sender. */
  async function makeExam(
    mrn: string,
    images = 1,
    more: Partial<MadeImage> = {},
  ): Promise<{ studyUid: string; source: string }> {
    const studyUid = newUid()
    // images that come later have the numbers 2 and 3
    for (let at = 0; at < images; at += 1) await upload(studyUid, at === 0 ? 1 : 10 + at, patientName, mrn, more)
    const source = await recordIn(cloud.namespaceUuid, studyUid)
    await ask('study/sync', clinician.sid, { uuid: source, image_count: images })
    return { studyUid, source }
  }

  /** Has an image of the patient of an exam come to the sender; its name follows from its number. */
  const addImage = ({ studyUid, mrn }: Nominated, number: number, more: Partial<MadeImage> = {}) =>
    upload(studyUid, number, patientName, mrn, more)

  const nominate = (source: string) =>
    ask('study/share', clinician.sid, { uuid: source, group_id: gate.groupUuid }).then(said)

  /** A nomination that a reviewer has chosen a destination for. */
  async function makeNominated(images = 1, more: Partial<MadeImage> = {}): Promise<Nominated> {
    const mrn = `A-${randomBytes(6).toString('hex')}`
    const { studyUid, source } = await makeExam(mrn, images, more)
    await nominate(source)
    const gateSide = await recordIn(gate.namespaceUuid, studyUid)
    const chosen = { [`customfield-${fields['push_destination']}`]: destination }
    const { row_version: version } = await ask('study/set', one.sid, { study_id: gateSide, ...chosen })
    return { studyUid, mrn, source, gateSide, version }
  }

  async function addOrder(on: Nominated): Promise<void> {
    if (on.order) return
    const number = `N-${on.mrn}`
    const { uuid } = await ask('order/add', registrar.sid, {
      account_id: accountUuid,
      namespace_id: gate.namespaceUuid,
      order_number: number,
      patient_name: patientName,
      patientid: on.mrn,
    })
    on.order = { uuid, number }
  }

  async function addLeaver(on: Nominated): Promise<void> {
    on.leaver ??= await addReviewer()
  }

  /** Has another system send a message about the orders of the gatekeeper group. */
  async function sendMessage(message: SentMessage): Promise<string> {
    const ownNames = await findOwnNames(services.db, accountUuid)
    const place = { namespaceUuid: gate.namespaceUuid, accountUuid, ownNames, senders: null }
    const sender = { sender: 'HIS|NORTH', controlId: randomUUID(), digest: randomBytes(32), type: 'ADT', address: '' }
    try {
      return await takeOrderMessage(services, place, sender, message)
    } catch (error) {
      if (error instanceof MessageRefused) return error.reason
      throw error
    }
  }

  async function findMerge(on: Nominated): Promise<void> {
    const { source: secondary } = await makeExam(on.mrn)
    const both = { uuid: on.source, secondary_uuid: secondary }
    const { digest } = await ask('study/merge/preview', registrar.sid, both)
    on.merge = { other: secondary, digest }
  }

  async function findSplit(on: Nominated): Promise<void> {
    const part = { uuid: on.source, image_uids: JSON.stringify([`${on.studyUid}.1.11`]) }
    const { digest } = await ask('study/split/preview', registrar.sid, part)
    on.split = { ...part, digest }
  }

  /** Has another system send a message about the order of an exam. */
  const sendOrder = ({ mrn, order }: Nominated, more: Partial<SentOrder>) =>
    sendMessage({
      kind: 'orders',
      patient: { patientid: mrn, issuer: '', patient_name: patientName },
      orders: [{ order_number: order?.number ?? '', act: 'put', step: {}, ...more }],
    })

  const open = { pushable_destinations: [], risk_line: 'NONE' as const }
  const gateConfig = { group_designation: 'GATEKEEPER' as const, ...open, ...config }
  const cloudConfig = { group_designation: 'CLOUD' as const, pacs_promote_groups: [gate.groupUuid] }
  /** Has an administrator change the settings of one of the two groups. */
  async function configure(group: { groupUuid: string }, more: Partial<InboxConfig>): Promise<string> {
    const inbox_config = { ...(group === gate ? gateConfig : cloudConfig), ...more }
    return said(await ask('group/set', registrar.sid, { uuid: group.groupUuid, inbox_config }))
  }
  /** Has both groups as they were at first. */
  async function restoreSettings(): Promise<void> {
    for (const group of [gate, cloud]) await configure(group, {})
  }

  const confirm = (by: Person | undefined, { gateSide }: Nominated, more: object = {}) =>
    ask('study/push/confirm', by?.sid ?? '', { uuid: gateSide, ...more }).then(said)
  const set = (by: Person, uuid: string, sent: object) => ask('study/set', by.sid, { study_id: uuid, ...sent })
  const single = (step: (on: Nominated) => Promise<string>): PairedAct<Nominated> => ({ steps: [step] })
  const ofOrder = (step: (on: Nominated) => Promise<string>) => ({ prepare: addOrder, ...single(step) })
  const ofLeaver = (step: (on: Nominated) => Promise<string>) => ({ prepare: addLeaver, ...single(step) })

  /** Acts of people and of other systems. */
  const acts = {
    'one sends': single((on) => confirm(one, on)),
    'another sends what was seen': single((on) => confirm(other, on, { row_version: on.version })),
    'another sends by the order': ofOrder((on) => confirm(other, on, { order_id: on.order?.uuid })),
    'one corrects and sends': {
      steps: [
        async ({ gateSide, version }, run) => {
          const reply = await set(one, gateSide, { patientid: 'H-2', row_version: version })
          run.version = reply.row_version
          return said(reply)
        },
        async (on, { version }) =>
          version === undefined ? 'goes no further' : confirm(one, on, { row_version: version }),
      ],
    },
    'one retries': single(({ gateSide }) =>
      ask('study/push', one.sid, { uuid: gateSide, destination_id: destination }).then(said),
    ),
    'one sends the late images': single(({ gateSide }) =>
      ask('study/push', one.sid, { uuid: gateSide, destination_id: destination, late_images: 1 }).then(said),
    ),
    'another rejects': single(async ({ gateSide }) =>
      said(
        await set(other, gateSide, {
          [`customfield-${fields['is_process_form_rejected']}`]: '1',
          [`customfield-${fields['process_rejection_reason']}`]: 'No indication',
        }),
      ),
    ),
    'the sender cancels': single(async ({ source }) =>
      said(await ask('study/share/stop', clinician.sid, { uuid: source, group_id: gate.groupUuid })),
    ),
    'the sender nominates again': single(({ source }) => nominate(source)),
    'one edits': single(async ({ gateSide }) => said(await set(one, gateSide, { patientid: 'H-1' }))),
    'the sender edits': single(async ({ source }) => said(await set(clinician, source, { accession_number: 'A-1' }))),
    "another patient's image comes": single(({ studyUid }) => upload(studyUid, 2, 'ROE^RICHARD', 'ROE^RICHARD')),
    'an image of the same patient comes': single((on) => addImage(on, 3)),
    'another locks': single(async ({ gateSide }) => said(await ask('study/lock', other.sid, { uuid: gateSide }))),
    'the order is corrected': ofOrder(async ({ order }) =>
      said(await ask('order/set', registrar.sid, { uuid: order?.uuid, patientid: 'H-9' })),
    ),
    'the order is cancelled': ofOrder(async ({ order }) =>
      said(await ask('order/cancel', registrar.sid, { uuid: order?.uuid })),
    ),
    'the order is deleted': ofOrder(async ({ order }) =>
      said(await ask('order/delete', registrar.sid, { uuid: order?.uuid })),
    ),
    'a message changes the order': ofOrder((on) => sendOrder(on, { accession_number: 'C-1' })),
    'a message cancels the order': ofOrder((on) => sendOrder(on, { act: 'cancel' })),
    'the number of the patient ends in another': ofOrder(({ mrn }) =>
      sendMessage({
        kind: 'merge',
        patient: { patientid: `${mrn}-B`, issuer: '' },
        prior: { patientid: mrn, issuer: '' },
      }),
    ),
    'the sender merges another exam into it': {
      prepare: findMerge,
      steps: [
        async ({ source, merge }) =>
          said(
            await ask('study/merge', registrar.sid, {
              uuid: source,
              secondary_uuid: merge?.other,
              digest: merge?.digest,
            }),
          ),
      ],
    },
    'the sender separates an image': {
      prepare: findSplit,
      steps: [async ({ split }) => said(await ask('study/split', registrar.sid, split ?? {}))],
    },
    'the sender takes it back': single(async ({ source }) =>
      said(await ask('study/retract', registrar.sid, { uuid: source, reason: 'Wrong patient' })),
    ),
    'the sender deletes it': single(async ({ source }) =>
      said(await ask('study/delete', registrar.sid, { uuid: source })),
    ),
    'the group deletes it': single(async ({ gateSide }) =>
      said(await ask('study/delete', registrar.sid, { uuid: gateSide })),
    ),
    'the group wants two people': single(() => configure(gate, { risk_line: 'ALL' })),
    'the group sends nowhere any more': single(() => configure(gate, { pushable_destinations: [randomUUID()] })),
    "the sender's group nominates no more": single(() => configure(cloud, { pacs_promote_groups: [] })),
    'its push is cancelled': single(async ({ gateSide }) => {
      const [work] = await query<{ uuid: string }>(`
        select w.uuid from work w join push p on w.payload ->> 'pushUuid' = p.uuid::text where p.study_uuid = '${gateSide}'`)
      return said(await ask('job/cancel', registrar.sid, { uuid: work?.uuid ?? randomUUID() }))
    }),
    'a leaver sends': ofLeaver((on) => confirm(on.leaver, on)),
    'the right of the leaver ends': ofLeaver(async ({ leaver }) =>
      said(await ask('group/user/delete', registrar.sid, { uuid: gate.groupUuid, user_id: leaver?.userUuid })),
    ),
  } satisfies Record<string, PairedAct<Nominated>>

  const { namespaceUuid } = gate
  const people = { clinician, registrar, one, other }
  const made = { organisation, accountUuid, gate, cloud, destination, fields, namespaceUuid, ...people }
  return { ...made, ask, restoreSettings, makeNominated, addImage, addOrder, sendMessage, acts }
}
