import { IMPLEMENTATION_CLASS_UID, IMPLEMENTATION_VERSION } from '../write-part10.ts'
import { DimseError } from './dimse-error.ts'
import { encodePdu } from './pdu.ts'

/** One (class, syntaxes) that the requestor proposes under an odd number. */
export type ProposedContext = { id: number; abstractSyntax: string; transferSyntaxes: readonly string[] }
/** The acceptor's word on one proposal; 0 is yes (PS3.8 §9.3.3.2). */
export type AnsweredContext = { id: number; result: number; transferSyntax: string }
export const ContextResult = { Accepted: 0, Refused: 1, UnknownClass: 3, UnknownSyntaxes: 4 } as const

/** SCU and SCP roles for a SOP class, where they are not the default (PS3.7 §D.3.3.4). */
export type AssociationRole = { sopClass: string; isScu: boolean; isScp: boolean }
/** PS3.7 §D.3.3.7: 1 user name, 2 user name and passcode, 3 Kerberos, 4 SAML, 5 JWT. */
export type UserIdentity = { type: number; wantsAnswer: boolean; primary: Buffer; secondary: Buffer }

type AssociateRequest = {
  calledTitle: string
  callingTitle: string
  contexts: readonly ProposedContext[]
  /** Longest P-DATA-TF that the sender takes; 0 is without limit. */
  maxPduBytes: number
  roles: readonly AssociationRole[]
  userIdentity?: UserIdentity | undefined
}
/** A request as it came, with what only a receiver looks at. */
export type ReceivedRequest = AssociateRequest & {
  isVersionKnown: boolean
  applicationContext: string
  implementationVersion: string
  /** True when the sender would like to have several operations going at once. */
  wantsWindow: boolean
  /** The AE titles as they came, to be sent back unchanged. */
  titleBytes: Buffer
}
type AssociateAnswer = {
  contexts: readonly AnsweredContext[]
  maxPduBytes: number
  roles: readonly AssociationRole[]
}

export const APPLICATION_CONTEXT = '1.2.840.10008.3.1.1.1'
export const MAX_CONTEXTS = 128
const FIXED_BYTES = 68
const DEFAULT_MAX_PDU_BYTES = 16_384

const Item = {
  ApplicationContext: 0x10,
  ProposedContext: 0x20,
  AnsweredContext: 0x21,
  AbstractSyntax: 0x30,
  TransferSyntax: 0x40,
  UserInformation: 0x50,
  MaxLength: 0x51,
  ImplementationClass: 0x52,
  OperationsWindow: 0x53,
  Role: 0x54,
  ImplementationVersion: 0x55,
  UserIdentity: 0x58,
  UserIdentityAnswer: 0x59,
} as const

export function encodeRequest(request: AssociateRequest): Buffer {
  const { calledTitle, callingTitle, contexts, maxPduBytes, roles, userIdentity } = request
  const titles = Buffer.from(calledTitle.padEnd(16) + callingTitle.padEnd(16), 'latin1')
  const proposals = contexts.map(({ id, abstractSyntax, transferSyntaxes }) =>
    item(Item.ProposedContext, [
      Buffer.from([id, 0, 0, 0]),
      item(Item.AbstractSyntax, [Buffer.from(abstractSyntax)]),
      ...transferSyntaxes.map((uid) => item(Item.TransferSyntax, [Buffer.from(uid)])),
    ]),
  )
  const identity = userIdentity ? [encodeIdentity(userIdentity)] : []
  return encodePdu(1, Buffer.concat([fixedPart(titles), ...proposals, userInformation(maxPduBytes, roles, identity)]))
}

export function encodeAnswer(
  request: Pick<ReceivedRequest, 'titleBytes' | 'wantsWindow' | 'userIdentity'>,
  { contexts, maxPduBytes, roles }: AssociateAnswer,
): Buffer {
  const answers = contexts.map(({ id, result, transferSyntax }) =>
    item(Item.AnsweredContext, [
      Buffer.from([id, 0, result, 0]),
      item(Item.TransferSyntax, [Buffer.from(transferSyntax)]),
    ]),
  )
  const extra: Buffer[] = []
  // one operation at a time, either way
  if (request.wantsWindow) extra.push(item(Item.OperationsWindow, [Buffer.from([0, 1, 0, 1])]))
  if (request.userIdentity?.wantsAnswer) extra.push(item(Item.UserIdentityAnswer, [Buffer.from([0, 0])]))
  const fixed = fixedPart(request.titleBytes)
  return encodePdu(2, Buffer.concat([fixed, ...answers, userInformation(maxPduBytes, roles, extra)]))
}

function fixedPart(titles: Buffer): Buffer {
  const bytes = Buffer.alloc(FIXED_BYTES)
  bytes.writeUInt16BE(1)
  titles.copy(bytes, 4)
  return Buffer.concat([bytes, item(Item.ApplicationContext, [Buffer.from(APPLICATION_CONTEXT)])])
}

function userInformation(maxPduBytes: number, roles: readonly AssociationRole[], extra: readonly Buffer[]): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(maxPduBytes)
  // sub-items in the order of their numbers, which some old peers insist on
  return item(Item.UserInformation, [
    item(Item.MaxLength, [length]),
    item(Item.ImplementationClass, [Buffer.from(IMPLEMENTATION_CLASS_UID)]),
    ...extra.filter((one) => one[0] === Item.OperationsWindow),
    ...roles.map(encodeRole),
    item(Item.ImplementationVersion, [Buffer.from(IMPLEMENTATION_VERSION)]),
    ...extra.filter((one) => one[0] !== Item.OperationsWindow),
  ])
}

function encodeRole({ sopClass, isScu, isScp }: AssociationRole): Buffer {
  return item(Item.Role, [withLength(Buffer.from(sopClass)), Buffer.from([isScu ? 1 : 0, isScp ? 1 : 0])])
}

