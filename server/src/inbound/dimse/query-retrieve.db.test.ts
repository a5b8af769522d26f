import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { CommandField } from '@hilum/dicom/dimse/command'
import { find, getStudy, moveStudy, QueryClass } from '@hilum/dicom/dimse/query'
import { identifierOf } from '@hilum/dicom/dimse/identifier'
import { reply } from '@hilum/dicom/dimse/services'
import { formatStatus, Status } from '@hilum/dicom/dimse/status'
import { readHeader } from '@hilum/dicom/read'
import { Tag, tagToHex } from '@hilum/dicom/tags'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { findItems, findText, findTexts } from '@hilum/dicom/values'
import { concatBytes, type WriteElement, writeMeta } from '@hilum/dicom/write-part10'
import { afterAll, describe, expect, it } from 'vitest'
import { madeImage, type MadeImage, uploadImage } from '../../../test/made-image.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { startScriptedPeer } from '../../../test/scripted-peer.ts'
import { addMember, type Member, startStorage } from '../../../test/storage-fixture.ts'
import {
  aeTitleSetting,
  allowedPeersSetting,
  queryPeersSetting,
  worklistPeersSetting,
} from '../../areas/node/peer-rules.ts'
import { reasons } from '../../areas/push/obstacle-words.ts'
import { rightEndedWords } from '../../areas/push/push-words.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { findStudies } from '../../outbound/pacs/find-studies.ts'
import { echoPeer } from '../../outbound/pacs/send-instances.ts'
import { openDicomListener } from './open-dicom-listener.ts'

/*
 * Peers that query a group and have its studies sent. Questions of DCMTK and Orthanc stand in
 * e2e/destinations.e2e.ts.
 */

const storage = await startStorage()
const { services, query } = storage
services.config.dicom.port = 0
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
const sc = '1.2.840.10008.5.1.4.1.1.7'
const plain = [ExplicitLittleEndian, ImplicitLittleEndian]
let made = 0

/** A group that one peer may query, and what that peer asks. */
async function makePlace(rules = '[{"ae_title":"WS_1"}]') {
  const member = await addMember(services.db, ['study_upload', 'study_view'])
  const title = `PLACE_${++made}`
  await putSetting(services.db, 'namespace', member.namespace, aeTitleSetting, title)
  await putSetting(services.db, 'namespace', member.namespace, queryPeersSetting, rules)
  await putSetting(services.db, 'namespace', member.namespace, allowedPeersSetting, '[{"ae_title":"CT_1"}]')
  const peer = { host: '127.0.0.1', port: listeners.port, calledTitle: title, callingTitle: 'WS_1' }
  return { member, title, peer }
}

async function upload(member: Member, image: Partial<MadeImage> = {}): Promise<string> {
  const studyUid = image.studyUid ?? newUid().slice(0, 50)
  expect((await uploadImage(storage, member, madeImage({ number: 1, ...image, studyUid }))).status).toBe(202)
  return studyUid
}

type Place = Awaited<ReturnType<typeof makePlace>>
const vrOf: Record<string, string> = {
  PatientName: 'PN',
  StudyDate: 'DA',
  StudyInstanceUID: 'UI',
  SeriesInstanceUID: 'UI',
}
type Keys = Partial<Record<keyof typeof Tag, string>>
const keysOf = (level: string, keys: Keys): WriteElement[] => [
  { tag: Tag.QueryRetrieveLevel, vr: 'CS', value: level },
  ...Object.entries(keys).map(([name, value]) => ({
    tag: Tag[name as keyof typeof Tag],
    vr: vrOf[name] ?? 'LO',
    value,
  })),
]

async function ask({ peer }: Place, level: string, keys: Keys, sopClass: string = QueryClass.StudyFind) {
  const association = await requestAssociation(peer, [{ abstractSyntax: sopClass, transferSyntaxes: plain }])
  const answers: Record<string, string>[] = []
  const end = await find(association, sopClass, keysOf(level, keys), (answer) => {
    const texts = [...answer.elements.keys()].map((tag) => [tagToHex(tag), findTexts(answer, tag).join('\\')])
    answers.push(Object.fromEntries(texts))
    return 'more'
  }).finally(() => association.release())
  return { answers, status: formatStatus(end.status), comment: end.comment }
}

const auditOf = (namespace: string, action: string) =>
  query<{ detail: Record<string, unknown> }>(
    `select detail from audit where phi_namespace = '${namespace}' and action = '${action}' order by id`,
  )

const getProposals = [
  { abstractSyntax: QueryClass.StudyGet, transferSyntaxes: plain },
  { abstractSyntax: sc, transferSyntaxes: plain, isScp: true },
]

