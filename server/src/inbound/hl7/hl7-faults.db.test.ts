import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { codeOf, conditionOf, message, openHl7Sender, pidOf } from '../../../test/hl7-sender.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { aeTitleSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { openHl7Listener } from './open-hl7-listener.ts'

/*
 * Faults of systems that send HL7: a message without a segment that it needs, the same message twice, merges in another
 * order than they were made in. Each with the answer to the sender, and what people see of the orders then.
 */

const { services, call, query } = await startTestApp({ HILUM_HL7_PORT: '0' })
const listeners = await openHl7Listener(services)
afterAll(() => listeners.close())
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
await putSetting(services.db, 'namespace', group.namespaceUuid, aeTitleSetting, 'WARD')

const open = () => openHl7Sender(listeners.port)
const fresh = (letter: string) => `${letter}-${randomUUID().slice(0, 8)}`
const orderOf = (number: string, mrn: string, control = 'NW') =>
  message('ORM^O01', [pidOf(mrn), `ORC|${control}|${number}`, `OBR|1|${number}||X^Head`])
const mergeOf = (prior: string, into: string) => message('ADT^A40', [pidOf(into), `MRG|${prior}^^^NORTH`])
async function orders(filter: Record<string, string>) {
  const list = Object.fromEntries(Object.entries(filter).map(([field, value]) => [`filter.${field}.equals`, value]))
  return (await call('order/list', { sid, account_id: organisation.accountUuid, ...list })).body.orders
}
/** Has the organisation name its own assigning authority otherwise too, until the end of the test. */
async function nameOwn(name: string) {
  await putSetting(services.db, 'account', organisation.accountUuid, 'other_issuers', name)
  onTestFinished(() => putSetting(services.db, 'account', organisation.accountUuid, 'other_issuers', ''))
}
const mrnOf = async (number: string) => (await orders({ order_number: number }))[0]?.patientid

describe('a message with missing segments', () => {
  const number = 'N-MISSING'
  const [pid, orc, obr] = [pidOf('P-MISSING'), `ORC|NW|${number}`, `OBR|1|${number}||X^Head`]
  const incomplete: [what: string, type: string, lines: string[], place: string, words: string][] = [
    ['an order without ORC', 'ORM^O01', [pid, obr], 'ORC', 'The message has no order'],
    ['an imaging order without ORC', 'OMI^O23', [pid, obr], 'ORC', 'The message has no order'],
    ['a new order without PID', 'ORM^O01', [orc, obr], 'PID', ''],
    [
      'an appointment without SCH',
      'SIU^S12',
      [pid, 'AIS|1||US^Liver|202603021015'],
      'SCH',
      'The message has no appointment',
    ],
    ['a new appointment without PID', 'SIU^S12', [`SCH|${number}`], 'PID', ''],
    ['a report without PID', 'ORU^R01', [obr, 'OBX|1|TX|1||All well||||||F'], 'PID', 'The message has no patient'],
    ['a report without OBR', 'ORU^R01', [pid, 'OBX|1|TX|1||All well||||||F'], 'OBR', ''],
    ['a change of a patient without PID', 'ADT^A08', [], 'PID', 'The message has no patient'],
    ['a merge without PID', 'ADT^A40', ['MRG|0815^^^NORTH'], 'PID', 'The message has no patient'],
    ['a merge without MRG', 'ADT^A40', [pid], 'MRG', 'The message does not say which number ended'],
    ['nothing but a header', 'ORM^O01', [], 'ORC', 'The message has no order'],
  ]

  it.each(incomplete)(
    '%s: the answer names the segment, nothing is entered, and the next message is taken',
    async (_what, type, lines, place, words) => {
      const { ask } = open()
      const id = fresh('MISS')
      const answer = await ask(message(type, lines, { id }))
      expect(codeOf(answer)).toBe('AE')
      expect(conditionOf(answer)?.[0]?.split('^')[0]).toBe(place)
      expect(conditionOf(answer)?.[1]).toMatch(/^10[01]$/)
      expect(answer).toContain(words)
      expect(await orders({ order_number: number })).toEqual([])
      // on record with its answer, and not as one that was taken
      expect(
        await query(`select detail->>'answer' as answer from audit where detail->>'control_id' = '${id}'`),
      ).toEqual([{ answer: 'AE' }])
      expect(await query(`select from order_message where control_id = '${id}'`)).toEqual([])
      const next = fresh('N')
      expect(codeOf(await ask(orderOf(next, fresh('P'))))).toBe('AA')
      expect(await orders({ order_number: next })).toHaveLength(1)
    },
  )
})

