import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { codeOf, conditionOf, type Hl7Header, message, openHl7Sender, pidOf } from '../../../test/hl7-sender.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { aeTitleSetting, orderSendersSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { frameMessage } from './mllp-frames.ts'
import { defaultHl7Limits, openHl7Listener } from './open-hl7-listener.ts'

const { services, call, query } = await startTestApp({ HILUM_HL7_PORT: '0', HILUM_HL7_TLS_PORT: '0' })
const listeners = await openHl7Listener(services)
afterAll(() => listeners.close())
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
await putSetting(services.db, 'namespace', group.namespaceUuid, aeTitleSetting, 'WARD')

const open = (port = listeners.port, isTls = false) => openHl7Sender(port, isTls)

/** Order, patient and step of their own, that other tests do not meet. */
const own = () => {
  const mark = randomUUID().slice(0, 8)
  return { number: `N-${mark}`, mrn: `P-${mark}`, accession: `A-${mark}` }
}
type Own = ReturnType<typeof own>
const obrOf = ({ number, accession }: Own, step = 'S1', modality = 'CT') =>
  `OBR|1|${number}||X^Head${'|'.repeat(14)}${accession}|RP1|${step}||||${modality}${'|'.repeat(12)}20260302`
const newOrder = (one: Own, header?: Hl7Header, name?: string) =>
  message('ORM^O01', [pidOf(one.mrn, name), `ORC|NW|${one.number}`, obrOf(one)], header)

const send = async (text: string) => open().ask(text)
interface ListedOrder {
  uuid: string
  patient_name: string
  patientid: string
  accession_number: string
  sps: { modality: string; scheduled_procedure_step_id: string; mpps_status: string }[]
}
async function ordersOf(filter: Record<string, string>): Promise<ListedOrder[]> {
  const list = Object.fromEntries(Object.entries(filter).map(([field, value]) => [`filter.${field}.equals`, value]))
  return (await call('order/list', { sid, account_id: organisation.accountUuid, ...list })).body.orders
}