/** Fetches over the association (C-GET). */
async function get({ peer }: Place, studyUid: string) {
  const association = await requestAssociation(peer, getProposals)
  const files: Uint8Array[] = []
  const end = await getStudy(
    association,
    studyUid,
    async (message) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of message.data ?? []) chunks.push(chunk)
      const { affectedSopClass = '', affectedSopInstance = '' } = message.command
      files.push(
        concatBytes([writeMeta(affectedSopClass, affectedSopInstance, message.context.transferSyntax), ...chunks]),
      )
      await reply(association, message, { status: 0 })
    },
    () => undefined,
  )
  await association.release()
  return { files, end: { ...end, status: formatStatus(end.status) } }
}

describe('queries of a peer', () => {
  it('finds studies, series and images by patterns, ranges, lists of UIDs and letters of any alphabet, corrected', async () => {
    const place = await makePlace()
    const { member } = place
    const anna = await upload(member, { patientName: 'Müller^Anna', patientId: 'M1' })
    await upload(member, { studyUid: anna, number: 2, series: 2 })
    const taro = await upload(member, { patientName: 'Yamada^Tarou=山田^太郎', patientId: 'M2' })
    const names = async (keys: Keys) => {
      const { answers, status } = await ask(place, 'STUDY', { PatientName: '', StudyInstanceUID: '', ...keys })
      expect(status).toBe('0000')
      return answers.map((one) => one['00100010']).toSorted()
    }
    const [mueller, yamada] = ['Müller^Anna', 'Yamada^Tarou=山田^太郎']
    expect(await names({})).toEqual([mueller, yamada])
    expect(await names({ PatientName: 'mull*' })).toEqual([mueller])
    expect(await names({ PatientName: 'MÜLLER^ANN?' })).toEqual([mueller])
    expect(await names({ PatientName: '山田*' })).toEqual([yamada])
    expect(await names({ PatientName: 'Mueller' })).toEqual([])
    expect(await names({ StudyDate: '20260101-20260103' })).toEqual([mueller, yamada])
    expect(await names({ StudyDate: '-20260101' })).toEqual([])
    expect(await names({ StudyInstanceUID: `${taro}\\1.2.3` })).toEqual([yamada])
    expect(await names({ ModalitiesInStudy: 'OT' })).toEqual([mueller, yamada])
    const series = await ask(place, 'SERIES', { StudyInstanceUID: anna, SeriesInstanceUID: '', Modality: '' })
    expect(series.answers.map((one) => one['0020000E'])).toEqual([`${anna}.1`, `${anna}.2`])
    expect(series.answers[0]).toMatchObject({ '00080052': 'SERIES', '00080054': place.title, '00080060': 'OT' })
    const images = await ask(place, 'IMAGE', { StudyInstanceUID: anna, SeriesInstanceUID: `${anna}.2` })
    expect(images.answers.map((one) => one['00080018'])).toEqual([`${anna}.2.2`])
    const patients = await ask(place, 'PATIENT', { PatientID: '', PatientName: '' }, QueryClass.PatientFind)
    expect(patients.answers.map((one) => one['00100020']).toSorted()).toEqual(['M1', 'M2'])
    const edits = JSON.stringify([
      { tag: 'patientid', old: 'M1', new: 'RIGHT', who: 'x', when: '2026-01-31 10:00:00+00' },
    ])
    await query(`update study set patientid = 'RIGHT', edits = '${edits}' where study_uid = '${anna}'`)
    expect((await ask(place, 'STUDY', { PatientID: 'M1' })).answers).toEqual([])
    expect((await ask(place, 'STUDY', { PatientID: 'RIGHT' })).answers).toMatchObject([{ '00100020': 'RIGHT' }])
    expect((await auditOf(member.namespace, 'DICOM_QUERY')).at(-1)?.detail).toMatchObject({
      service: 'C-FIND',
      level: 'STUDY',
      answers: 1,
      status: '0000',
      calling_ae: 'WS_1',
      address: '127.0.0.1',
    })
  })

  it('says so where a key cannot be matched or a query cannot be read, and passes over nothing silently', async () => {
    const place = await makePlace()
    await upload(place.member)
    const refused = async (level: string, keys: Keys, sopClass?: string) => {
      const { status, comment, answers } = await ask(place, level, keys, sopClass)
      expect([comment, answers]).toEqual([expect.stringMatching(/\w/), []])
      return status
    }
    expect(await refused('STUDY', { StudyDate: 'yesterday' })).toBe('C000')
    expect(await refused('SERIES', { Modality: '' })).toBe('A900')
    expect(await refused('PATIENT', { PatientID: '' })).toBe('A900')
    expect(await refused('ELEPHANT', {})).toBe('A900')
    const association = await requestAssociation(place.peer, [
      { abstractSyntax: QueryClass.StudyFind, transferSyntaxes: plain },
    ])
    const [context] = association.contexts.values()
    if (!context) throw new Error('No context')
    const keys = keysOf('STUDY', { Manufacturer: 'Elephant', PatientID: '' })
    const command = { field: CommandField.FindRequest, messageId: 7, affectedSopClass: QueryClass.StudyFind }
    await association.send(context, command, identifierOf(keys, context))
    expect(formatStatus((await association.receive())?.command.status ?? 0)).toBe('FF01')
    await association.release()
    const refusals = await auditOf(place.member.namespace, 'DICOM_QUERY')
    expect(refusals.slice(0, 2).map((one) => [one.detail['status'], one.detail['answers']])).toEqual([
      ['C000', 0],
      ['A900', 0],
    ])
  })

  it('ends when the peer calls it off', async () => {
    const place = await makePlace()
    const member = place.member
    await upload(member)
    for (let k = 0; k < 45; k += 1) await upload(member)
    const { studies, isCut } = await findStudies(
      place.peer,
      {
        patientName: '',
        patientId: '',
        accessionNumber: '',
        description: '',
        modality: '',
        firstDate: '',
        lastDate: '',
      },
      { maxStudies: 5, signal: AbortSignal.timeout(20_000) },
    )
    expect([studies.length, isCut]).toEqual([5, true])
    await expect
      .poll(async () => (await auditOf(member.namespace, 'DICOM_QUERY')).map((one) => one.detail['status']))
      .toEqual(['FE00'])
  })

  it('shows a peer neither what waits for approval nor what was deleted, nor another group', async () => {
    const [place, other] = [await makePlace(), await makePlace()]
    const { member } = place
    const [waits, deleted, seen] = [await upload(member), await upload(member), await upload(member)]
    await upload(other.member)
    await query(`update study set must_approve = true where study_uid = '${waits}'`)
    await query(`update study set deleted_at = now() where study_uid = '${deleted}'`)
    const { answers } = await ask(place, 'STUDY', { StudyInstanceUID: '' })
    expect(answers.map((one) => one['0020000D'])).toEqual([seen])
    for (const uid of [waits, deleted]) expect((await get(place, uid)).files).toEqual([])
  })
})

