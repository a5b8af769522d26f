import { afterEach, describe, expect, it } from 'vitest'
import type { SentMessage } from '../../areas/order/sent-order.ts'
import { Hl7Fault } from './hl7-fault.ts'
import { readDelimiters, readSegments } from './hl7-message.ts'
import { decodeHl7 } from './hl7-text.ts'
import { readMessage } from './read-message.ts'

const header = (type: string, encoding = '^~\\&') => `MSH|${encoding}|RIS|NORTH|HILUM||20260301||${type}|1|P|2.5.1`
const pid = 'PID|1||4711^^^NORTH^MR||DOE^JANE^Q^JR^DR^^L||19700102|F'

function read(...lines: string[]): SentMessage {
  const text = lines.join('\r')
  return readMessage(readSegments(text, readDelimiters(lines[0] ?? '')), ownNames)
}
/** Names of the own assigning authority while messages are read. */
let ownNames: string[] = []
afterEach(() => {
  ownNames = []
})
/** Condition and place of the fault. */
function faultOf(act: () => unknown): [string, string] | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof Hl7Fault) return [error.condition, error.place]
    throw error
  }
}
const orderOf = (...lines: string[]) => {
  const message = read(header('ORM^O01'), pid, ...lines)
  return message.kind === 'orders' ? message.orders[0] : undefined
}
const patientOfMost = (line: string, type = 'ADT^A08', encoding?: string) => {
  const message = read(header(type, encoding), line)
  return message.kind === 'patient' ? message.patient : undefined
}

describe('a character that the sender could not read', () => {
  const orc = 'ORC|NW|PL1'
  it.each(['NK1|1|M\ufffdller', 'IN1|1|\ufffd', 'AL1|1||\ufffd', 'DG1|1||\ufffd', 'ZZZ|\ufffd', 'NTE|1||\ufffd'])(
    'counts for nothing in a segment that nothing is read of: %s',
    (line) => {
      expect(read(header('ORM^O01'), pid, orc, line)).toMatchObject({ orders: [{ order_number: 'PL1' }] })
    },
  )

  it.each(['PV1|1|O||||||22^H\ufffd', 'OBR|1|PL1|||||||||||||||22^H\ufffd', 'TQ1|\ufffd', 'IPC|\ufffd', 'ZDS|\ufffd'])(
    'turns the message away in one that is: %s',
    (line) => {
      const act = () => read(header('ORM^O01'), pid, orc, line)
      expect(faultOf(act)).toEqual(['form', line.slice(0, 3)])
    },
  )
})