describe('the same message twice', () => {
  it('is answered as before each time, and what a person changed meanwhile stays', async () => {
    const [number, mrn] = [fresh('N'), fresh('P')]
    const sent = orderOf(number, mrn)
    expect(codeOf(await open().ask(sent))).toBe('AA')
    const [order] = await orders({ order_number: number })
    await call('order/set', { sid, uuid: order.uuid, accession_number: 'BY-HAND' })
    const history = async () => (await call('order/history', { sid, uuid: order.uuid })).body.events
    const before = await history()
    // over the same connection and another, one after the other and at once
    const { ask } = open()
    expect([codeOf(await ask(sent)), codeOf(await ask(sent))]).toEqual(['AA', 'AA'])
    expect((await Promise.all([open().ask(sent), open().ask(sent)])).map(codeOf)).toEqual(['AA', 'AA'])
    expect(await orders({ order_number: number })).toMatchObject([{ accession_number: 'BY-HAND', patientid: mrn }])
    expect(before.length).toBeGreaterThan(1)
    expect(await history()).toEqual(before)
  })

  it('a merge that comes again, after the number was used anew, moves nothing', async () => {
    const [a, b, number] = [fresh('A'), fresh('B'), fresh('N')]
    const { ask } = open()
    const merge = mergeOf(a, b)
    expect(codeOf(await ask(merge))).toBe('AA')
    expect(codeOf(await ask(mergeOf(b, a)))).toBe('AA')
    expect(codeOf(await ask(orderOf(number, a)))).toBe('AA')
    expect(codeOf(await ask(merge))).toBe('AA')
    expect(await mrnOf(number)).toBe(a)
  })
})