describe('who may ask', () => {
  it('answers nobody without a rule, senders of images included, and counts them', async () => {
    const place = await makePlace()
    await putSetting(services.db, 'namespace', place.member.namespace, queryPeersSetting, '[]')
    await expect(ask(place, 'STUDY', {})).rejects.toThrow('does not know our AE title')
    const sender = { ...place, peer: { ...place.peer, callingTitle: 'CT_1' } }
    await expect(ask(sender, 'STUDY', {})).rejects.toThrow('does not take queries')
    await query(`delete from setting where key = '${queryPeersSetting}' and scope_uuid = '${place.member.namespace}'`)
    await expect(ask(place, 'STUDY', {})).rejects.toThrow('does not know our AE title')
    await expect
      .poll(() =>
        query(
          `select user_name, act, count from access_refusal where last_object = '${place.member.namespace}' order by 1`,
        ),
      )
      .toEqual([
        { user_name: 'CT_1', act: 'C-FIND', count: 1 },
        { user_name: 'WS_1', act: 'C-FIND', count: 2 },
      ])
  })

  it('takes no images from a peer that may only ask', async () => {
    const place = await makePlace()
    expect(await echoPeer(place.peer)).toEqual({ status: 0 })
    const proposals = [
      { abstractSyntax: QueryClass.StudyFind, transferSyntaxes: plain },
      { abstractSyntax: sc, transferSyntaxes: plain },
    ]
    const association = await requestAssociation(place.peer, proposals)
    expect([...association.contexts.values()].map((one) => one.abstractSyntax)).toEqual([QueryClass.StudyFind])
    await association.release()
  })
})

