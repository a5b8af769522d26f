import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { acceptAssociation } from '@hilum/dicom/dimse/accept-association'
import type { Association, Message } from '@hilum/dicom/dimse/association'
import { ContextResult } from '@hilum/dicom/dimse/association-pdu'
import { CommitmentPush } from '@hilum/dicom/dimse/commitment'
import { CommandField, responseTo } from '@hilum/dicom/dimse/command'
import type { Rejection } from '@hilum/dicom/dimse/dimse-error'
import { createAssociationListener, type PeerConnection } from '@hilum/dicom/dimse/listener'
import { QueryClass } from '@hilum/dicom/dimse/query'
import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { reply, store } from '@hilum/dicom/dimse/services'
import { Status } from '@hilum/dicom/dimse/status'
import { dataSetOfFile } from '@hilum/dicom/recode/data-set-of-file'
import { type DicomHeader, readDataSet, readHeader } from '@hilum/dicom/read'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { Tag } from '@hilum/dicom/tags'
import { findText } from '@hilum/dicom/values'
import { concatBytes, encodeElements, type WriteElement, writeMeta } from '@hilum/dicom/write-part10'
import { afterAll } from 'vitest'
import { answerCommitmentByScript, type CommitmentScript } from './scripted-commitment.ts'

/** The behaviour of the peer; a test changes it on the way. */
export interface PeerScript {
  refuse?: Rejection | undefined
  /** Never answers a C-STORE, C-FIND or C-MOVE. */
  hangs?: boolean
  /** Breaks the association off at the first C-STORE. */
  aborts?: boolean
  /** Classes that are taken; all of them where there is none. */
  classes?: readonly string[]
  /** Syntaxes in which objects are taken; Explicit VR Little Endian alone where nothing is said. */
  syntaxes?: readonly string[] | 'any'
  /** Passes before the object of a C-STORE is read, by its number from 1. */
  beforeData?: (number: number) => Promise<void>
  /** Passes before a C-STORE is answered, by its number from 1. */
  beforeAnswer?: (number: number) => Promise<void>
  /** The answer to a C-STORE, by its number from 1. */
  statusOf?: (number: number) => number
  /** Questions for storage commitment; without it the class is not taken. */
  commitment?: CommitmentScript
  /** Passes before a C-FIND is answered. */
  beforeFound?: (() => Promise<void>) | undefined
  /** Answers to any C-FIND. */
  answers?: readonly (readonly WriteElement[])[]
  /** Answers to a C-FIND by its keys, in place of `answers`. */
  answersTo?: (textOf: (tag: number) => string) => readonly (readonly WriteElement[])[]
  /** The status that ends the answers to a C-FIND. */
  findStatus?: () => number
  /** Passes before anything is sent for a C-MOVE. */
  beforeMoved?: () => Promise<void>
  /** Stops in the middle of the answers to a C-FIND, or of the objects of a C-MOVE or C-GET, once so many are sent. */
  midway?: { after: number; by: Breakdown } | undefined
  /** Files that are sent for a C-MOVE or C-GET. */
  files?: readonly Uint8Array[]
  /** Where an AE title is, for C-MOVE. */
  places?: ReadonlyMap<string, number>
  /** The title that it sends with, where that is another one than it answers to. */
  sendsAs?: string
}

/** Ways of stopping midway: silence, an abort, a release, and an answer to something that nobody asked. */
export type Breakdown = 'silence' | 'abort' | 'release' | 'another answer'

export interface ScriptedPeer {
  port: number
  script: PeerScript
  /** Data sets that were stored, as files. */
  stored: Uint8Array[]
  /** C-STORE requests so far, refused ones among them. */
  asked: number
  /** Keys of the C-FIND requests so far, as files. */
  queried: Uint8Array[]
  /** Associations that have not ended. */
  open: number
  /** Associations on which the peer stopped midway and says nothing more. */
  silent: number
  title: string
}

/** A DICOM node that does as its script says, over TLS where it is given. Call it at the top of a test file. */
export async function startScriptedPeer(title = 'PEER', tls?: TlsOptions): Promise<ScriptedPeer> {
  const peer: ScriptedPeer = { port: 0, script: {}, stored: [], asked: 0, queried: [], open: 0, silent: 0, title }
  const closing = Promise.withResolvers<void>()
  const handle = async ({ association }: PeerConnection) => {
    peer.open += 1
    await serve(peer, association, closing.promise).catch(() => association.abort())
    peer.open -= 1
  }
  const listener = createAssociationListener(handle, { tls })
  listener.server.listen(0, '127.0.0.1')
  await once(listener.server, 'listening')
  afterAll(() => {
    closing.resolve()
    return listener.close()
  })
  peer.port = (listener.server.address() as AddressInfo).port
  return peer
}