describe('orders', () => {
  it('reads an order of ORM^O01 with patient, numbers, physician and moment', () => {
    const orc = 'ORC|NW|PL1^RIS|FI1|||||||||1^GREY^MEREDITH^^^DR'
    const obr = 'OBR|1|PL1|FI1|CTH^CT head^L^P1^CT head without contrast||||||||||||||A-17|RP1|SPS1||||CT'
    const message = read(header('ORM^O01'), pid, 'PV1|1|O||||||22^HOUSE^GREG', orc, `${obr}||||||||||||20260302081500`)
    expect(message).toMatchObject({
      kind: 'orders',
      patient: {
        patientid: '4711',
        issuer: 'NORTH',
        patient_name: 'DOE^JANE^Q^DR^JR',
        patient_birth_date: '19700102',
        patient_sex: 'F',
      },
      orders: [
        {
          act: 'put',
          order_number: 'PL1',
          accession_number: 'A-17',
          referring_physician: 'HOUSE^GREG',
          sending_facility: 'NORTH',
          step: {
            modality: 'CT',
            scheduled_procedure_step_id: 'SPS1',
            requested_procedure_id: 'RP1',
            requested_procedure_description: 'CT head',
            scheduled_procedure_step_description: 'CT head without contrast',
            scheduled_procedure_step_start_date: '20260302',
            scheduled_procedure_step_start_time: '081500',
          },
        },
      ],
    })
  })

  it('reads the imaging procedure of OMI^O23, with the UID of its study and its station', () => {
    const lines = ['ORC|NW|PL1', 'TQ1|1||||||20260302', 'OBR|1|PL1', 'IPC|A-17|RP1|1.2.3|SPS1|MR|X^Knee||ROOM|MR_1']
    expect(read(header('OMI^O23'), pid, ...lines)).toMatchObject({
      orders: [
        {
          accession_number: 'A-17',
          study_uid: '1.2.3',
          step: {
            modality: 'MR',
            scheduled_procedure_step_id: 'SPS1',
            scheduled_station_aetitle: 'MR_1',
            scheduled_procedure_step_start_date: '20260302',
            scheduled_procedure_step_start_time: '',
            scheduled_procedure_step_description: 'Knee',
          },
        },
      ],
    })
  })

  it('reads each order of a message by itself, up to the next', () => {
    const message = read(header('ORM^O01'), pid, 'ORC|NW|P1', 'OBR|1||||||||||||||||||A1', 'ORC|CA|P2', 'OBR|1|P2')
    expect(message).toMatchObject({
      orders: [
        { act: 'put', order_number: 'P1' },
        { act: 'cancel', order_number: 'P2', accession_number: undefined },
      ],
    })
  })

  it.each([
    ['ORC|NW|P1', 'put', undefined],
    ['ORC|XO|P1', 'put', undefined],
    ['ORC|CA|P1', 'cancel', undefined],
    ['ORC|DC|P1', 'cancel', undefined],
    ['ORC|SC|P1|||IP', 'status', 'IN_PROGRESS'],
    ['ORC|SC|P1|||CM', 'status', 'COMPLETED'],
    ['ORC|SC|P1|||CA', 'status', 'DISCONTINUED'],
    ['ORC|SC|P1|||SC', 'status', undefined],
  ])('%s: %s %s', (orc, act, status) => {
    expect(orderOf(orc)).toMatchObject({ act, order_number: 'P1', step: { status } })
  })

  it('takes the number of the one who fills the order where the one who placed it gave none', () => {
    expect(orderOf('ORC|NW||F1')?.order_number).toBe('F1')
    expect(orderOf('ORC|NW', 'OBR|1|P2')?.order_number).toBe('P2')
  })

  it('reads appointments: an order by itself, or a step of an order that is named', () => {
    const siu = (trigger: string, sch: string) =>
      read(header(`SIU^${trigger}`), sch, pid, 'AIS|1||US^Abdomen|202603021015')
    expect(siu('S12', 'SCH|AP1|FA1')).toMatchObject({
      orders: [
        {
          act: 'put',
          order_number: 'AP1',
          step: {
            scheduled_procedure_step_id: 'AP1',
            scheduled_procedure_step_start_date: '20260302',
            scheduled_procedure_step_start_time: '1015',
            scheduled_procedure_step_description: 'Abdomen',
          },
        },
      ],
    })
    expect(siu('S15', 'SCH|AP1')).toMatchObject({ orders: [{ act: 'cancel', order_number: 'AP1' }] })
    const ofOrder = `SCH|AP1${'|'.repeat(25)}P1`
    expect(siu('S13', ofOrder)).toMatchObject({ orders: [{ act: 'put', order_number: 'P1' }] })
    expect(siu('S17', ofOrder)).toMatchObject({ orders: [{ act: 'cancel-step', order_number: 'P1' }] })
  })

  it.each([
    ['no order', ['NTE|1'], 'segments', 'ORC'],
    ['no control code', ['ORC||P1'], 'missing', 'ORC-1'],
    ['a control code that nobody takes', ['ORC|ZZ|P1'], 'value', 'ORC-1'],
    ['no number', ['ORC|NW'], 'missing', 'ORC-2'],
    ['a day that is none', ['ORC|NW|P1', 'OBR|1|P1', 'TQ1|1||||||20260230'], 'form', 'TQ1-7'],
    ['a second patient', [pid, 'ORC|NW|P1'], 'segments', 'PID'],
    ['a second message', [header('ORM^O01'), 'ORC|NW|P1'], 'segments', 'MSH'],
    ['a line that is no segment', ['ORC|NW|P1', 'and more'], 'segments', ''],
  ])('refuses %s', (_words, lines, condition, place) => {
    expect(faultOf(() => read(header('ORM^O01'), pid, ...lines))).toEqual([condition, place])
  })
})