describe('orders by HL7', () => {
  it('enters an order for the group that has the name of the receiver, and answers when it is there', async () => {
    const one = own()
    expect(codeOf(await send(newOrder(one)))).toBe('AA')
    expect(await ordersOf({ order_number: one.number })).toMatchObject([
      {
        patient_name: 'DOE^JANE',
        patientid: one.mrn,
        patient_birth_date: '19700102',
        patient_sex: 'F',
        accession_number: one.accession,
        sending_facility: 'NORTH',
        sps: [
          {
            modality: 'CT',
            scheduled_procedure_step_id: 'S1',
            requested_procedure_id: 'RP1',
            scheduled_procedure_step_start_date: '20260302',
            scheduled_procedure_step_description: 'Head',
          },
        ],
      },
    ])
    const stored = await query<object>(
      `select namespace_uuid, issuer from imaging_order where order_number = '${one.number}'`,
    )
    expect(stored).toEqual([{ namespace_uuid: group.namespaceUuid, issuer: 'NORTH' }])
  })

  it('tells in the history of an order which message made it', async () => {
    const one = own()
    await send(newOrder(one))
    const [order] = await ordersOf({ order_number: one.number })
    const { events } = (await call('order/history', { sid, uuid: order?.uuid })).body
    expect(events.at(-1)).toMatchObject({
      action: 'ADD',
      who: '',
      message: { type: 'ORM^O01', sender: expect.stringMatching(/./), control_id: expect.stringMatching(/./) },
    })
    expect((await call('order/get', { sid, uuid: order?.uuid })).body.source).toBe('hl7')
  })

  it('changes an order, adds steps to it, tells how far they are, and takes them away with it', async () => {
    const one = own()
    const { ask } = open()
    const orm = (control: string, obr: string, status = '') =>
      ask(message('ORM^O01', [pidOf(one.mrn), `ORC|${control}|${one.number}|||${status}`, obr]))
    const steps = async (isCancelled = '0') =>
      (await ordersOf({ order_number: one.number, is_cancelled: isCancelled }))[0]?.sps.map((step) => [
        step.scheduled_procedure_step_id,
        step.modality,
        step.mpps_status,
      ])
    await ask(newOrder(one))
    expect(codeOf(await orm('NW', obrOf(one, 'S2', 'MR')))).toBe('AA')
    expect(codeOf(await orm('XO', obrOf(one, 'S1', 'PT')))).toBe('AA')
    expect(codeOf(await orm('SC', obrOf(one, 'S2', 'MR'), 'CM'))).toBe('AA')
    expect((await steps())?.toSorted()).toEqual([
      ['S1', 'PT', ''],
      ['S2', 'MR', 'COMPLETED'],
    ])
    expect(codeOf(await orm('CA', obrOf(one, 'S2', 'MR')))).toBe('AA')
    expect(await steps()).toEqual([['S1', 'PT', '']])
    const answer = await orm('CA', obrOf(one, 'S9', 'MR'))
    expect([codeOf(answer), conditionOf(answer)]).toEqual(['AE', ['OBR^1^20', '204']])
    expect(codeOf(await orm('CA', obrOf(one, 'S1', 'PT')))).toBe('AA')
    expect(await steps('1')).toEqual([['S1', 'PT', '']])
    // cancelled again, it stays cancelled; made anew under its number, it holds with the step that is named
    expect(codeOf(await orm('DC', obrOf(one, 'S1', 'PT')))).toBe('AA')
    expect(codeOf(await orm('SC', obrOf(one, 'S1', 'PT'), 'IP'))).toBe('AA')
    expect(await steps()).toBeUndefined()
    expect(codeOf(await orm('NW', obrOf(one, 'S3', 'MR')))).toBe('AA')
    expect(await steps()).toEqual([['S3', 'MR', '']])
    expect(await steps('1')).toBeUndefined()
  })

  it('keeps what a message does not say, and empties what it says is nothing', async () => {
    const one = own()
    const { ask } = open()
    await ask(newOrder(one))
    const change = [pidOf(one.mrn), `ORC|XO|${one.number}`, `OBR|1|${one.number}${'|'.repeat(16)}""`]
    expect(codeOf(await ask(message('ORM^O01', change)))).toBe('AA')
    expect(await ordersOf({ order_number: one.number })).toMatchObject([
      { accession_number: '', patient_name: 'DOE^JANE', sps: [{ modality: 'CT' }] },
    ])
  })

  it('makes orders of appointments, moves and cancels them', async () => {
    const one = own()
    const { ask } = open()
    const siu = (trigger: string, moment: string) =>
      ask(message(`SIU^${trigger}`, [`SCH|${one.number}`, pidOf(one.mrn), `AIS|1||US^Liver|${moment}`]))
    expect(codeOf(await siu('S12', '202603021015'))).toBe('AA')
    expect(codeOf(await siu('S13', '202603031130'))).toBe('AA')
    expect(await ordersOf({ order_number: one.number })).toMatchObject([
      { sps: [{ scheduled_procedure_step_start_date: '20260303', scheduled_procedure_step_start_time: '1130' }] },
    ])
    expect(codeOf(await siu('S15', '202603031130'))).toBe('AA')
    expect(await ordersOf({ order_number: one.number, is_cancelled: '0' })).toEqual([])
  })

  it('changes nothing where the person could be another, and says so', async () => {
    const one = own()
    const { ask } = open()
    await ask(newOrder(one))
    const orm = (pid: string, control = 'XO') =>
      ask(message('ORM^O01', [pid, `ORC|${control}|${one.number}`, obrOf(one, 'S1', 'MR')]))
    for (const answer of [
      await orm(pidOf('P-OTHER')),
      await orm(pidOf(one.mrn, 'ROE^RICHARD', '19551111')),
      await orm(pidOf('P-OTHER'), 'CA'),
      await ask(message('ADT^A08', [pidOf(one.mrn, 'ROE^RICHARD', '19551111')])),
    ]) {
      expect([codeOf(answer), conditionOf(answer)]).toEqual(['AE', ['PID^1^3', '103']])
    }
    expect(await ordersOf({ order_number: one.number })).toMatchObject([
      { patient_name: 'DOE^JANE', patientid: one.mrn, sps: [{ modality: 'CT' }] },
    ])
  })

  it('brings what is new of a patient to the orders of this number, under its issuer alone', async () => {
    const [one, other] = [own(), own()]
    const { ask } = open()
    await ask(newOrder(one))
    const elsewhere = newOrder({ ...other, mrn: one.mrn }).replace('^^^NORTH^MR', '^^^SOUTH^MR')
    await ask(elsewhere)
    expect(codeOf(await ask(message('ADT^A08', [pidOf(one.mrn.toLowerCase(), 'MILLER^JANE')])))).toBe('AA')
    expect(await ordersOf({ order_number: one.number })).toMatchObject([{ patient_name: 'MILLER^JANE' }])
    expect(await ordersOf({ order_number: other.number })).toMatchObject([{ patient_name: 'DOE^JANE' }])
  })

  it('ends a number in another for orders that are there and those that still come', async () => {
    const [one, late] = [own(), own()]
    const into = own().mrn
    const { ask } = open()
    await ask(newOrder(one))
    expect(codeOf(await ask(message('ADT^A40', [pidOf(into), `MRG|${one.mrn}^^^NORTH`])))).toBe('AA')
    expect(await ordersOf({ order_number: one.number })).toMatchObject([{ patientid: into }])
    // a system that does not know of the merge yet
    expect(codeOf(await ask(newOrder({ ...late, mrn: one.mrn })))).toBe('AA')
    expect(await ordersOf({ order_number: late.number })).toMatchObject([{ patientid: into }])
    // the same the other way round: the last word holds
    expect(codeOf(await ask(message('ADT^A40', [pidOf(one.mrn), `MRG|${into}^^^NORTH`])))).toBe('AA')
    expect(await ordersOf({ patientid: one.mrn })).toHaveLength(2)
  })

  it('takes a merge back for what comes from then on, whichever of the numbers is named first and by way of which others it went', async () => {
    const { ask } = open()
    const merge = async (prior: string, into: string) =>
      expect(codeOf(await ask(message('ADT^A40', [pidOf(into), `MRG|${prior}^^^NORTH`])))).toBe('AA')
    const unlink = async (one: string, other: string) =>
      expect(codeOf(await ask(message('ADT^A37', [pidOf(one), pidOf(other, 'ROE^RICHARD', '19551111')])))).toBe('AA')
    /** The number under which an order that names this one lies. */
    const numberOf = async (mrn: string) => {
      const order = own()
      await ask(newOrder({ ...order, mrn }))
      return (await ordersOf({ order_number: order.number }))[0]?.patientid
    }
    const [a, b, c, d, e, f] = [own(), own(), own(), own(), own(), own()].map(({ mrn }) => mrn) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    await merge(a, b)
    await unlink(b, a)
    expect([await numberOf(a), await numberOf(b)]).toEqual([a, b])
    // the merge of the second number into a third stays
    await merge(a, b)
    await merge(b, c)
    await unlink(a, b)
    expect([await numberOf(a), await numberOf(b)]).toEqual([a, c])
    // a merge into a number that had ended was noted as one into the number in use
    await merge(d, e)
    await merge(f, d)
    await unlink(d, f)
    expect([await numberOf(d), await numberOf(f), await numberOf(e)]).toEqual([d, f, e])
    // numbers that were never merged change nothing, which the audit tells
    await unlink(a, c)
    expect(
      await query(`select count(*)::int as count from audit where action = 'ORDER_MESSAGE'
      and detail ->> 'message' = 'ADT^A37' and detail ->> 'reason' = 'Neither number had ended in the other'`),
    ).toEqual([{ count: 1 }])
    expect(codeOf(await ask(message('ADT^A37', [pidOf(a)])))).toBe('AE')
    expect(codeOf(await ask(message('ADT^A37', [pidOf(a), pidOf(a)])))).toBe('AE')
  })

  it('merges no two people, and no number into itself', async () => {
    const one = own()
    const { ask } = open()
    await ask(newOrder(one))
    const answer = await ask(
      message('ADT^A40', [pidOf(own().mrn, 'ROE^RICHARD', '19551111'), `MRG|${one.mrn}^^^NORTH`]),
    )
    expect([codeOf(answer), conditionOf(answer)?.[1]]).toEqual(['AE', '103'])
    expect(codeOf(await ask(message('ADT^A40', [pidOf(one.mrn), `MRG|${one.mrn}^^^NORTH`])))).toBe('AE')
    expect(await ordersOf({ order_number: one.number })).toMatchObject([{ patientid: one.mrn }])
    // a merge that was refused is not followed
    const late = own()
    await ask(newOrder({ ...late, mrn: one.mrn }))
    expect(await ordersOf({ order_number: late.number })).toMatchObject([{ patientid: one.mrn }])
  })

  it('answers a message that comes again as before, and does nothing twice', async () => {
    const one = own()
    const first = newOrder(one, { id: `AGAIN-${one.number}` })
    expect(codeOf(await send(first))).toBe('AA')
    const [order] = await ordersOf({ order_number: one.number })
    await call('order/delete', { sid, uuid: order?.uuid ?? '' })
    expect(codeOf(await send(first))).toBe('AA')
    expect(await ordersOf({ order_number: one.number })).toEqual([])
    // under the same id another message is another one
    expect(codeOf(await send(`${first}\rNTE|1||anew`))).toBe('AA')
    expect(await ordersOf({ order_number: one.number })).toHaveLength(1)
  })

  it('tries again what it refused, when it comes again', async () => {
    const one = own()
    const cancel = message('ORM^O01', [pidOf(one.mrn), `ORC|CA|${one.number}`])
    expect(codeOf(await send(cancel))).toBe('AE')
    await send(newOrder(one))
    expect(codeOf(await send(cancel))).toBe('AA')
    expect(await ordersOf({ order_number: one.number, is_cancelled: '0' })).toEqual([])
    expect(await ordersOf({ order_number: one.number, is_cancelled: '1' })).toHaveLength(1)
  })

  it('takes all orders of a message or none', async () => {
    const [one, other] = [own(), own()]
    const lines = [pidOf(one.mrn), `ORC|NW|${one.number}`, obrOf(one), `ORC|CA|${other.number}`]
    expect(codeOf(await send(message('ORM^O01', lines)))).toBe('AE')
    expect(await ordersOf({ order_number: one.number })).toEqual([])
  })

  it('makes one order of messages that come at once over many connections', async () => {
    const one = own()
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(newOrder(one))))
    expect(answers.map(codeOf)).toEqual(['AA', 'AA', 'AA', 'AA', 'AA'])
    expect(await ordersOf({ order_number: one.number })).toMatchObject([{ sps: [{ modality: 'CT' }] }])
  })

  it.each([
    ['an accession number that images cannot hold', (one: Own) => newOrder({ ...one, accession: 'A'.repeat(17) })],
    ['a name with a sign that no text holds', (one: Own) => newOrder(one, {}, 'DOE\\X01\\^JANE')],
    ['a study UID that is none', (one: Own) => `${newOrder(one)}\rZDS|1.02`],
    ['a patient without a number', (one: Own) => message('ORM^O01', ['PID|1', `ORC|NW|${one.number}`])],
    ['a new order of nobody', (one: Own) => message('ORM^O01', [`ORC|NW|${one.number}`])],
    ['a change to an order that is not there', (one: Own) => message('ORM^O01', [`ORC|SC|${one.number}`])],
  ])('refuses %s', async (_words, messageOf) => {
    const one = own()
    expect(codeOf(await send(messageOf(one)))).toBe('AE')
    expect(await ordersOf({ order_number: one.number })).toEqual([])
  })

  it.each([
    ['a test message', { mode: 'T' }, ['MSH^1^11', '202']],
    ['another standard', { version: '3.0' }, ['MSH^1^12', '203']],
    ['a receiver that is not there', { to: 'NOBODY' }, ['MSH^1^5', '207']],
    ['no receiver', { to: '' }, ['MSH^1^5', '207']],
  ])('rejects %s', async (_words, header, condition) => {
    const one = own()
    const answer = await send(newOrder(one, header))
    expect([codeOf(answer), conditionOf(answer)]).toEqual(['AR', condition])
    expect(await ordersOf({ order_number: one.number })).toEqual([])
  })

  it('answers what has no readable header, and what has no id', async () => {
    expect(codeOf(await send('hello'))).toBe('AE')
    expect(codeOf(await send(''))).toBe('AE')
    expect(conditionOf(await send(newOrder(own(), { id: '' })))).toEqual(['MSH^1^10', '101'])
  })

  it('takes orders of the senders that the group names alone, and puts others on record', async () => {
    const closed = await organisation.addGroup()
    const title = 'CLOSED'
    await putSetting(services.db, 'namespace', closed.namespaceUuid, aeTitleSetting, title)
    const rules = JSON.stringify([{ ae_title: 'RIS_2' }])
    await putSetting(services.db, 'namespace', closed.namespaceUuid, orderSendersSetting, rules)
    const one = own()
    const answer = await send(newOrder(one, { to: title }))
    expect([codeOf(answer), conditionOf(answer)]).toEqual(['AR', ['MSH^1^3', '207']])
    expect(codeOf(await send(newOrder(one, { to: title, from: 'RIS_2' })))).toBe('AA')
    const sent = { sid, account_id: organisation.accountUuid, 'filter.asker.like': '%RIS%' }
    const { refusals } = (await call('audit/refused', sent)).body
    expect(refusals).toContainEqual(
      expect.objectContaining({ ae_title: 'RIS', act: 'HL7', kind: 'Namespace', last_object: closed.namespaceUuid }),
    )
  })

  it('takes no orders for the studies of one person', async () => {
    const person = await organisation.addPerson()
    await putSetting(services.db, 'namespace', person.namespaceUuid, aeTitleSetting, 'PERSON')
    expect(conditionOf(await send(newOrder(own(), { to: 'PERSON' })))).toEqual(['MSH^1^5', '207'])
  })

  it('puts each message on record with its answer, and names nobody in the log', async () => {
    const one = own()
    const said = vi.spyOn(services.log, 'warn')
    const failed = vi.spyOn(services.log, 'error')
    await send(newOrder(one, { id: `T-${one.number}` }))
    await send(message('ORM^O01', [pidOf('P-OTHER'), `ORC|XO|${one.number}`], { id: `F-${one.number}` }))
    const rows = await query<{ action: string; detail: object }>(
      `select action, detail from audit where detail->>'control_id' like '%${one.number}' order by id`,
    )
    const told = { message: 'ORM^O01', calling_ae: 'RIS NORTH', address: '127.0.0.1' }
    expect(rows).toEqual([
      { action: 'ORDER_MESSAGE', detail: { ...told, control_id: `T-${one.number}`, answer: 'AA' } },
      {
        action: 'ORDER_MESSAGE',
        detail: {
          ...told,
          control_id: `F-${one.number}`,
          answer: 'AE',
          reason: 'The order is of a patient with another number',
        },
      },
    ])
    expect(JSON.stringify([...said.mock.calls, ...failed.mock.calls])).not.toMatch(/DOE|P-/)
  })

  it('reads names in the character set of the message', async () => {
    const one = own()
    const text = newOrder(one, {}, 'MÜLLER^ANNA').replace('|P|2.5.1', '|P|2.5.1||||||8859/1')
    expect(codeOf(await open().ask(Buffer.from(text, 'latin1')))).toBe('AA')
    expect(await ordersOf({ order_number: one.number })).toMatchObject([{ patient_name: 'MÜLLER^ANNA' }])
    expect(conditionOf(await open().ask(Buffer.from(newOrder(own(), {}, 'MÜLLER'), 'latin1')))).toEqual([
      'MSH^1^18',
      '102',
    ])
  })

  it.each([
    ['an order', (one: Own, name: string) => newOrder(one, {}, name)],
    ['a patient', (one: Own, name: string) => message('ADT^A08', [pidOf(one.mrn, name)])],
    ['a merge', (one: Own, name: string) => message('ADT^A40', [pidOf(one.mrn, name), `MRG|OLD-${one.mrn}^^^NORTH`])],
  ])('refuses the name of %s that its sender lost or named a wrong set for', async (_kind, write) => {
    const one = own()
    expect(codeOf(await send(newOrder(one)))).toBe('AA')
    const broken = write(one, 'M\ufffdLLER^ANNA')
    expect(conditionOf(await open().ask(Buffer.from(broken)))).toEqual(['PID^1', '102'])
    const latin = write(one, 'MÜLLER^ANNA').replace('|P|2.5.1', '|P|2.5.1||||||8859/1')
    expect(conditionOf(await open().ask(Buffer.from(latin)))).toEqual(['MSH^1^18', '102'])
    expect(await ordersOf({ order_number: one.number })).toMatchObject([{ patient_name: 'DOE^JANE' }])
    expect(await query(`select 1 from merged_patient where prior_id = folded_id('OLD-${one.mrn}'::text)`)).toEqual([])
  })

  it('takes orders over TLS', async () => {
    const one = own()
    expect(codeOf(await open(listeners.tlsPort, true).ask(newOrder(one)))).toBe('AA')
    expect(await ordersOf({ order_number: one.number })).toHaveLength(1)
  })

  it('tells modalities the study UID that the sender wants', async () => {
    const one = own()
    expect(codeOf(await send(`${newOrder(one)}\rZDS|1.2.840.99.1^RIS^Application^DICOM`))).toBe('AA')
    const rows = await query<object>(`select study_uid from imaging_order where order_number = '${one.number}'`)
    expect(rows).toEqual([{ study_uid: '1.2.840.99.1' }])
  })
})