describe('merges out of order', () => {
  it('before the order that it is about: the order comes under the number that is in use', async () => {
    const [a, b, number] = [fresh('A'), fresh('B'), fresh('N')]
    const { ask } = open()
    expect(codeOf(await ask(mergeOf(a, b)))).toBe('AA')
    expect(codeOf(await ask(orderOf(number, a)))).toBe('AA')
    expect(await mrnOf(number)).toBe(b)
    // the system of orders, which knows the old number alone, cancels by it
    expect(codeOf(await ask(orderOf(number, a, 'CA')))).toBe('AA')
    expect(await orders({ order_number: number, is_cancelled: '0' })).toEqual([])
  })

  it.each([
    ['as they were made', [0, 1, 2]],
    ['the last first', [2, 1, 0]],
    ['the middle one last', [0, 2, 1]],
    ['the first one last', [1, 2, 0]],
  ])('three merges of one patient, %s: all orders are under the one number that is in use', async (_how, turns) => {
    const mrns = ['A', 'B', 'C', 'D'].map(fresh) as [string, string, string, string]
    const numbers = mrns.map(() => fresh('N'))
    const { ask } = open()
    for (const [at, mrn] of mrns.entries()) expect(codeOf(await ask(orderOf(numbers[at] ?? '', mrn)))).toBe('AA')
    const merges = [mergeOf(mrns[0], mrns[1]), mergeOf(mrns[1], mrns[2]), mergeOf(mrns[2], mrns[3])]
    for (const turn of turns) expect(codeOf(await ask(merges[turn] ?? ''))).toBe('AA')
    expect(await Promise.all(numbers.map(mrnOf))).toEqual(mrns.map(() => mrns[3]))
    // and so are those that still come under any of them
    const late = mrns.map(() => fresh('N'))
    for (const [at, mrn] of mrns.entries()) await ask(orderOf(late[at] ?? '', mrn))
    expect(await Promise.all(late.map(mrnOf))).toEqual(mrns.map(() => mrns[3]))
  })

  it('that contradict each other: the later message holds, and nothing goes round in a circle', async () => {
    const [a, b, c, number] = [fresh('A'), fresh('B'), fresh('C'), fresh('N')]
    const { ask } = open()
    await ask(orderOf(number, a))
    for (const merge of [mergeOf(a, b), mergeOf(b, c), mergeOf(c, a)]) expect(codeOf(await ask(merge))).toBe('AA')
    expect(await mrnOf(number)).toBe(a)
    const late = [a, b, c].map(() => fresh('N'))
    for (const [at, mrn] of [a, b, c].entries()) await ask(orderOf(late[at] ?? '', mrn))
    expect(await Promise.all(late.map(mrnOf))).toEqual([a, a, a])
  })

  it('without an authority, of the organisation’s own number: an order under the same digits of another authority stays', async () => {
    const [a, b, ours, theirs] = [fresh('A'), fresh('B'), fresh('N'), fresh('N')]
    const { ask } = open()
    const orderAt = (number: string, issuer: string) =>
      message('ORM^O01', [`PID|1||${a}${issuer}||DOE^JANE||19700102|F`, `ORC|NW|${number}`, 'OBR|1|||X^Head'])
    expect([codeOf(await ask(orderAt(ours, ''))), codeOf(await ask(orderAt(theirs, '^^^SOUTH')))]).toEqual(['AA', 'AA'])
    expect(codeOf(await ask(message('ADT^A40', [`PID|1||${b}||DOE^JANE||19700102|F`, `MRG|${a}`])))).toBe('AA')
    expect([await mrnOf(ours), await mrnOf(theirs)]).toEqual([b, a])
    // and the same the other way round
    expect(
      codeOf(await ask(message('ADT^A40', [`PID|1||${a}^^^SOUTH||DOE^JANE||19700102|F`, `MRG|${b}^^^SOUTH`]))),
    ).toBe('AA')
    expect([await mrnOf(ours), await mrnOf(theirs)]).toEqual([b, a])
  })

  it('of numbers of several authorities: the organisation’s own is taken, and without one the answer says so', async () => {
    const [a, number] = [fresh('A'), fresh('N')]
    const { ask } = open()
    await nameOwn('NORTH')
    const orderAt = (numbers: string) =>
      message('ORM^O01', [`PID|1||${numbers}||DOE^JANE||19700102|F`, `ORC|NW|${number}`, 'OBR|1|||X^Head'])
    const answer = await ask(orderAt(`7^^^SOUTH^MR~8^^^WEST^MR`))
    expect([codeOf(answer), ...(conditionOf(answer) ?? [])]).toMatchObject([
      'AE',
      expect.stringMatching(/^PID\^1\^3/),
      '103',
    ])
    expect(await mrnOf(number)).toBeUndefined()
    expect(codeOf(await ask(orderAt(`7^^^SOUTH^MR~${a}^^^NORTH^MR`)))).toBe('AA')
    expect(await mrnOf(number)).toBe(a)
  })

  it.each([
    ['the merge names an issuer, the order none', '^^^NORTH', ''],
    ['the merge names no issuer, the order one', '', '^^^NORTH'],
  ])('%s: orders that come after it go over like those before', async (_how, ofMerge, ofOrder) => {
    const [a, b, early, late] = [fresh('A'), fresh('B'), fresh('N'), fresh('N')]
    const { ask } = open()
    await nameOwn('NORTH')
    const order = (number: string) =>
      message('ORM^O01', [`PID|1||${a}${ofOrder}||DOE^JANE||19700102|F`, `ORC|NW|${number}`, 'OBR|1|||X^Head'])
    expect(codeOf(await ask(order(early)))).toBe('AA')
    expect(codeOf(await ask(message('ADT^A40', [pidOf(b), `MRG|${a}${ofMerge}`])))).toBe('AA')
    expect(codeOf(await ask(order(late)))).toBe('AA')
    expect([await mrnOf(early), await mrnOf(late)]).toEqual([b, b])
    // told of the number by the other name, the later message holds: it is in use again
    expect(codeOf(await ask(message('ADT^A40', [pidOf(a), `MRG|${b}${ofOrder}`])))).toBe('AA')
    const again = fresh('N')
    expect(codeOf(await ask(order(again)))).toBe('AA')
    expect([await mrnOf(early), await mrnOf(late), await mrnOf(again)]).toEqual([a, a, a])
  })

  it('of one number of two issuers: an order that names none of them goes nowhere', async () => {
    const [a, b, c, number] = [fresh('A'), fresh('B'), fresh('C'), fresh('N')]
    const { ask } = open()
    await ask(message('ADT^A40', [pidOf(b), `MRG|${a}^^^NORTH`]))
    await ask(message('ADT^A40', [pidOf(c), `MRG|${a}^^^SOUTH`]))
    await ask(message('ORM^O01', [`PID|1||${a}||DOE^JANE`, `ORC|NW|${number}`, 'OBR|1|||X^Head']))
    expect(await mrnOf(number)).toBe(a)
  })

  it.each([
    ['of one kind', '^^^NORTH^MR', '^^^NORTH^MR'],
    ['of no kind', '^^^SOUTH', '^^^NORTH'],
  ])('of several numbers %s at once: none is ended, and the answer says so', async (_how, first, second) => {
    const [a, c, b] = [fresh('A'), fresh('C'), fresh('B')]
    const { ask } = open()
    const numbers = [fresh('N'), fresh('N')]
    for (const [at, mrn] of [a, c].entries()) await ask(orderOf(numbers[at] ?? '', mrn))
    const answer = await ask(message('ADT^A40', [pidOf(b), `MRG|${a}${first}~${c}${second}`]))
    expect([codeOf(answer), ...(conditionOf(answer) ?? [])]).toMatchObject([
      'AE',
      expect.stringMatching(/^MRG\^1\^1/),
      '103',
    ])
    expect(await Promise.all(numbers.map(mrnOf))).toEqual([a, c])
    // one that is marked as the number of the record is taken
    expect(codeOf(await ask(message('ADT^A40', [pidOf(b), `MRG|S-1^^^STATE^SS~${a}^^^NORTH^MR`])))).toBe('AA')
    expect(await mrnOf(numbers[0] ?? '')).toBe(b)
  })
})

