import { randomUUID } from 'node:crypto'
import { permissions } from '@hilum/contract/permissions'
import { Tag } from '@hilum/dicom/tags'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { madeCaller, madeMembership } from '../../../test/made-caller.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { openGate } from '../../../test/nominated-exam.ts'
import { startScriptedPeer, textIn } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import { visibleStudies } from '../../access/study-scope.ts'
import { planDownload } from '../../areas/archive/plan-download.command.ts'
import { jobs } from '../../areas/jobs.ts'
import { findPushable } from '../../areas/push/find-pushable.ts'
import { Departures } from '../../areas/push/begin-departure.command.ts'
import { clearForMove } from '../../areas/push/clear-for-move.command.ts'
import { clearForAsker, openRetrieval } from '../../areas/query/open-retrieval.command.ts'
import { doAction } from '../../areas/route/do-action.command.ts'
import { collectParts, lengthOfParts } from '../../areas/storage/parts.ts'
import { startRunner } from './run-work.ts'

/*
 * Images of one exam that carry different numbers, at every door by which exams leave: an archive files an image by the
 * numbers that stand in it, whatever the record shows.
 */

const app = await startTestApp()
const { services, query } = app
const pacs = await startScriptedPeer('PACS')

const accession = (value: string) => ({ more: [{ tag: Tag.AccessionNumber, vr: 'SH', value } as const] })

/** A nominated exam with an order of its own, another patient's order, and images under numbers of their own. */
async function makeExam(accessions: readonly string[], orderPlace: 'gate' | 'cloud' = 'gate') {
  const gate = await openGate(app, (accountUuid) =>
    makeDestination(app, accountUuid, { port: pacs.port, title: pacs.title }),
  )
  await query(`update destination set push_unchecked = true where uuid = '${gate.destination}'`)
  const on = await gate.makeNominated()
  await gate.addOrder(on)
  const ask = async (path: string, sent: object) => gate.ask(path, gate.registrar.sid, sent)
  await ask('order/set', { uuid: on.order?.uuid, accession_number: 'OWN-1' })
  await ask('order/add', {
    account_id: gate.accountUuid,
    namespace_id: gate[orderPlace].namespaceUuid,
    order_number: 'N-OTHER',
    patient_name: 'ROE^RICHARD',
    patientid: 'OTHER-7',
    accession_number: 'OTHER-1',
  })
  for (const [index, number] of accessions.entries()) await gate.addImage(on, index + 2, accession(number))
  const set = (sent: object) => ask('study/set', { study_id: on.gateSide, ...sent })
  const approve = () => query(`update study set must_approve = false where uuid = '${on.gateSide}'`)
  const arrived = () => pacs.stored.filter((file) => textIn(file, Tag.StudyInstanceUID) === on.studyUid)
  return { gate, on, ask, set, approve, arrived }
}
type Made = Awaited<ReturnType<typeof makeExam>>