describe('senders of HL7', () => {
  it('answers messages that come in one piece, in their order', async () => {
    const [one, other] = [own(), own()]
    const { socket, take } = open()
    const ids = [`FIRST-${one.number}`, `SECOND-${one.number}`]
    socket.write(
      Buffer.concat([one, other].map((each, at) => frameMessage(Buffer.from(newOrder(each, { id: ids[at] ?? '' }))))),
    )
    const answers = [await take(), await take()]
    expect(answers.map((answer) => /MSA\|AA\|([^\r]*)/.exec(answer)?.[1])).toEqual(ids)
  })

  it('reads a message of 10 MB, sent in small pieces', async () => {
    const one = own()
    const { socket, take } = open()
    const bytes = frameMessage(
      Buffer.from(`${newOrder(one)}\rOBX|1|ED|PDF||^application^pdf^Base64^${'A'.repeat(10_000_000)}`),
    )
    for (let at = 0; at < bytes.length; at += 7_001) {
      if (!socket.write(bytes.subarray(at, at + 7_001))) await once(socket, 'drain')
    }
    expect(codeOf(await take())).toBe('AA')
  })

  it.each([
    ['bytes outside of messages', 'GET / HTTP/1.1\r\n\r\n'],
    ['a message that begins inside another', '\u000bMSH|\u000bMSH|'],
    ['an end without its return', '\u000bMSH|\u001c\u000b'],
  ])('ends the connection after %s', async (_words, bytes) => {
    const { socket, closed, answers } = open()
    socket.write(bytes)
    await closed
    expect(answers).toEqual([])
  })
})