async function serve(peer: ScriptedPeer, association: Association, closing: Promise<void>): Promise<void> {
  const { script } = peer
  const { syntaxes = [ExplicitLittleEndian] } = script
  const accepted = await acceptAssociation(association, {
    refuse: async () => script.refuse,
    choose: ({ abstractSyntax, transferSyntaxes }) =>
      (script.classes && !script.classes.includes(abstractSyntax)) ||
      (abstractSyntax === CommitmentPush && !script.commitment)
        ? ContextResult.UnknownClass
        : (transferSyntaxes.find((one) => syntaxes === 'any' || syntaxes.includes(one)) ??
          ContextResult.UnknownSyntaxes),
  })
  if (!accepted) return
  for (let message = await association.receive(); message; message = await association.receive()) {
    const { field } = message.command
    if (field === CommandField.ActionRequest && script.commitment) {
      await answerCommitmentByScript(script.commitment, association, message)
      continue
    }
    if (field === CommandField.StoreRequest) await script.beforeData?.(peer.asked + 1)
    const body = await collect(message)
    if (script.hangs && field !== CommandField.EchoRequest) return closing
    if (field === CommandField.StoreRequest) await keep(peer, association, message, body)
    else if (field === CommandField.FindRequest) await answerFind(peer, association, message, body)
    else if (field === CommandField.MoveRequest) await answerMove(peer, association, message)
    else if (field === CommandField.GetRequest) await answerGet(peer, association, message)
    else if (field === CommandField.EchoRequest) await reply(association, message, { status: Status.Success })
  }
}

async function stopMidway(peer: ScriptedPeer, association: Association, message: Message, sent: number) {
  const { script } = peer
  if (script.midway?.after !== sent) return
  const { by } = script.midway
  if (by === 'another answer') {
    const another = { ...responseTo(message.command), respondsTo: (message.command.messageId ?? 0) + 1 }
    await association.send(message.context, { ...another, status: Status.Success })
  }
  if (by === 'release') await association.release()
  // until the other side ends it
  peer.silent += 1
  try {
    if (by !== 'abort') while (await association.receive());
  } finally {
    peer.silent -= 1
  }
  throw new Error('The script breaks off')
}

async function collect({ data }: Message): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of data ?? []) chunks.push(chunk)
  return concatBytes(chunks)
}

async function keep(peer: ScriptedPeer, association: Association, message: Message, body: Uint8Array): Promise<void> {
  peer.asked += 1
  if (peer.script.aborts) throw new Error('The script breaks off')
  const status = peer.script.statusOf?.(peer.asked) ?? Status.Success
  const { affectedSopClass = '', affectedSopInstance = '' } = message.command
  if (status === Status.Success || status >>> 12 === 0xb) {
    peer.stored.push(
      concatBytes([writeMeta(affectedSopClass, affectedSopInstance, message.context.transferSyntax), body]),
    )
  }
  await peer.script.beforeAnswer?.(peer.asked)
  await reply(association, message, { status })
}

async function answerFind(
  peer: ScriptedPeer,
  association: Association,
  message: Message,
  body: Uint8Array,
): Promise<void> {
  const { script, queried } = peer
  await script.beforeFound?.()
  const keys = concatBytes([writeMeta(QueryClass.StudyFind, '1.2.3', message.context.transferSyntax), body])
  queried.push(keys)
  const answers = script.answersTo?.((tag) => textIn(keys, tag) ?? '') ?? script.answers ?? []
  for (const [sent, answer] of answers.entries()) {
    await stopMidway(peer, association, message, sent)
    const data = async function* () {
      yield encodeElements(answer, { isExplicit: true, isLittleEndian: true })
    }
    await association.send(message.context, { ...responseTo(message.command), status: 0xff00 }, data())
  }
  const status = script.findStatus?.() ?? Status.Success
  await association.send(message.context, { ...responseTo(message.command), status })
}