async function endOfPush(uuid: string): Promise<{ status: string; message: string } | undefined> {
  const runner = await startRunner(services, jobs, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  const pushed = async () =>
    (
      await query<{ status: string; message: string }>(`select status, message from push where study_uuid = '${uuid}'`)
    )[0]
  await expect.poll(async () => (await pushed())?.status, { timeout: 20_000 }).toMatch(/^[SF]$/)
  await runner.stop()
  return pushed()
}

const numbersOf = (files: readonly Uint8Array[]) => files.map((file) => textIn(file, Tag.AccessionNumber)).toSorted()

/** Sends an exam by a door; gives the files that left, none where it refused. */
type Door = (made: Made) => Promise<readonly Uint8Array[]>

async function pushed({ ask, gate, arrived }: Made, uuid: string, more: object = {}): Promise<readonly Uint8Array[]> {
  expect(await ask('study/push', { uuid, destination_id: gate.destination, ...more })).toMatchObject({ status: 'OK' })
  await endOfPush(uuid)
  return arrived()
}

async function pushedByRule({ gate, arrived }: Made, uuid: string, place: string): Promise<readonly Uint8Array[]> {
  const rule = { account_uuid: gate.accountUuid, saved_by: gate.registrar.userUuid, uuid: randomUUID(), name: 'To all' }
  const acting = { rule, run: { uuid: randomUUID(), chain: [] }, study: { uuid, phi_namespace: place } }
  const done = await doAction(services, acting as never, { destination: gate.destination })
  expect(done).toMatchObject({ result: 'done' })
  await endOfPush(uuid)
  return arrived()
}

async function fetched({ on }: Made, place: string): Promise<readonly Uint8Array[]> {
  const scope = await visibleStudies(madeCaller([madeMembership(place, permissions)]))
  const asked = { level: 'STUDY', patientId: undefined, seriesUids: undefined, sopUids: undefined } as const
  const records = sql<boolean>`s.study_uid = ${on.studyUid}`
  const { signal } = new AbortController()
  const clear = clearForAsker(services, undefined)
  const { instances } = await openRetrieval(services, scope, { ...asked, records }, signal, clear)
  const files: Uint8Array[] = []
  for (const one of instances) {
    const chunks: Uint8Array[] = []
    for await (const chunk of one.open()) chunks.push(Uint8Array.from(chunk))
    files.push(Buffer.concat(chunks))
  }
  return files
}

async function downloaded(uuid: string): Promise<Buffer> {
  const record = await findRecordByUuid(services.db, uuid)
  if (!record) throw new Error('the exam is not there')
  const archive = await planDownload(services, record, {})
  return Buffer.from(await collectParts(archive.parts, lengthOfParts(archive.parts)))
}

const gateDoors: Record<string, Door> = {
  'study/push/confirm': async ({ ask, on, arrived }) => {
    expect(await ask('study/push/confirm', { uuid: on.gateSide })).toMatchObject({ status: 'OK' })
    await endOfPush(on.gateSide)
    return arrived()
  },
  'study/push': async (made) => {
    await made.approve()
    return pushed(made, made.on.gateSide)
  },
  'late images': async (made) => {
    await made.approve()
    await pushed(made, made.on.gateSide)
    await made.gate.addImage(made.on, 9, accession('OTHER-1'))
    return pushed(made, made.on.gateSide, { late_images: 1 })
  },
  'a routing rule': async (made) => {
    await made.approve()
    return pushedByRule(made, made.on.gateSide, made.gate.namespaceUuid)
  },
  'C-MOVE and C-GET for others': async (made) => {
    await made.approve()
    return fetched(made, made.gate.namespaceUuid)
  },
}

describe('[PROCESS-12] an exam of a gatekeeper group whose images carry several accession numbers', () => {
  const choices: [string, (made: Made) => Promise<unknown>, string][] = [
    ['that of its order', ({ set }) => set({ accession_number: 'OWN-1' }), 'OWN-1'],
    ['none', async () => undefined, ''],
    [
      'none, as somebody took it away',
      async ({ set }) => [await set({ accession_number: 'X' }), await set({ accession_number: '' })],
      '',
    ],
  ]
  const cases = Object.keys(gateDoors).flatMap((door) =>
    choices.map(([name, ...rest]) => [door, name, ...rest] as const),
  )

  it.each(cases)('leaves by %s under one number: %s', async (door, _name, choose, number) => {
    const made = await makeExam(['EXT-1', 'OTHER-1'])
    await choose(made)
    const files = (await gateDoors[door]?.(made)) ?? []
    expect(files.length).toBeGreaterThanOrEqual(3)
    expect(new Set(numbersOf(files))).toEqual(new Set([number]))
    // the number of each image before
    const said = files.map((file) => Buffer.from(file).toString('latin1'))
    expect(said.filter((text) => text.includes('EXT-1'))).toHaveLength(1)
  })

  it('is told by DICOMweb as its files tell it', async () => {
    const made = await makeExam(['EXT-1'])
    const { gate, on, set, approve } = made
    await gate.addImage(on, 3, { patientId: 'OTHER-7' })
    await set({ accession_number: 'OWN-1' })
    await approve()
    const tell = async (path: string) => {
      const url = `/dicomweb/${gate.namespaceUuid}/${path}&sid=${gate.registrar.sid}`
      const told = (await app.app.inject({ method: 'GET', url })).json<Record<string, { Value?: unknown[] }>[]>()
      return told.map((one) => ['00080050', '00100020'].map((tag) => one[tag]?.Value?.[0]))
    }
    const metadata = `studies/${on.studyUid}/metadata?`
    const asRecord = Array.from({ length: 3 }, () => ['OWN-1', on.mrn])
    expect(await tell(metadata)).toEqual(asRecord)
    expect(await tell('instances?includefield=00080050')).toEqual(asRecord)
    // as its group sends it: no longer once that is no gatekeeper
    await query(`update app_group set designation = 'CLOUD' where namespace_uuid = '${gate.namespaceUuid}'`)
    expect(new Set((await tell(metadata)).flat())).toEqual(new Set([on.mrn, 'OTHER-7', 'EXT-1', 'OWN-1']))
  })

  it('leaves by a corrected archive under one number, and as it came where all images carry that', async () => {
    const made = await makeExam(['EXT-1'])
    await made.approve()
    expect((await downloaded(made.on.gateSide)).includes('CORRECT')).toBe(true)
    const plain = await makeExam([])
    await plain.approve()
    expect((await downloaded(plain.on.gateSide)).includes('CORRECT')).toBe(false)
  })
})

const otherDoors: Record<string, Door> = {
  'study/push': (made) => pushed(made, made.on.source),
  'late images': async (made) => {
    const { gate, on } = made
    await gate.addImage(on, 9, accession('OTHER-1'))
    return pushed(made, on.source, { late_images: 1 })
  },
  'a routing rule': (made) => pushedByRule(made, made.on.source, made.gate.cloud.namespaceUuid),
}

describe('[PROCESS-12] an exam of any other group', () => {
  it.each(Object.keys(otherDoors))(
    'leaves not at all by %s while an image carries the number of another patient’s order',
    async (door) => {
      const isLate = door === 'late images'
      const made = await makeExam(isLate ? ['EXT-1'] : ['EXT-1', 'OTHER-1'])
      if (isLate) await pushed(made, made.on.source)
      const sent = made.arrived().length
      const files = (await otherDoors[door]?.(made)) ?? []
      expect(files).toHaveLength(sent)
      const [push] = await query(`select status, message from push where study_uuid = '${made.on.source}'`)
      expect(push).toEqual({ status: 'F', message: expect.stringMatching(/or of images of it, is that of an order/) })
    },
  )

  it.each([
    ['the accession number of an order for another patient', accession('OTHER-1'), /is that of an order/],
    ['an MRN of its own', { patientId: 'OTHER-7' }, /carry several MRNs/],
  ])('is not sent elsewhere by C-MOVE where an image carries %s', async (_what, image, reason) => {
    const made = await makeExam([])
    await made.gate.addImage(made.on, 2, image)
    const { gate, on } = made
    const destination = await findPushable(services.db, gate.destination, gate.cloud.namespaceUuid)
    if (!destination) throw new Error('the destination is not there')
    const { signal } = new AbortController()
    const scope = await visibleStudies(madeCaller([madeMembership(gate.cloud.namespaceUuid, permissions)]))
    const asked = { level: 'STUDY', patientId: undefined, seriesUids: undefined, sopUids: undefined } as const
    const records = sql<boolean>`s.study_uid = ${on.studyUid}`
    const clear = clearForMove(services, destination, { isAsking: false, departures: new Departures(services), signal })
    const { instances, refused } = await openRetrieval(services, scope, { ...asked, records }, signal, clear)
    expect(instances).toEqual([])
    expect(refused.map((one) => one.reason)).toEqual(Array(2).fill(expect.stringMatching(reason)))
  })

  it('is held also where its images came before the index kept their numbers, which are read once', async () => {
    const made = await makeExam(['OTHER-1'])
    const ofExam = `from instance where study_key in (select key from stored_study where study_uid = '${made.on.studyUid}')`
    await query(`update instance set accession_number = null where version in (select version ${ofExam})`)
    expect(await pushed(made, made.on.source)).toEqual([])
    const rows = await query<{ accession_number: string }>(`select accession_number ${ofExam} order by seq`)
    expect(rows.map((one) => one.accession_number)).toEqual(['', 'OTHER-1'])
  })

  it('leaves with the numbers of its images, where none is another patient’s, or a correction took that away', async () => {
    const made = await makeExam(['EXT-1', 'EXT-2'])
    expect(numbersOf(await pushed(made, made.on.source))).toEqual(['', 'EXT-1', 'EXT-2'])
  })
})

describe('[PROCESS-14] the accession number of another patient’s order', () => {
  const numbers = ['OTHER-1', 'other-1', 'ＯＴＨＥＲ-1']
  const places = ['gate', 'cloud'] as const
  const cases = numbers.flatMap((number) => places.map((place) => [number, place] as const))

  it.each(cases)(
    'is refused written as %s, of an order of the %s group, at both ends of the gate',
    async (number, place) => {
      const made = await makeExam([], place)
      const { ask, set, on, approve, gate, arrived } = made
      await set({ accession_number: number })
      const reply = await ask('study/push/confirm', { uuid: on.gateSide })
      expect(reply).toMatchObject({ status: 'ERROR', error_type: 'STALE', error_subtype: 'accession_number' })
      expect(JSON.stringify(reply)).not.toMatch(/ROE|N-OTHER|OTHER-7/)
      await approve()
      expect(await pushed(made, on.gateSide)).toEqual([])
      await ask('study/set', { study_id: on.source, accession_number: number })
      expect(await pushed(made, on.source)).toEqual([])
      // of its own patient it says nothing
      await ask('order/add', {
        account_id: gate.accountUuid,
        namespace_id: gate.namespaceUuid,
        order_number: 'N-SAME',
        patientid: on.mrn,
        accession_number: 'Other-1',
      })
      await pushed(made, on.source)
      expect(numbersOf(arrived())).toEqual([number])
    },
  )
})

describe('[PROCESS-14] an exam under an MRN that has ended in another', () => {
  const end = (made: Made, into = `${made.on.mrn}-B`, prior = made.on.mrn) =>
    made.gate.sendMessage({
      kind: 'merge',
      patient: { patientid: into, issuer: '' },
      prior: { patientid: prior, issuer: '' },
    })

  it('is refused at the gate, which tells the number in use, and leaves under that', async () => {
    const made = await makeExam([])
    const { ask, set, on, arrived } = made
    await end(made)
    await end(made, `${on.mrn}-C`, `${on.mrn.toUpperCase()}-B`)
    const confirm = () => ask('study/push/confirm', { uuid: on.gateSide })
    expect(await confirm()).toMatchObject({
      error_type: 'STALE',
      error_subtype: 'mrn_merged',
      error_data: { patientid: `${on.mrn}-C`, issuer: '' },
    })
    await set({ patientid: `${on.mrn}-C` })
    expect(await confirm()).toMatchObject({ status: 'OK' })
    await endOfPush(on.gateSide)
    expect(arrived().map((file) => textIn(file, Tag.PatientID))).toEqual([`${on.mrn}-C`])
  })

  const doors: Record<string, Door> = {
    'study/push': async (made) => {
      await made.approve()
      return pushed(made, made.on.gateSide)
    },
    'study/push in the group of its sender': (made) => pushed(made, made.on.source),
    'a routing rule': (made) => pushedByRule(made, made.on.source, made.gate.cloud.namespaceUuid),
  }
  it.each(Object.keys(doors))('does not leave by %s', async (door) => {
    const made = await makeExam([])
    await end(made)
    expect(await doors[door]?.(made)).toEqual([])
    const [push] = await query(
      `select message from push where study_uuid in ('${made.on.source}', '${made.on.gateSide}')`,
    )
    expect(push).toEqual({ message: expect.stringMatching(/has ended in another number/) })
  })

  it.each(['under that order', 'without an order'])(
    'leaves %s under the number in use where the place of the order was not told',
    async (how) => {
      const made = await makeExam([])
      const { ask, set, on, gate, arrived } = made
      const order = { order_number: 'N-OWN', patient_name: 'DOE^JANE', patientid: on.mrn, accession_number: 'OWN-9' }
      const place = { account_id: gate.accountUuid, namespace_id: gate.cloud.namespaceUuid }
      const { uuid } = await ask('order/add', { ...place, ...order })
      await end(made)
      await set({ patientid: `${on.mrn}-B`, accession_number: 'OWN-9' })
      const sent = { uuid: on.gateSide, ...(how === 'under that order' ? { order_id: uuid } : {}) }
      expect(await ask('study/push/confirm', sent)).toMatchObject({ status: 'OK' })
      expect(await endOfPush(on.gateSide)).toMatchObject({ status: 'S' })
      expect(arrived().map((file) => textIn(file, Tag.PatientID))).toEqual([`${on.mrn}-B`])
      // under the one that ended it leaves no more than before, and its order is nobody else's
      await set({ patientid: on.mrn })
      await pushed(made, on.gateSide)
      expect(await endOfPush(on.gateSide)).toMatchObject({ message: expect.stringMatching(/has ended in another/) })
      await set({ patientid: 'OTHER-7' })
      await pushed(made, on.gateSide)
      expect(await endOfPush(on.gateSide)).toMatchObject({ status: 'F' })
      expect(arrived()).toHaveLength(1)
    },
  )
})

describe('[PROCESS-14] an exam of a gatekeeper group one of whose images names another authority', () => {
  const issuer = { tag: Tag.IssuerOfPatientID, vr: 'LO', value: 'SOUTH' } as const

  it.each(['study/push/confirm', 'study/push', 'a routing rule'])(
    'leaves by %s where all of them leave under the number of its record, and not at all else',
    async (door) => {
      const made = await makeExam([])
      const { gate, on } = made
      await query(`update account set issuer = 'OWN' where uuid = '${gate.accountUuid}'`)
      await gate.addImage(on, 2, { patientId: 'S-9', more: [issuer] })
      const files = (await gateDoors[door]?.(made)) ?? []
      expect(files.map((file) => [textIn(file, Tag.PatientID), textIn(file, Tag.IssuerOfPatientID)])).toEqual(
        Array.from({ length: 2 }, () => [on.mrn, '']),
      )
      // an image of the same digits leaves as it came
      const other = await gate.makeNominated()
      await gate.addImage(other, 2, { more: [issuer] })
      const refused = { error_type: 'FOREIGN_MRN' }
      expect(await made.ask('study/push/confirm', { uuid: other.gateSide })).toMatchObject(refused)
    },
  )
})

describe('[PROCESS-14] an exam of a gatekeeper group one of whose images has its digits from another authority', () => {
  const issuer = { tag: Tag.IssuerOfPatientID, vr: 'LO', value: 'SOUTH' } as const
  const makeForeign = async (isBeside: boolean, takesForeign: boolean) => {
    const made = await makeExam([])
    const { gate, on } = made
    await query(`update account set issuer = 'OWN' where uuid = '${gate.accountUuid}'`)
    await query(`update destination set push_foreign = ${takesForeign} where uuid = '${gate.destination}'`)
    await gate.addImage(on, 2, { more: [issuer] })
    if (isBeside) await gate.addImage(on, 3, { patientId: 'S-9' })
    return made
  }

  it.each([
    ['where another one carries another number', true],
    ['where none does', false],
  ])('is refused %s', async (_where, isBeside) => {
    const { ask, on, arrived } = await makeForeign(isBeside, false)
    const reply = await ask('study/push/confirm', { uuid: on.gateSide })
    expect([reply['error_type'], arrived()]).toEqual(['FOREIGN_MRN', []])
  })

  it('is not sent under its own authority to a destination that takes others, beside another number', async () => {
    const { ask, on, arrived } = await makeForeign(true, true)
    expect(await ask('study/push/confirm', { uuid: on.gateSide })).toMatchObject({ status: 'OK' })
    expect(await endOfPush(on.gateSide)).toMatchObject({ status: 'F', message: expect.stringMatching(/several MRNs/) })
    expect(arrived()).toEqual([])
  })
})

/** Says once more which MRN an exam has, with or without the reason why all of its images are of that person. */
const writeAgain = ({ ask, on }: Made, reason?: string) =>
  ask('study/set', { study_id: on.source, patientid: on.mrn, ...(reason ? { mrn_reason: reason } : {}) })

describe('[PROCESS-14] an exam of one patient whose images carry two MRNs', () => {
  const mrnsOf = (files: readonly Uint8Array[]) => new Set(files.map((file) => textIn(file, Tag.PatientID)))
  const makeTwo = async () => {
    const made = await makeExam([])
    await made.gate.addImage(made.on, 2, { patientId: 'OTHER-7' })
    return made
  }

  it.each(Object.keys(gateDoors))('leaves the gate by %s under one, with the other inside', async (door) => {
    const made = await makeTwo()
    const files = (await gateDoors[door]?.(made)) ?? []
    expect(mrnsOf(files)).toEqual(new Set([made.on.mrn]))
    expect(files.filter((file) => Buffer.from(file).includes('OTHER-7'))).toHaveLength(1)
  })

  it.each(Object.keys(otherDoors))(
    'leaves not at all by %s from another group, until somebody says which',
    async (door) => {
      const isLate = door === 'late images'
      const made = isLate ? await makeExam([]) : await makeTwo()
      const { ask, on, gate, arrived } = made
      if (isLate) {
        await pushed(made, on.source)
        await gate.addImage(on, 2, { patientId: 'OTHER-7' })
      }
      const sent = arrived().length
      const send = isLate ? (one: Made) => pushed(one, on.source, { late_images: 1 }) : otherDoors[door]
      expect(await send?.(made)).toHaveLength(sent)
      const [push] = await query(`select status, message from push where study_uuid = '${on.source}'`)
      expect(push).toEqual({ status: 'F', message: expect.stringMatching(/carry several MRNs/) })
      await ask('study/set', { study_id: on.source, patientid: 'RIGHT-1' })
      await pushed(made, on.source)
      expect(mrnsOf(arrived().slice(sent))).toEqual(new Set(['RIGHT-1']))
    },
  )

  it.each([...Object.keys(otherDoors).filter((door) => door !== 'late images'), 'C-MOVE and C-GET for others'])(
    'leaves by %s under the number that its record shows once somebody writes that again and says why',
    async (name) => {
      const made = await makeTwo()
      const { ask, on, gate } = made
      const door: Door = otherDoors[name] ?? ((one) => fetched(one, gate.cloud.namespaceUuid))
      const told = async () => (await ask('study/get', { uuid: on.source }))['image_mrns']
      expect(await told()).toEqual([on.mrn, 'OTHER-7'].toSorted())
      // programs send fields that did not change
      expect(await writeAgain(made)).toMatchObject({ status: 'OK' })
      expect(await told()).toHaveLength(2)
      const without = (await door(made)) ?? []
      expect(mrnsOf(without).size).not.toBe(1)
      expect(await writeAgain(made, 'Both are hers, as the registry says')).toMatchObject({ status: 'OK' })
      // another edit leaves the word as it is
      const other = { study_id: on.source, study_description: 'Chest' }
      expect(await ask('study/set', other)).toMatchObject({ status: 'OK' })
      expect(await told()).toBeUndefined()
      const files = await door(made)
      expect(files).toHaveLength(2)
      expect(mrnsOf(files)).toEqual(new Set([on.mrn]))
      expect(files.filter((file) => Buffer.from(file).includes('OTHER-7'))).toHaveLength(1)
      const { events } = await ask('audit/object', { uuid: on.source })
      const reasons = events.map((one: { detail: { mrn_of_all?: object } }) => one.detail.mrn_of_all)
      expect(reasons.filter(Boolean)).toEqual([{ reason: 'Both are hers, as the registry says' }])
      // said of the images again after the number was another one
      await ask('study/set', { study_id: on.source, patientid: 'RIGHT-1' })
      await ask('study/set', { study_id: on.source, patientid: on.mrn })
      expect(await told()).toHaveLength(2)
    },
  )

  it('keeps no such word of an exam whose images carry one MRN, or name several patients', async () => {
    const one = await makeExam([])
    await writeAgain(one, 'No reason')
    const two = await makeTwo()
    await two.gate.addImage(two.on, 3, { patientName: 'ALTMANN^JOSEF', patientId: 'A-1', birthDate: '19290202' })
    await writeAgain(two, 'No reason')
    const uuids = [one, two].map((made) => `'${made.on.source}'`).join()
    const rows = await query<{ edits: unknown }>(`select edits from study where uuid in (${uuids})`)
    expect(rows.map(({ edits }) => edits)).toEqual([[], []])
  })

  /** Ways of saying which number all images leave under; the second gives that number. */
  const words: Record<string, (made: Made) => Promise<string>> = {
    'the number was said to be that of all': async (made) => {
      await writeAgain(made, 'Both are hers')
      return made.on.mrn
    },
    'another number was written': async ({ ask, on }) => {
      await ask('study/set', { study_id: on.source, patientid: 'RIGHT-1' })
      return 'RIGHT-1'
    },
  }
  const direct = Object.keys(otherDoors).filter((door) => door !== 'late images')
  const held = Object.keys(words).flatMap((word) => direct.map((door) => [word, door] as const))

  it.each(held)('is held again where %s and an image under a third comes: %s', async (word, name) => {
    const made = await makeTwo()
    const { ask, on, gate } = made
    const number = (await words[word]?.(made)) ?? ''
    const told = async () => (await ask('study/get', { uuid: on.source }))['image_mrns']
    // an image under a number that was seen, however it is written, holds nothing
    await gate.addImage(on, 3, { patientId: 'other-7' })
    expect(await told()).toBeUndefined()
    expect(mrnsOf((await otherDoors[name]?.(made)) ?? [])).toEqual(new Set([number]))
    await gate.addImage(on, 4, { patientId: 'THIRD-9' })
    expect(await told()).toEqual([on.mrn, 'OTHER-7', 'THIRD-9'].toSorted())
    const sent = made.arrived().length
    expect(await otherDoors[name]?.(made)).toHaveLength(sent)
    expect(await query(`select message from push where study_uuid = '${on.source}'`)).toEqual([
      { message: expect.stringMatching(/carry several MRNs/) },
    ])
    // whoever fetches it gets the image that nobody spoke of as it came
    const files = await fetched(made, gate.cloud.namespaceUuid)
    const mrns = files.map((file) => textIn(file, Tag.PatientID)).toSorted()
    expect(mrns).toEqual([number, number, number, 'THIRD-9'].toSorted())
    // said anew, it is of that one, too
    expect(await ask('study/set', { study_id: on.source, patientid: number, mrn_reason: 'All three' })).toMatchObject({
      status: 'OK',
    })
    expect(await told()).toBeUndefined()
    expect(mrnsOf(await fetched(made, gate.cloud.namespaceUuid))).toEqual(new Set([number]))
    expect((await ask('study/get', { uuid: on.source }))['mrn_of_all']).toMatchObject({
      mrns: [on.mrn, 'OTHER-7', 'THIRD-9', 'other-7'].toSorted(),
    })
  })

  /** Numbers of an exam of two, as a person sees them before an image under a third comes. */
  const written: [string, (made: Made) => Promise<object>][] = [
    ['the number is said to be that of all', async ({ on }) => ({ patientid: on.mrn, mrn_reason: 'Both are hers' })],
    ['another number is written', async () => ({ patientid: 'RIGHT-1' })],
    [
      'another number is written once more',
      async ({ ask, on }) => {
        await ask('study/set', { study_id: on.source, patientid: 'RIGHT-0' })
        return { patientid: 'RIGHT-1', seen_mrns: ['RIGHT-0'] }
      },
    ],
  ]
  it.each(written)('is held where %s and an image had come that nobody saw', async (_how, change) => {
    const made = await makeTwo()
    const { ask, on, gate } = made
    const sent = await change(made)
    await gate.addImage(on, 4, { patientId: 'THIRD-9' })
    const seen = { seen_mrns: [on.mrn, 'OTHER-7'], ...sent }
    expect(await ask('study/set', { study_id: on.source, ...seen })).toMatchObject({ status: 'OK' })
    const told = async () => (await ask('study/get', { uuid: on.source }))['image_mrns']
    expect(await told()).toEqual([on.mrn, 'OTHER-7', 'THIRD-9'].toSorted())
    expect(await pushed(made, on.source)).toEqual([])
    // written once more by somebody who sees it
    const again = { ...sent, mrn_reason: 'All three', seen_mrns: await told() }
    expect(await ask('study/set', { study_id: on.source, ...again })).toMatchObject({ status: 'OK' })
    expect(await told()).toBeUndefined()
  })

  it('leaves the gate under the number that was written only with images whose numbers the person had seen', async () => {
    const made = await makeTwo()
    const { ask, on, gate } = made
    const numbers = [on.mrn, 'OTHER-7']
    await gate.addImage(on, 4, { patientId: 'THIRD-9' })
    const write = (more: object) => ask('study/set', { study_id: on.gateSide, patientid: 'RIGHT-1', ...more })
    expect(await write({ seen_mrns: numbers })).toMatchObject({ status: 'OK' })
    await made.approve()
    expect(await pushed(made, on.gateSide)).toEqual([])
    expect(await query(`select message from push where study_uuid = '${on.gateSide}'`)).toEqual([
      { message: expect.stringMatching(/carry several MRNs/) },
    ])
    // said anew by somebody who sees all
    await write({ seen_mrns: [...numbers, 'THIRD-9'], mrn_reason: 'All three' })
    expect(mrnsOf(await pushed(made, on.gateSide))).toEqual(new Set(['RIGHT-1']))
    const sent = made.arrived().length
    await gate.addImage(on, 5, { patientId: 'FOURTH-2' })
    expect(await pushed(made, on.gateSide, { late_images: 1 })).toHaveLength(sent)
  })

  it('leaves the gate under the number of its record only with images whose numbers the person had seen', async () => {
    const made = await makeTwo()
    const { ask, on, gate } = made
    const numbers = [on.mrn.toLowerCase(), 'OTHER-7']
    await gate.addImage(on, 4, { patientId: 'THIRD-9' })
    const confirm = (seen_mrns: string[]) => ask('study/push/confirm', { uuid: on.gateSide, seen_mrns })
    expect(await confirm(numbers)).toMatchObject({ error_type: 'STALE', error_subtype: 'seen_mrns' })
    expect(await query(`select from push where study_uuid = '${on.gateSide}'`)).toEqual([])
    expect(await confirm([...numbers, 'THIRD-9'])).toMatchObject({ status: 'OK' })
    expect(await endOfPush(on.gateSide)).toMatchObject({ status: 'S' })
    expect(mrnsOf(made.arrived())).toEqual(new Set([on.mrn]))
  })

  it('tells who said so and when, and is held again once that is taken back', async () => {
    const made = await makeTwo()
    const { ask, on, gate } = made
    await query(`update account set issuer = 'OWN' where uuid = '${gate.accountUuid}'`)
    const study = () => ask('study/get', { uuid: on.source })
    const before = await study()
    await writeAgain(made, 'Both are hers')
    const after = await study()
    const at = expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/)
    const word = { mrns: [on.mrn, 'OTHER-7'].toSorted(), by_name: gate.registrar.name, at }
    expect(after).toMatchObject({ mrn_of_all: word, issuer: 'OWN' })
    expect(await ask('study/set', { study_id: on.source, mrn_of_all: 0, patientid: 'X' })).toMatchObject({
      error_type: 'INVALID_FIELD',
    })
    expect(await ask('study/set', { study_id: on.source, mrn_of_all: 0, row_version: 1 })).toMatchObject({
      error_type: 'STALE',
    })
    const workToo = { mrn_of_all: 0, work_status: 'in_progress' }
    expect(await ask('study/set', { study_id: on.source, ...workToo })).toMatchObject({ status: 'OK' })
    expect((await study())['work_status']).toBe('in_progress')
    expect(await ask('study/set', { study_id: on.source, ...workToo, work_status: 'done' })).toMatchObject({
      status: 'OK',
    })
    expect((await study())['work_status']).toBe('done')
    const { image_mrns: mrns, issuer, mrn_of_all: ended } = await study()
    expect([mrns, issuer, ended]).toEqual([before['image_mrns'], before['issuer'], undefined])
    expect(await pushed(made, on.source)).toEqual([])
    // where another number was written, that stays
    await ask('study/set', { study_id: on.source, patientid: 'RIGHT-1' })
    await gate.addImage(on, 4, { patientId: 'THIRD-9' })
    await ask('study/set', { study_id: on.source, patientid: 'RIGHT-1', mrn_reason: 'All three' })
    await ask('study/set', { study_id: on.source, mrn_of_all: 0 })
    expect(await study()).toMatchObject({ patientid: 'RIGHT-1', image_mrns: expect.arrayContaining(['THIRD-9']) })
    const { events } = await ask('audit/object', { uuid: on.source })
    const told = events.map((one: { detail: { mrn_of_all?: object } }) => one.detail.mrn_of_all).filter(Boolean)
    expect(told).toHaveLength(4)
    expect(told.filter((one: object) => 'ended' in one)).toHaveLength(2)
  })
})