describe('retrievals of a peer', () => {
  it('sends images over the association with their corrections, on record before', async () => {
    const place = await makePlace()
    const { member } = place
    const uid = await upload(member, { patientId: 'OLD' })
    await upload(member, { studyUid: uid, number: 2, patientId: 'OLD' })
    const edits = JSON.stringify([
      { tag: 'patientid', old: 'OLD', new: 'RIGHT', who: 'x', when: '2026-01-31 10:00:00+00' },
    ])
    await query(`update study set patientid = 'RIGHT', edits = '${edits}' where study_uid = '${uid}'`)
    const { files, end } = await get(place, uid)
    expect(end).toMatchObject({ status: '0000', completed: 2, failed: 0 })
    const told = files.map((file) => {
      const read = readHeader(file)
      return read.kind === 'header' && findText(read.header.dataSet, Tag.PatientID)
    })
    expect(told).toEqual(['RIGHT', 'RIGHT'])
    expect((await auditOf(member.namespace, 'STUDY_RETRIEVE'))[0]?.detail).toMatchObject({
      service: 'C-GET',
      images: 2,
      destination: 'WS_1',
    })
    expect((await get(place, '1.2.3')).end).toMatchObject({ status: '0000', completed: 0 })
  })

  it('sends nothing of a study of several patients', async () => {
    const place = await makePlace()
    const uid = await upload(place.member, { patientId: 'ONE', patientName: 'One^A', birthDate: '19500101' })
    await upload(place.member, {
      studyUid: uid,
      number: 2,
      patientId: 'TWO',
      patientName: 'Two^B',
      birthDate: '19900101',
    })
    await query(`update study set mixed_patients = true where study_uid = '${uid}'`)
    const { files, end } = await get(place, uid)
    expect([files, end.status, end.failed, end.comment]).toEqual([
      [],
      'A702',
      2,
      'The images name more than one patient',
    ])
  })

  it('stops inside a retrieval that is called off', async () => {
    const place = await makePlace()
    const uid = await upload(place.member)
    for (let number = 2; number < 6; number += 1) await upload(place.member, { studyUid: uid, number })
    const association = await requestAssociation(place.peer, getProposals)
    const [context] = association.contexts.values()
    if (!context) throw new Error('No context')
    const command = { field: CommandField.GetRequest, messageId: 9, affectedSopClass: QueryClass.StudyGet }
    const keys = keysOf('STUDY', { StudyInstanceUID: uid })
    await association.send(context, command, identifierOf(keys, context))
    let images = 0
    let message = await association.receive()
    for (; message?.command.field === CommandField.StoreRequest; message = await association.receive()) {
      images += 1
      await association.send(context, { field: CommandField.CancelRequest, respondsTo: 9 })
      await reply(association, message, { status: 0 })
    }
    const { status = 0, remainingOperations } = message?.command ?? {}
    expect([images, formatStatus(status), remainingOperations]).toEqual([1, 'FE00', 4])
    await association.release()
  })

  it('stops a C-MOVE that is called off, tells what is left, and sends no more', async () => {
    const place = await makePlace()
    const target = await startScriptedPeer('SLOW')
    // one image is taken, and the next one waits
    target.script.statusOf = () => {
      target.script.hangs = true
      return 0
    }
    const { uuid } = await makeDestination({ query } as never, place.member.account, target)
    await query(`update destination set max_associations = 1 where uuid = '${uuid}'`)
    const uid = await upload(place.member)
    for (let number = 2; number < 5; number += 1) await upload(place.member, { studyUid: uid, number })
    const proposal = { abstractSyntax: QueryClass.StudyMove, transferSyntaxes: plain }
    const association = await requestAssociation(place.peer, [proposal])
    const [context] = association.contexts.values()
    if (!context) throw new Error('No context')
    const asked = { field: CommandField.MoveRequest, messageId: 9, moveDestination: target.title }
    const keys = identifierOf(keysOf('STUDY', { StudyInstanceUID: uid }), context)
    await association.send(context, { ...asked, affectedSopClass: QueryClass.StudyMove }, keys)
    await expect.poll(() => target.stored.length).toBe(1)
    await association.send(context, { field: CommandField.CancelRequest, respondsTo: 9 })
    let message = await association.receive()
    while (message?.command.status === Status.Pending) message = await association.receive()
    const { status = 0, completedOperations, failedOperations, remainingOperations } = message?.command ?? {}
    expect([formatStatus(status), completedOperations, failedOperations, remainingOperations]).toEqual([
      'FE00',
      1,
      0,
      3,
    ])
    await association.release()
    expect(target.stored).toHaveLength(1)
    const [end] = await auditOf(place.member.namespace, 'DICOM_QUERY')
    expect(end?.detail).toMatchObject({ service: 'C-MOVE', status: 'FE00', sent: 1 })
  })

  it('moves to destinations of the account that the group may use, and to no other', async () => {
    const place = await makePlace()
    const target = await makePlace()
    await putSetting(
      services.db,
      'namespace',
      target.member.namespace,
      allowedPeersSetting,
      '[{"ae_title":"OWN_NODE"}]',
    )
    const uid = await upload(place.member)
    const move = async (destination: string) => {
      const association = await requestAssociation(place.peer, [
        { abstractSyntax: QueryClass.StudyMove, transferSyntaxes: plain },
      ])
      const options = { studyUid: uid, destination, messageId: 3 }
      const end = await moveStudy(association, options, () => undefined)
      await association.release()
      return { ...end, status: formatStatus(end.status) }
    }
    expect((await move(target.title)).status).toBe('A801')
    const { uuid } = await makeDestination({ query } as never, place.member.account, {
      port: listeners.port,
      title: target.title,
      nodeTitle: 'OWN_NODE',
    })
    // that place answers no questions
    await query(`update destination set push_unchecked = true where uuid = '${uuid}'`)
    expect(await move(target.title)).toMatchObject({ status: '0000', completed: 1, failed: 0 })
    const [arrived] = await query<{ count: number }>(
      `select count(*)::integer as count from study where phi_namespace = '${target.member.namespace}' and study_uid = '${uid}'`,
    )
    expect(arrived?.count).toBe(1)
    await query(`update destination set group_uuids = '{}' where uuid = '${uuid}'`)
    expect((await move(target.title)).status).toBe('A801')
    const ends = await auditOf(place.member.namespace, 'DICOM_QUERY')
    expect(ends.map((one) => [one.detail['service'], one.detail['status'], one.detail['sent']])).toEqual([
      ['C-MOVE', 'A801', undefined],
      ['C-MOVE', '0000', 1],
      ['C-MOVE', 'A801', undefined],
    ])
  })
})