async function answerMove(peer: ScriptedPeer, association: Association, message: Message): Promise<void> {
  const { moveDestination = '', messageId = 0 } = message.command
  await peer.script.beforeMoved?.()
  const port = peer.script.places?.get(moveDestination)
  if (!port) return reply(association, message, { status: Status.MoveDestinationUnknown })
  const files = (peer.script.files ?? []).map((file) => ({ file, header: headerOf(file) }))
  const sub = await requestAssociation(
    { host: '127.0.0.1', port, calledTitle: moveDestination, callingTitle: peer.script.sendsAs ?? peer.title },
    [...new Set(files.map(({ header }) => header.sopClassUid))].map((abstractSyntax) => ({
      abstractSyntax,
      transferSyntaxes: [ExplicitLittleEndian],
    })),
  )
  let [completed, failed] = [0, 0]
  for (const [sent, { file, header }] of files.entries()) {
    await stopMidway(peer, association, message, sent)
    const context = [...sub.contexts.values()].find((one) => one.abstractSyntax === header.sopClassUid)
    if (!context) continue
    const object = objectOf(file, header)
    const { status } = await store(sub, context, object, {
      moveOriginator: 'HILUM',
      moveOriginatorMessageId: messageId,
    })
    if (status === Status.Success) completed += 1
    else failed += 1
    const told = { completedOperations: completed, failedOperations: failed, warningOperations: 0 }
    const remainingOperations = files.length - completed - failed
    await association.send(message.context, {
      ...responseTo(message.command),
      ...told,
      remainingOperations,
      status: 0xff00,
    })
  }
  await sub.release()
  await association.send(message.context, {
    ...responseTo(message.command),
    completedOperations: completed,
    failedOperations: failed,
    warningOperations: 0,
    status: failed === 0 ? Status.Success : 0xb000,
  })
}

async function answerGet(peer: ScriptedPeer, association: Association, message: Message): Promise<void> {
  const { script } = peer
  let completed = 0
  for (const [sent, file] of (script.files ?? []).entries()) {
    await stopMidway(peer, association, message, sent)
    const header = headerOf(file)
    const context = [...association.contexts.values()].find((one) => one.abstractSyntax === header.sopClassUid)
    // an object whose class was not agreed on is one that could not be sent
    if (!context) continue
    const { status } = await store(association, context, objectOf(file, header))
    if (status === Status.Success) completed += 1
  }
  await association.send(message.context, {
    ...responseTo(message.command),
    completedOperations: completed,
    failedOperations: (script.files ?? []).length - completed,
    warningOperations: 0,
    status: completed === (script.files ?? []).length ? Status.Success : 0xb000,
  })
}

function objectOf(file: Uint8Array, header: DicomHeader) {
  const bytes = async function* () {
    yield file
  }
  return { sopClass: header.sopClassUid, sopInstance: header.sopInstanceUid, data: dataSetOfFile(bytes()) }
}

function headerOf(file: Uint8Array): DicomHeader {
  const read = readHeader(file, { untilPixelData: true })
  if (read.kind !== 'header') throw new Error('The file is cut')
  return read.header
}

/** The text of an attribute in a stored file. */
export function textIn(file: Uint8Array, tag: number): string {
  return findText(readDataSet(file).dataSet, tag) ?? ''
}

/** An answer to C-FIND that names a study. */
export function studyAnswer(study: {
  uid: string
  name?: string
  mrn?: string
  modality?: string
  date?: string
  images?: number
}): WriteElement[] {
  return [
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 192' },
    { tag: Tag.StudyDate, vr: 'DA', value: study.date ?? '20260102' },
    { tag: Tag.QueryRetrieveLevel, vr: 'CS', value: 'STUDY' },
    { tag: Tag.ModalitiesInStudy, vr: 'CS', value: study.modality ?? 'OT' },
    { tag: Tag.PatientName, vr: 'PN', value: study.name ?? 'FOUND^ADA' },
    { tag: Tag.PatientID, vr: 'LO', value: study.mrn ?? 'M1' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: study.uid },
    { tag: Tag.NumberOfStudyRelatedInstances, vr: 'IS', value: String(study.images ?? 1) },
  ]
}

/** Classes of a peer that retrieves by C-GET alone. */
export const onlyGet = [QueryClass.StudyFind, QueryClass.StudyGet, '1.2.840.10008.5.1.4.1.1.7', '1.2.840.10008.1.1']
