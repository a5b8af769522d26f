import { newUid } from '@hilum/dicom/uid'
import { ensureGateFields } from '../src/areas/nomination/gate-fields.sql.ts'
import { madeImage } from './made-image.ts'
import { makeOrganisation } from './make-organisation.ts'
import type { TestApp } from './test-app.ts'

/** A nominated exam of one image, by its records at the sender and in the gatekeeper group. */
export interface Nominated {
  studyUid: string
  source: string
  gateSide: string
  /** Version of the gatekeeper group's record once the destination was chosen. */
  version: number
}

/**
 * A clinician of a cloud group, two reviewers of a gatekeeper group, and their acts on a nomination. `destinationOf` makes
 * the destination that the exams go to.
 */
export async function openGate(
  { services, call, query, app }: TestApp,
  destinationOf: (accountUuid: string) => Promise<{ uuid: string }>,
) {
  const organisation = await makeOrganisation(services.db)
  const { accountUuid } = organisation
  const fields = await ensureGateFields(services.db, accountUuid)
  const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER' } })
  const cloud = await organisation.addGroup({ config: { pacs_promote_groups: [gate.groupUuid] } })
  const clinician = await organisation.addPerson({ role: 'Staff', groups: [cloud] })
  const [one, other] = [
    await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] }),
    await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] }),
  ]
  const { uuid: destination } = await destinationOf(accountUuid)
  const ask = async (path: string, sid: string, sent: object) => (await call(path, { sid, ...sent })).body

  async function upload(studyUid: string, number: number, patientName: string): Promise<string> {
    const reply = await app.inject({
      method: 'POST',
      url: `/api/v3/storage/namespace/${cloud.namespaceUuid}/image?sid=${clinician.sid}`,
      headers: { 'content-type': 'application/dicom' },
      payload: Buffer.from(madeImage({ studyUid, number, patientName, patientId: patientName, birthDate: '19700101' })),
    })
    return reply.statusCode === 202 ? 'OK' : `upload ${reply.statusCode}`
  }

  /** A nomination that a reviewer has chosen a destination for. */
  async function makeNominated(): Promise<Nominated> {
    const studyUid = newUid()
    await upload(studyUid, 1, 'DOE^JANE')
    const recordIn = async (namespace: string) => {
      const [row] = await query<{ uuid: string }>(
        `select uuid from study where study_uid = '${studyUid}' and phi_namespace = '${namespace}'`,
      )
      return row?.uuid ?? ''
    }
    const source = await recordIn(cloud.namespaceUuid)
    await ask('study/sync', clinician.sid, { uuid: source, image_count: 1 })
    await ask('study/share', clinician.sid, { uuid: source, group_id: gate.groupUuid })
    const gateSide = await recordIn(gate.namespaceUuid)
    const chosen = { [`customfield-${fields['push_destination']}`]: destination }
    const { row_version: version } = await ask('study/set', one.sid, { study_id: gateSide, ...chosen })
    return { studyUid, source, gateSide, version }
  }

  const reject = (sid: string, { gateSide }: Nominated, reason: string) =>
    ask('study/set', sid, {
      study_id: gateSide,
      [`customfield-${fields['is_process_form_rejected']}`]: '1',
      [`customfield-${fields['process_rejection_reason']}`]: reason,
    })
  const said = ({ status, error_type: error }: { status: string; error_type?: string }) => error ?? status

  /** Acts of people, each with its answer. */
  const acts: Record<string, (on: Nominated) => Promise<string>> = {
    'one sends': async ({ gateSide }) => said(await ask('study/push/confirm', one.sid, { uuid: gateSide })),
    'another sends what was seen': async ({ gateSide, version }) =>
      said(await ask('study/push/confirm', other.sid, { uuid: gateSide, row_version: version })),
    'another rejects': async (on) => said(await reject(other.sid, on, 'No indication')),
    'the sender cancels': async ({ source }) =>
      said(await ask('study/share/stop', clinician.sid, { uuid: source, group_id: gate.groupUuid })),
    'the sender nominates again': async ({ source }) =>
      said(await ask('study/share', clinician.sid, { uuid: source, group_id: gate.groupUuid })),
    'one edits': async ({ gateSide }) =>
      said(await ask('study/set', one.sid, { study_id: gateSide, patientid: 'H-1' })),
    'the sender edits': async ({ source }) =>
      said(await ask('study/set', clinician.sid, { study_id: source, accession_number: 'A-1' })),
    "another patient's image comes": ({ studyUid }) => upload(studyUid, 2, 'ROE^RICHARD'),
    'another locks': async ({ gateSide }) => said(await ask('study/lock', other.sid, { uuid: gateSide })),
  }
  return { fields, clinician, one, other, ask, makeNominated, acts }
}

interface Outcome {
  /** Answers by the number and name of the act. */
  answers: Record<string, string>
  state: unknown
}

/** Two acts one after the other, and at once; `make` gives each try an exam of its own, `stateOf` what people see afterwards. */
export function inPairs<On>(
  acts: Record<string, (on: On) => Promise<string>>,
  make: () => Promise<On>,
  stateOf: (on: On) => Promise<unknown>,
) {
  const name = (first: string, second: string, a = '', b = '') => ({ [`1 ${first}`]: a, [`2 ${second}`]: b })
  const inOrder = async (first: string, second: string): Promise<Outcome> => {
    const on = await make()
    const a = await acts[first]?.(on)
    const b = await acts[second]?.(on)
    return { answers: name(first, second, a, b), state: await stateOf(on) }
  }
  return {
    inOrder,
    /** The second before the first, named as in the other order. */
    inReverse: async (first: string, second: string): Promise<Outcome> => {
      const { answers, state } = await inOrder(second, first)
      const [b, a] = Object.values(answers)
      return { answers: name(first, second, a, b), state }
    },
    atOnce: async (first: string, second: string): Promise<Outcome> => {
      const on = await make()
      const [a, b] = await Promise.all([acts[first]?.(on), acts[second]?.(on)])
      return { answers: name(first, second, a, b), state: await stateOf(on) }
    },
  }
}

/** Every pair of acts, each with itself among them. */
export function pairsOf(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((first, at) => names.slice(at).map((second) => [first, second] as const))
}