describe.each(['C-GET', 'C-MOVE'] as const)('a retrieval by %s below and above a study', (service) => {
  // nothing is moved under a number that two people have but for its case
  const alike = service === 'C-GET' ? 'ab-1' : 'AB-10'

  /** Two exams of one patient, the first with three series, and one of a patient whose number is almost the same. */
  const makeExams = async () => {
    const place = await makePlace()
    const target = await startScriptedPeer('VIEWER')
    await makeDestination({ query } as never, place.member.account, target)
    const patient = { patientId: 'AB-1', patientName: 'ONE^ANN', birthDate: '19700102' }
    const exam = await upload(place.member, patient)
    for (const number of [2, 3]) await upload(place.member, { ...patient, studyUid: exam, number, series: number })
    await upload(place.member, { ...patient, studyUid: exam, number: 4, series: 2 })
    const later = await upload(place.member, patient)
    const other = await upload(place.member, { patientId: alike, patientName: 'TWO^BEN', birthDate: '19800304' })
    return { place, target, exam, later, other }
  }
  type Exams = Awaited<ReturnType<typeof makeExams>>

  /** The images that came, and the end of the retrieval. */
  const fetched = async ({ place, target }: Exams, root: 'Study' | 'Patient', level: string, keys: Keys) => {
    const sopClass = QueryClass[`${root}${service === 'C-GET' ? 'Get' : 'Move'}`]
    const proposals = [{ abstractSyntax: sopClass, transferSyntaxes: plain }, ...getProposals.slice(1)]
    const association = await requestAssociation(place.peer, service === 'C-GET' ? proposals : proposals.slice(0, 1))
    const context = [...association.contexts.values()].find((one) => one.abstractSyntax === sopClass)
    if (!context) throw new Error('No context')
    target.stored.length = 0
    const command = {
      field: service === 'C-GET' ? CommandField.GetRequest : CommandField.MoveRequest,
      messageId: 11,
      affectedSopClass: sopClass,
      ...(service === 'C-MOVE' ? { moveDestination: target.title } : {}),
    }
    await association.send(context, command, identifierOf(keysOf(level, keys), context))
    const images: string[] = []
    let message = await association.receive()
    while (
      message &&
      (message.command.field === CommandField.StoreRequest || message.command.status === Status.Pending)
    ) {
      for await (const chunk of message.data ?? []) void chunk
      if (message.command.field === CommandField.StoreRequest) {
        images.push(message.command.affectedSopInstance ?? '')
        await reply(association, message, { status: 0 })
      }
      message = await association.receive()
    }
    const { status = 0, errorComment = '' } = message?.command ?? {}
    await association.release()
    const moved = target.stored.map((file) => {
      const read = readHeader(file)
      return read.kind === 'header' ? read.header.sopInstanceUid : ''
    })
    return { images: [...images, ...moved].toSorted(), status: formatStatus(status), comment: errorComment }
  }
  const seriesOf = (study: string, series: number) => ({
    StudyInstanceUID: study,
    SeriesInstanceUID: `${study}.${series}`,
  })
  const all = (exam: string) => [`${exam}.1.1`, `${exam}.2.2`, `${exam}.2.4`, `${exam}.3.3`]

  it('brings the series, the image, the exam or the patient that is named, and nothing beside', async () => {
    const exams = await makeExams()
    const { exam, later, other } = exams
    const came = async (...asked: ['Study' | 'Patient', string, Keys]) => {
      const { images, status } = await fetched(exams, ...asked)
      expect(status).toBe('0000')
      return images
    }
    const image = { ...seriesOf(exam, 2), SOPInstanceUID: `${exam}.2.4` }
    for (const root of ['Study', 'Patient'] as const) {
      const named = root === 'Patient' ? { PatientID: 'AB-1' } : {}
      expect(await came(root, 'SERIES', { ...named, ...seriesOf(exam, 2) })).toEqual([`${exam}.2.2`, `${exam}.2.4`])
      const both = { ...named, StudyInstanceUID: exam, SeriesInstanceUID: `${exam}.1\\${exam}.3` }
      expect(await came(root, 'SERIES', both)).toEqual([`${exam}.1.1`, `${exam}.3.3`])
      expect(await came(root, 'IMAGE', { ...named, ...image })).toEqual([`${exam}.2.4`])
      expect(await came(root, 'STUDY', { ...named, StudyInstanceUID: exam })).toEqual(all(exam))
      // a series of another exam is none of this one
      expect(await came(root, 'SERIES', { ...named, ...seriesOf(later, 1), StudyInstanceUID: exam })).toEqual([])
    }
    expect(await came('Patient', 'PATIENT', { PatientID: 'AB-1' })).toEqual([...all(exam), `${later}.1.1`].toSorted())
    expect(await came('Patient', 'PATIENT', { PatientID: alike })).toEqual([`${other}.1.1`])
    expect(await came('Patient', 'PATIENT', { PatientID: 'AB-' })).toEqual([])
  })

  it('brings no patient whose number two authorities gave, none by a wildcard, and no level that is not asked for whole', async () => {
    const exams = await makeExams()
    const { exam, later } = exams
    const refused = async (...asked: ['Study' | 'Patient', string, Keys]) => {
      const { images, status, comment } = await fetched(exams, ...asked)
      expect([images, comment]).toEqual([[], expect.stringMatching(/\w/)])
      return [status, comment]
    }
    expect((await refused('Patient', 'PATIENT', { PatientID: 'AB-*' }))[0]).toBe('A900')
    expect((await refused('Patient', 'PATIENT', {}))[0]).toBe('A900')
    expect((await refused('Study', 'SERIES', { StudyInstanceUID: exam }))[0]).toBe('A900')
    expect((await refused('Study', 'IMAGE', { StudyInstanceUID: exam }))[0]).toBe('A900')
    expect((await refused('Study', 'PATIENT', { PatientID: 'AB-1' }))[0]).toBe('A900')
    await query(`update study set issuer = 'SOUTH' where study_uid = '${later}'`)
    expect(await refused('Patient', 'PATIENT', { PatientID: 'AB-1' })).toEqual([
      'A900',
      'Several issuers gave this Patient ID: name the studies',
    ])
  })
})