describe('patients', () => {
  it('takes the medical record number of several, and its issuer', () => {
    expect(patientOfMost('PID|||9^^^GOV^NI~4711^^^NORTH^MR~8^^^X^PI')).toMatchObject({
      patientid: '4711',
      issuer: 'NORTH',
    })
    expect(patientOfMost('PID|||9^^^GOV^NI~8^^^X^PI')).toMatchObject({ patientid: '8' })
    expect(patientOfMost('PID|||9')).toMatchObject({ patientid: '9', issuer: '' })
    expect(faultOf(() => patientOfMost('PID|1|'))).toEqual(['missing', 'PID-3'])
  })

  it.each([
    // own names, what PID-3 has, what is taken of it
    [['own'], '7^^^SOUTH^MR~100^^^OWN^MR', '100 OWN'],
    [['own'], '100^^^OWN^MR~7^^^SOUTH^MR', '100 OWN'],
    [['own', 'his'], '7^^^SOUTH^MR~100^^^his^MR', '100 his'],
    [['own'], '7^^^SOUTH^MR~100^^^OWN^PI', '100 OWN'],
    [['own'], '4^^^OWN^VN~7^^^SOUTH^MR', '7 SOUTH'],
    [['own'], '7^^^SOUTH~100^^^OWN', '100 OWN'],
    [['own'], '7^^^SOUTH^MR', '7 SOUTH'],
    [['own'], '100^^^OWN^MR~101^^^OWN^MR', '100 OWN'],
    [['1.2.3'], '7^^^SOUTH^MR~100^^^&1.2.3&ISO^MR', '100 1.2.3'],
    [['own'], '7^^^&9.9&ISO^MR', '7 9.9'],
    [[], '7^^^SOUTH^MR~8^^^SOUTH^MR', '7 SOUTH'],
    [[], '7^^^SOUTH^MR~8^^^WEST^MR', undefined],
    [['own'], '7^^^SOUTH^MR~8^^^WEST^MR', undefined],
    [['own'], '7^^^SOUTH^MR~100^^^^MR', undefined],
    [[], '7^^^SOUTH~8', undefined],
  ])('of the own names %j takes of %s: %s, and none where several authorities are meant', (names, numbers, taken) => {
    ownNames = names
    const act = () => {
      const patient = patientOfMost(`PID|||${numbers}`)
      return patient && `${patient.patientid} ${patient.issuer}`
    }
    const fault = faultOf(act)
    expect(fault ?? act()).toEqual(taken ?? ['value', 'PID-3'])
  })

  it.each([
    // PID-3, MRG-1, the merge
    ['200^^^OWN^MR~9^^^SOUTH^MR', '7^^^SOUTH^MR', '7 SOUTH in 9 SOUTH'],
    ['9^^^SOUTH^MR~200^^^OWN^MR', '7^^^SOUTH^MR~100^^^OWN^MR', '100 OWN in 200 OWN'],
    ['9^^^SOUTH^MR~200^^^OWN^MR', '100', '100  in 200 OWN'],
    ['200^^^OWN^MR', '7^^^SOUTH^MR', '7 SOUTH in 200 OWN'],
    ['55^^^SOUTH^VN~200^^^OWN^MR', '7^^^SOUTH^MR', '7 SOUTH in 200 OWN'],
    ['200^^^OWN^MR', '7^^^SOUTH^MR~8^^^WEST^MR', ['value', 'MRG-1']],
    ['200^^^OWN^MR', '100^^^OWN^MR~101^^^OWN^MR', ['value', 'MRG-1']],
    ['9^^^SOUTH^MR~8^^^WEST^MR', '100^^^OWN^MR', ['value', 'PID-3']],
  ])('with PID-3 %s and MRG-1 %s merges %s', (numbers, ended, merge) => {
    ownNames = ['own']
    const act = () => {
      const found = read(header('ADT^A40'), `PID|||${numbers}`, `MRG|${ended}`)
      const text = (one: { patientid: string; issuer: string }) => `${one.patientid} ${one.issuer}`
      return found.kind === 'merge' ? `${text(found.prior)} in ${text(found.patient)}` : found.kind
    }
    expect(faultOf(act) ?? act()).toEqual(merge)
  })

  it('tells nothing said from said to be nothing', () => {
    expect(patientOfMost('PID|||1')).toMatchObject({ patient_name: undefined, patient_birth_date: undefined })
    expect(patientOfMost('PID|||1||""||""|""')).toMatchObject({
      patient_name: '',
      patient_birth_date: '',
      patient_sex: '',
    })
  })

  it.each([
    ['YAMADA^TAROU^^^^^L^A~山田^太郎^^^^^L^I~やまだ^たろう^^^^^L^P', 'YAMADA^TAROU=山田^太郎=やまだ^たろう'],
    ['VAN&VAN DER^X', 'VAN^X'],
    ["O'NEIL^ANN~SMITH^ANN^^^^^M", "O'NEIL^ANN"],
    ['ALIAS^A^^^^^A~LEGAL^A^^^^^L', 'LEGAL^A'],
    ['A\\T\\B^C\\S\\D\\R\\E\\F\\F\\E\\G', 'A&B^C D~E|F G'],
    ['A\\X41\\^\\H\\B\\N\\\\.br\\C', 'AA^B C'],
    ['A\\B^C', 'A B^C'],
  ])('reads the name %s', (sent, name) => {
    expect(patientOfMost(`PID|||1||${sent}`)?.patient_name).toBe(name)
  })

  it.each([
    ['19700102', '19700102'],
    ['19700102134501+0100', '19700102'],
    ['1970', ''],
    ['197001', ''],
  ])('reads the birth date %s', (sent, date) => {
    expect(patientOfMost(`PID|||1||||${sent}`)?.patient_birth_date).toBe(date)
  })

  it('refuses birth dates and sexes that are none', () => {
    expect(faultOf(() => patientOfMost('PID|||1||||02.01.1970'))).toEqual(['form', 'PID-7'])
    expect(faultOf(() => patientOfMost('PID|||1|||||W'))).toEqual(['value', 'PID-8'])
    expect(patientOfMost('PID|||1|||||u')?.patient_sex).toBe('')
  })

  it('reads a merge, and refuses one that does not say which number ended', () => {
    expect(read(header('ADT^A40'), pid, 'MRG|0815^^^NORTH')).toMatchObject({
      kind: 'merge',
      patient: { patientid: '4711' },
      prior: { patientid: '0815', issuer: 'NORTH' },
    })
    expect(faultOf(() => read(header('ADT^A40'), pid))).toEqual(['segments', 'MRG'])
    expect(faultOf(() => read(header('ADT^A40'), pid, 'MRG|'))).toEqual(['missing', 'MRG-1'])
  })
})