function encodeIdentity({ type, wantsAnswer, primary, secondary }: UserIdentity): Buffer {
  const head = Buffer.from([type, wantsAnswer ? 1 : 0])
  return item(Item.UserIdentity, [head, withLength(primary), withLength(secondary)])
}

function withLength(value: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(value.length)
  return Buffer.concat([length, value])
}

function item(type: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const head = Buffer.from([type, 0, 0, 0])
  head.writeUInt16BE(body.length, 2)
  return Buffer.concat([head, body])
}

/** Reads an A-ASSOCIATE-RQ. @throws DimseError protocol */
export function decodeRequest(body: Buffer): ReceivedRequest {
  const { items, information, calledTitle, callingTitle } = readFrame(body)
  const proposals = items.filter((one) => one.type === Item.ProposedContext)
  if (proposals.length === 0 || proposals.length > MAX_CONTEXTS) {
    throw new DimseError('protocol', `A request with ${proposals.length} presentation contexts`)
  }
  const contexts = proposals.map(decodeProposal)
  if (new Set(contexts.map((context) => context.id)).size < contexts.length) {
    throw new DimseError('protocol', 'Two presentation contexts have the same number')
  }
  const identity = information.find((one) => one.type === Item.UserIdentity)
  return {
    calledTitle,
    callingTitle,
    contexts,
    ...decodeInformation(information),
    isVersionKnown: (body.readUInt16BE(0) & 1) === 1,
    applicationContext: textOf(items.find((one) => one.type === Item.ApplicationContext)?.body),
    implementationVersion: textOf(information.find((one) => one.type === Item.ImplementationVersion)?.body),
    wantsWindow: information.some((one) => one.type === Item.OperationsWindow),
    titleBytes: body.subarray(4, 36),
    userIdentity: identity && decodeIdentity(identity.body),
  }
}

/** Reads an A-ASSOCIATE-AC. @throws DimseError protocol */
export function decodeAnswer(body: Buffer): AssociateAnswer {
  const { items, information } = readFrame(body)
  const contexts = items
    .filter((one) => one.type === Item.AnsweredContext)
    .map(({ body: context }) => {
      if (context.length < 4) throw malformed()
      const syntax = readItems(context.subarray(4)).find((one) => one.type === Item.TransferSyntax)
      return { id: context[0] ?? 0, result: context[2] ?? 1, transferSyntax: textOf(syntax?.body) }
    })
  return { contexts, ...decodeInformation(information) }
}

type RawItem = { type: number; body: Buffer }

function readFrame(body: Buffer) {
  if (body.length < FIXED_BYTES) throw malformed()
  const items = readItems(body.subarray(FIXED_BYTES))
  const userItem = items.find((one) => one.type === Item.UserInformation)
  return {
    items,
    information: userItem ? readItems(userItem.body) : [],
    calledTitle: body.toString('latin1', 4, 20).replaceAll('\0', ' ').trim(),
    callingTitle: body.toString('latin1', 20, 36).replaceAll('\0', ' ').trim(),
  }
}

function readItems(bytes: Buffer): RawItem[] {
  const items: RawItem[] = []
  for (let offset = 0; offset < bytes.length; ) {
    if (offset + 4 > bytes.length) throw malformed()
    const end = offset + 4 + bytes.readUInt16BE(offset + 2)
    if (end > bytes.length) throw malformed()
    items.push({ type: bytes[offset] ?? 0, body: bytes.subarray(offset + 4, end) })
    offset = end
  }
  return items
}

function decodeProposal({ body }: RawItem): ProposedContext {
  if (body.length < 4) throw malformed()
  const id = body[0] ?? 0
  const syntaxes = readItems(body.subarray(4))
  const abstractSyntax = textOf(syntaxes.find((one) => one.type === Item.AbstractSyntax)?.body)
  const transferSyntaxes = syntaxes.filter((one) => one.type === Item.TransferSyntax).map((one) => textOf(one.body))
  if (id % 2 === 0 || abstractSyntax === '' || transferSyntaxes.length === 0) throw malformed()
  return { id, abstractSyntax, transferSyntaxes }
}

function decodeInformation(information: readonly RawItem[]): { maxPduBytes: number; roles: AssociationRole[] } {
  const length = information.find((one) => one.type === Item.MaxLength)?.body
  if (length && length.length !== 4) throw malformed()
  return {
    maxPduBytes: length ? length.readUInt32BE(0) : DEFAULT_MAX_PDU_BYTES,
    roles: information.filter((one) => one.type === Item.Role).map(decodeRole),
  }
}

function decodeRole({ body }: RawItem): AssociationRole {
  const uid = readCounted(body, 0)
  const [isScu, isScp] = [body[2 + uid.length], body[3 + uid.length]]
  if (isScp === undefined) throw malformed()
  return { sopClass: textOf(uid), isScu: isScu === 1, isScp: isScp === 1 }
}

function decodeIdentity(body: Buffer): UserIdentity {
  const primary = readCounted(body, 2)
  const secondary = readCounted(body, 4 + primary.length)
  return { type: body[0] ?? 0, wantsAnswer: body[1] === 1, primary, secondary }
}

function readCounted(body: Buffer, offset: number): Buffer {
  if (offset + 2 > body.length) throw malformed()
  const end = offset + 2 + body.readUInt16BE(offset)
  if (end > body.length) throw malformed()
  return body.subarray(offset + 2, end)
}

function textOf(body: Buffer | undefined): string {
  return body
    ? body
        .toString('latin1')
        .replace(/[\0 ]+$/, '')
        .trimStart()
    : ''
}

function malformed(): DimseError {
  return new DimseError('protocol', 'An association request or answer is malformed')
}