describe('an exam under a number of another authority', () => {
  it('moves to no destination that does not take such, and is given to the peer that asks for it', async () => {
    const place = await makePlace()
    const target = await startScriptedPeer('ARCHIVE')
    const { uuid } = await makeDestination({ query } as never, place.member.account, target)
    await query(`update account set issuer = 'OWN' where uuid = '${place.member.account}'`)
    const issuer = { tag: Tag.IssuerOfPatientID, vr: 'LO', value: 'SOUTH' } as const
    const uid = await upload(place.member)
    // the first image names nobody: one alone came from elsewhere
    await upload(place.member, { studyUid: uid, number: 2, more: [issuer] })
    const move = async () => {
      const association = await requestAssociation(place.peer, [
        { abstractSyntax: QueryClass.StudyMove, transferSyntaxes: plain },
      ])
      const asked = { studyUid: uid, destination: target.title, messageId: 3 }
      const end = await moveStudy(association, asked, () => undefined)
      await association.release()
      return [formatStatus(end.status), end.completed, end.failed, end.comment]
    }
    expect(await move()).toEqual(['A702', 0, 2, reasons.foreign])
    expect(target.stored).toHaveLength(0)
    const got = await get(place, uid)
    expect(got.end).toMatchObject({ status: '0000', completed: 2 })
    expect(got.files).toHaveLength(2)
    await query(`update destination set push_foreign = true where uuid = '${uuid}'`)
    expect(await move()).toEqual(['0000', 2, 0, ''])
    expect(target.stored).toHaveLength(2)
  })
})