it('a status of an order that is not taken: the answer says so, and the order stays', async () => {
  const [number, mrn] = [fresh('N'), fresh('P')]
  const { ask } = open()
  await ask(orderOf(number, mrn))
  const answer = await ask(message('ORM^O01', [pidOf(mrn), `ORC|SC|${number}|||HD`]))
  expect([codeOf(answer), conditionOf(answer)?.[1]]).toEqual(['AE', '103'])
  expect(answer).toContain('The status of the order is not taken here')
})

describe('a message that could be about somebody else', () => {
  const stranger = (mrn: string, number: string) =>
    message('ORM^O01', [pidOf(mrn, 'STRANGER^SAM', '19911111'), `ORC|NW|${number}`, `OBR|1|${number}||X^Head`])

  it('a new order under a number that ended is not taken for the patient it ended in, where it names another person', async () => {
    const [a, b, ofGus, ofSam, later] = [fresh('A'), fresh('B'), fresh('N'), fresh('N'), fresh('N')]
    const { ask } = open()
    expect(codeOf(await ask(orderOf(ofGus, b)))).toBe('AA')
    expect(codeOf(await ask(mergeOf(b, a)))).toBe('AA')
    const answer = await ask(stranger(b, ofSam))
    expect([codeOf(answer), conditionOf(answer)]).toEqual(['AE', ['PID^1^3', '103']])
    expect(answer).toContain('looks like somebody else')
    expect(await orders({ order_number: ofSam })).toEqual([])
    // the patient of the number in use goes on as before
    expect(codeOf(await ask(message('ADT^A08', [pidOf(a, 'DOE^JANET')])))).toBe('AA')
    expect(codeOf(await ask(orderOf(later, b)))).toBe('AA')
    expect(await mrnOf(later)).toBe(a)
  })

  it.each(['XO', 'SC', 'CA'])('%s without a patient changes nothing of an order that has one', async (control) => {
    const [mrn, number] = [fresh('P'), fresh('N')]
    const { ask } = open()
    await ask(message('ORM^O01', [pidOf(mrn), `ORC|NW|${number}`, `OBR|1|${number}${'|'.repeat(16)}A-${number}`]))
    const before = await orders({ order_number: number })
    const obr = `OBR|1|${number}${'|'.repeat(16)}OTHER-${number}`
    const answer = await ask(message('ORM^O01', [`ORC|${control}|${number}|||CM`, obr], { from: 'RIS2' }))
    expect([codeOf(answer), conditionOf(answer)]).toEqual(['AE', ['PID^1', '100']])
    expect(before).toMatchObject([{ patientid: mrn, accession_number: `A-${number}` }])
    expect(await orders({ order_number: number })).toEqual(before)
  })
})