describe('bounds of HL7', () => {
  const limits = { ...defaultHl7Limits, maxMessageBytes: 100_000, maxHeldBytes: 150_000 }

  async function withListener(change: Partial<typeof limits>, act: (port: number | undefined) => Promise<void>) {
    const bounded = await openHl7Listener(services, { ...limits, ...change })
    try {
      await act(bounded.port)
    } finally {
      await bounded.close()
    }
  }

  it('cuts off a message that never ends, by its size', () =>
    withListener({}, async (port) => {
      const { socket, closed, answers } = open(port)
      socket.write(`\u000b${'x'.repeat(100_001)}`)
      await closed
      expect(answers).toEqual([])
    }))

  it('cuts off a message that does not go on, and one that takes too long', () =>
    withListener({ stallMs: 200, messageMs: 1_000 }, async (port) => {
      const stalled = open(port)
      stalled.socket.write('\u000bMSH')
      await stalled.closed
      const slow = open(port)
      slow.socket.write('\u000b')
      const drip = setInterval(() => slow.socket.write('x'), 50)
      await slow.closed
      clearInterval(drip)
      expect([stalled.answers, slow.answers]).toEqual([[], []])
    }))

  it('cuts off a sender of whom nothing comes', () =>
    withListener({ idleMs: 200 }, async (port) => {
      const { closed, answers } = open(port)
      await closed
      expect(answers).toEqual([])
    }))

  it('bounds what all senders together have on their way', () =>
    withListener({}, async (port) => {
      const one = open(port)
      one.socket.write(`\u000b${'x'.repeat(90_000)}`)
      const other = open(port)
      other.socket.write(`\u000b${'x'.repeat(90_000)}`)
      await Promise.race([one.closed, other.closed])
      one.socket.destroy()
      other.socket.destroy()
      await Promise.all([one.closed, other.closed])
      expect(codeOf(await open(port).ask('hello'))).toBe('AE')
    }))

  it('ends connections that are too many of one address', () =>
    withListener({ maxConnectionsPerAddress: 6 }, async (port) => {
      const held = Array.from({ length: 6 }, () => open(port))
      for (const one of held) expect(codeOf(await one.ask('hello'))).toBe('AE')
      await open(port).closed
      held[0]?.socket.destroy()
      await held[0]?.closed
      await expect
        .poll(async () => {
          const again = open(port)
          return Promise.race([again.ask('hello').then(codeOf), again.closed.then(() => 'closed')])
        })
        .toBe('AE')
    }))

  it('answers what it has begun before it stops, and ends the others at once', async () => {
    const one = own()
    const ending = await openHl7Listener(services)
    const idle = open(ending.port)
    await idle.ask('hello')
    const busy = open(ending.port)
    const answer = busy.ask(newOrder(one))
    await expect.poll(async () => (await ordersOf({ order_number: one.number })).length).toBe(1)
    await ending.close()
    expect(codeOf(await answer)).toBe('AA')
    await Promise.all([idle.closed, busy.closed])
  })
})

describe('without HL7', () => {
  it('listens nowhere unless the settings name a port', async () => {
    const config = { ...services.config, hl7: { ...services.config.hl7, port: undefined, tlsPort: undefined } }
    const none = await openHl7Listener({ ...services, config })
    expect([none.port, none.tlsPort]).toEqual([undefined, undefined])
    await none.close()
  })
})