describe('a right of a peer that is taken away', () => {
  const takeAway = ({ member }: Place, setting = queryPeersSetting, left = '[]') =>
    putSetting(services.db, 'namespace', member.namespace, setting, left)
  const endings = ({ member }: Place) =>
    query<{ outcome: string; reason: string }>(
      `select outcome, reason from dicom_association where namespace_uuid = '${member.namespace}' order by ended`,
    )
  const ended = [{ outcome: 'refused', reason: 'A right of the peer was taken away' }]

  it('ends its retrieval over the association (C-GET): not one image more, and both are told why', async () => {
    const place = await makePlace()
    const uid = await upload(place.member)
    for (let number = 2; number < 5; number += 1) await upload(place.member, { studyUid: uid, number })
    const association = await requestAssociation(place.peer, getProposals)
    let images = 0
    const end = await getStudy(
      association,
      uid,
      async (message) => {
        images += 1
        for await (const chunk of message.data ?? []) void chunk
        const doors = services.access.count('')
        await takeAway(place)
        await expect.poll(() => services.access.count('')).toBeLessThan(doors)
        await reply(association, message, { status: 0 })
      },
      () => undefined,
    )
    expect([images, end.completed, end.failed, end.comment]).toEqual([1, 1, 3, rightEndedWords])
    await expect.poll(() => endings(place)).toEqual(ended)
    const [record] = await auditOf(place.member.namespace, 'DICOM_QUERY')
    expect(record?.detail).toMatchObject({ service: 'C-GET', sent: 1, failed: 3, reason: rightEndedWords })
  })

  it.each(['the peer may ask no more', 'the destination is closed to the group'])(
    'ends its retrieval to elsewhere (C-MOVE) when %s',
    async (what) => {
      const place = await makePlace()
      const target = await startScriptedPeer('HELD')
      const { uuid } = await makeDestination({ query } as never, place.member.account, target)
      await query(`update destination set max_associations = 1 where uuid = '${uuid}'`)
      const uid = await upload(place.member)
      for (let number = 2; number < 5; number += 1) await upload(place.member, { studyUid: uid, number })
      target.script.beforeAnswer = async () => {
        const doors = services.access.count('')
        if (what.startsWith('the peer')) await takeAway(place)
        else await query(`update destination set group_uuids = '{}' where uuid = '${uuid}'`)
        await expect.poll(() => services.access.count('')).toBeLessThan(doors)
      }
      const association = await requestAssociation(place.peer, [
        { abstractSyntax: QueryClass.StudyMove, transferSyntaxes: plain },
      ])
      const asked = { studyUid: uid, destination: target.title, messageId: 5 }
      const end = await moveStudy(association, asked, () => undefined)
      await association.release()
      // whether the image that was on its way arrived, nobody can say
      expect([end.completed, end.failed, end.comment]).toEqual([0, 4, rightEndedWords])
      expect(target.stored.length).toBeLessThan(2)
    },
  )

  it.each([
    ['to ask', 'WS_1', QueryClass.StudyFind, queryPeersSetting],
    ['to send', 'CT_1', sc, allowedPeersSetting],
    ['to ask for the worklist', 'CT_1', QueryClass.WorklistFind, worklistPeersSetting],
  ])('%s ends an association that waits for its next question', async (_right, callingTitle, sopClass, setting) => {
    const place = await makePlace()
    await takeAway(place, worklistPeersSetting, '[{"ae_title":"CT_1"}]')
    const association = await requestAssociation({ ...place.peer, callingTitle }, [
      { abstractSyntax: sopClass, transferSyntaxes: plain },
    ])
    // heard from the beginning: the association may be over before its rights are written
    await Promise.all([
      expect(association.receive()).rejects.toThrow('broke the association off'),
      takeAway(place, setting, '[{"ae_title":"OTHER"}]'),
    ])
    await expect.poll(() => endings(place)).toEqual(ended)
  })

  it('leaves those alone who may as before', async () => {
    const place = await makePlace()
    const association = await requestAssociation(place.peer, [
      { abstractSyntax: QueryClass.StudyFind, transferSyntaxes: plain },
    ])
    await takeAway(place, queryPeersSetting, '[{"ae_title":"WS_1"},{"ae_title":"WS_2"}]')
    await takeAway(place, allowedPeersSetting)
    const end = await find(association, QueryClass.StudyFind, keysOf('STUDY', { PatientID: '' }), () => 'more')
    expect(end.status).toBe(0)
    await association.release()
    await expect.poll(() => endings(place)).toEqual([{ outcome: 'released', reason: '' }])
  })
})

