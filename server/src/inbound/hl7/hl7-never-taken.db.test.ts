import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { withoutCommits, withoutRoom } from '../../../test/failing-services.ts'
import { codeOf, conditionOf, message, openHl7Sender, pidOf } from '../../../test/hl7-sender.ts'
import { madePdf } from '../../../test/made-pdf.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies } from '../../../test/make-studies.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { aeTitleSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { openHl7Listener } from './open-hl7-listener.ts'

/* A message that the server could not commit is never acknowledged, and is taken when it comes again. */

const { services, query } = await startTestApp({ HILUM_HL7_PORT: '0' })
const { db, store } = services
const listeners = await openHl7Listener(services)
afterAll(() => listeners.close())
const organisation = await makeOrganisation(db)
const group = await organisation.addGroup()
await putSetting(db, 'namespace', group.namespaceUuid, aeTitleSetting, 'WARD')
await query(`
  create function refuse_commit() returns trigger language plpgsql as $$
  begin
    raise exception 'refused' using errcode = tg_argv[0];
  end $$`)

const refuseCommits = (code: string) =>
  query(`create constraint trigger refused after insert on order_message deferrable initially deferred
    for each row execute function refuse_commit('${code}')`)
afterEach(async () => {
  Object.assign(services, { db, store })
  await query('drop trigger if exists refused on order_message')
})

const send = (text: string) => openHl7Sender(listeners.port).ask(text)
const countOf = async (from: string) =>
  Number((await query<{ count: string }>(`select count(*) from ${from}`))[0]?.count)
const obrOf = (number: string, accession: string, status = '') =>
  `OBR|1|${number}|${number}|X^Head${'|'.repeat(14)}${accession}${status ? `${'|'.repeat(7)}${status}` : ''}`

/** A message, and how often what it says is stored. */
const kinds = {
  ORM: async (mark: string) => ({
    text: message('ORM^O01', [pidOf(`P-${mark}`), `ORC|NW|N-${mark}`, obrOf(`N-${mark}`, `A-${mark}`)]),
    count: () => countOf(`imaging_order where order_number = 'N-${mark}'`),
  }),
  A40: async (mark: string) => ({
    text: message('ADT^A40', [pidOf(`P-${mark}`), `MRG|OLD-${mark}^^^NORTH^MR`]),
    count: () => countOf(`merged_patient where prior_id = folded_id('OLD-${mark}'::text)`),
  }),
  ORU: async (mark: string) => {
    const exam = {
      phi_namespace: group.namespaceUuid,
      patient_name: 'DOE^JANE',
      patientid: `P-${mark}`,
      patient_birth_date: '19700102',
      patient_sex: 'F',
      accession_number: `A-${mark}`,
    }
    const [uuid = ''] = await makeStudies(db, organisation.accountUuid, [exam])
    const pdf = `OBX|1|ED|PDF||^application^pdf^Base64^${madePdf([[200, 200]]).toString('base64')}`
    return {
      text: message('ORU^R01', [pidOf(`P-${mark}`), obrOf(`R-${mark}`, `A-${mark}`, 'F'), pdf]),
      count: () => countOf(`attachment where study_uuid = '${uuid}'`),
    }
  },
}

const faults = {
  'the database is away': async () => void Object.assign(services, { db: withoutCommits(db) }),
  'the disk of the database is full at the commit': () => refuseCommits('53100'),
  'the commit is refused': () => refuseCommits('23514'),
  'the connection breaks at the commit': () => refuseCommits('08006'),
}
type Kind = keyof typeof kinds

describe.each(Object.entries(faults))('when %s', (_fault, begin) => {
  it.each(Object.keys(kinds) as Kind[])(
    '%s is not acknowledged, stores nothing, and is taken when it comes again',
    async (kind) => {
      const { text, count } = await kinds[kind](randomUUID().slice(0, 8))
      await begin()
      const answer = await send(text)
      expect([codeOf(answer), conditionOf(answer)?.[1], await count()]).toEqual(['AR', '207', 0])
      Object.assign(services, { db })
      await query('drop trigger if exists refused on order_message')
      expect([codeOf(await send(text)), await count()]).toEqual(['AA', 1])
      // acknowledged, it is done once
      expect([codeOf(await send(text)), await count()]).toEqual(['AA', 1])
    },
  )
})

it('a report is not acknowledged while its PDF finds no room on the disk', async () => {
  const { text, count } = await kinds.ORU(randomUUID().slice(0, 8))
  Object.assign(services, { store: withoutRoom(store) })
  const answer = await send(text)
  expect([codeOf(answer), conditionOf(answer)?.[1], await count()]).toEqual(['AR', '207', 0])
  Object.assign(services, { store })
  expect([codeOf(await send(text)), await count()]).toEqual(['AA', 1])
})