describe('messages', () => {
  it('reads other delimiters, and one of 2.7 for cut text', () => {
    const text = 'MSH*!$?%*RIS**HILUM****ADT!A08*1*P*2.3'
    expect(readMessage(readSegments(`${text}\nPID***7!!!N%9!MR\n`, readDelimiters(text)), [])).toMatchObject({
      patient: { patientid: '7', issuer: 'N' },
    })
    expect(readDelimiters('MSH|^~\\&#|RIS').subcomponent).toBe('&')
  })

  it.each(['MSH', 'PID|1', 'MSH|^~\\', 'MSH|^^\\&|', 'MSH|AB\\&|', 'MSHx^~\\&|', 'MSH|^~\\&RIS|'])(
    'refuses the header %s',
    (line) => expect(faultOf(() => readDelimiters(line))).toEqual(['segments', 'MSH']),
  )

  it.each([
    ['MDM^T02', 'messageType'],
    ['constructor', 'messageType'],
    ['', 'messageType'],
    ['ADT^A01', 'event'],
    ['SIU^S99', 'event'],
    ['SIU^toString', 'event'],
    ['ORM^O02', 'event'],
  ])('takes no message %s', (type, condition) => {
    expect(faultOf(() => read(header(type), pid))).toEqual([condition, 'MSH-9'])
  })

  it('reads millions of delimiters and lines within its bounds', () => {
    const many = 'PID|||1~'.padEnd(4_000_000, '~|^')
    expect(patientOfMost(many)).toMatchObject({ patientid: '1' })
    expect(faultOf(() => read(header('ADT^A08'), ...Array.from({ length: 10_001 }, () => 'NTE|')))).toEqual([
      'segments',
      '',
    ])
  })

  it.each([
    [[], 'ä', Buffer.from('ä')],
    [['UNICODE UTF-8'], '山', Buffer.from('山')],
    [['8859/1'], 'ä', Buffer.of(0xe4)],
    [['8859/5'], 'Я', Buffer.of(0xcf)],
    [['ASCII', 'ISO IR87'], 'A山', Buffer.from('A\u001b$B;3\u001b(B', 'latin1')],
    [['GB 18030-2000'], '山', Buffer.of(0xc9, 0xbd)],
  ])('reads the character set %j', (names, text, bytes) => {
    expect(decodeHl7(bytes, names)).toBe(text)
  })

  it.each([
    [[], Buffer.of(0xe4), 'form'],
    [['ASCII'], Buffer.from('ä'), 'form'],
    [['UNICODE UTF-8'], Buffer.of(0xff), 'form'],
    [['EBCDIC'], Buffer.from('a'), 'value'],
    [['8859/1', '8859/5'], Buffer.from('a'), 'value'],
    [['constructor'], Buffer.from('a'), 'value'],
  ])('refuses what the character set %j cannot be', (names, bytes, condition) => {
    expect(faultOf(() => decodeHl7(bytes, names))).toEqual([condition, 'MSH-18'])
  })
})