describe('the worklist', () => {
  const steps = { tag: 0x00400100, vr: 'SQ' }
  const askWorklist = async (place: Place, callingTitle: string, step: Record<number, string>, keys: Keys = {}) => {
    const peer = { ...place.peer, callingTitle }
    const sopClass = QueryClass.WorklistFind
    const association = await requestAssociation(peer, [{ abstractSyntax: sopClass, transferSyntaxes: plain }])
    const item = Object.entries(step).map(([tag, value]) => ({ tag: Number(tag), vr: vrOfStep[tag] ?? 'LO', value }))
    const asked = keysOf('', { PatientName: '', PatientID: '', StudyInstanceUID: '', ...keys }).slice(1)
    const found: { id: string | undefined; uid: string | undefined; date: string | undefined }[] = []
    const end = await find(association, sopClass, [...asked, { ...steps, value: [item] }], (answer) => {
      const [told] = findItems(answer, steps.tag)
      found.push({
        id: findText(answer, Tag.PatientID),
        uid: findText(answer, Tag.StudyInstanceUID),
        date: told && findText(told, 0x00400002),
      })
      return 'more'
    }).finally(() => association.release())
    return { found, status: formatStatus(end.status) }
  }
  const vrOfStep: Record<string, string> = { [0x00080060]: 'CS', [0x00400002]: 'DA', [0x00400001]: 'AE' }

  it('tells those who may ask the steps of the group that are still to be done, by day, modality, station and patient', async () => {
    const [place, other] = [await makePlace(), await makePlace()]
    const { member } = place
    await putSetting(services.db, 'namespace', member.namespace, worklistPeersSetting, '[{"ae_title":"CT_1"}]')
    const addOrder = async (
      of: Member,
      patientid: string,
      step: { modality: string; date: string; state?: string },
    ) => {
      const uuid = crypto.randomUUID()
      await query(`insert into imaging_order (account_uuid, uuid, namespace_uuid, patientid, patient_name)
        values ('${of.account}', '${uuid}', '${of.namespace}', '${patientid}', 'Müller^${patientid}')`)
      await query(`insert into order_step (account_uuid, order_uuid, uuid, modality, scheduled_station_aetitle,
          scheduled_procedure_step_start_date, mpps_status)
        values ('${of.account}', '${uuid}', gen_random_uuid(), '${step.modality}', 'CT_1', '${step.date}', '${step.state ?? ''}')`)
      return uuid
    }
    const first = await addOrder(member, 'P1', { modality: 'CT', date: '20260301' })
    await addOrder(member, 'P2', { modality: 'MR', date: '20260302' })
    await addOrder(member, 'P3', { modality: 'CT', date: '20260301', state: 'COMPLETED' })
    await addOrder(other.member, 'P4', { modality: 'CT', date: '20260301' })
    const all = await askWorklist(place, 'CT_1', { [0x00400002]: '', [0x00080060]: '' })
    expect(all).toMatchObject({ status: '0000', found: [{ id: 'P1', date: '20260301' }, { id: 'P2' }] })
    expect(all.found[0]?.uid).toBe(`2.25.${BigInt(`0x${first.replaceAll('-', '')}`)}`)
    const ids = async (step: Record<number, string>, keys: Keys = {}) =>
      (await askWorklist(place, 'CT_1', step, keys)).found.map((one) => one.id)
    expect(await ids({ [0x00080060]: 'CT' })).toEqual(['P1'])
    expect(await ids({ [0x00400002]: '20260302-' })).toEqual(['P2'])
    expect(await ids({ [0x00400002]: '20260301' })).toEqual(['P1'])
    expect(await ids({ [0x00400001]: 'US_*' })).toEqual([])
    expect(await ids({ [0x00080060]: '' }, { PatientName: 'MULLER*2' })).toEqual(['P2'])
    expect((await askWorklist(place, 'CT_1', { [0x00400002]: 'today' })).status).toBe('C000')
    await expect(askWorklist(place, 'WS_1', {})).rejects.toThrow('does not take queries')
    const asModality = { ...place, peer: { ...place.peer, callingTitle: 'CT_1' } }
    await expect(ask(asModality, 'STUDY', {})).rejects.toThrow('does not take queries')
    expect((await auditOf(member.namespace, 'DICOM_QUERY'))[0]?.detail).toMatchObject({ level: 'WORKLIST', answers: 2 })
  })
})
