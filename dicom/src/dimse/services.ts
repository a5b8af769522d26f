import type { Association, Context, Message } from './association.ts'
import { type Command, CommandField, isResponse, responseTo } from './command.ts'
import { DimseError } from './dimse-error.ts'

export const Verification = '1.2.840.10008.1.1'

type StatusReply = { status: number; comment: string }

export const MEDIUM_PRIORITY = 0
let lastMessageId = 0

/** A number for a request, 1 to 65535; no two requests of one association have the same. */
export function nextMessageId(): number {
  lastMessageId = (lastMessageId % 0xffff) + 1
  return lastMessageId
}

/** Asks the peer for a sign of life (PS3.7 §9.1.5). @throws DimseError */
export async function echo(association: Association): Promise<StatusReply> {
  const context = [...association.contexts.values()].find((one) => one.abstractSyntax === Verification)
  if (!context) throw new DimseError('not-accepted', 'The peer does not answer C-ECHO')
  const command = { field: CommandField.EchoRequest, affectedSopClass: Verification }
  return ask(association, context, command)
}

type OutgoingObject = {
  sopClass: string
  sopInstance: string
  /** The data set in the context's transfer syntax, without group 0002. */
  data: AsyncIterable<Uint8Array>
}

/**
 * Stores one object with the peer (PS3.7 §9.1.1).
 * @param originator who asked for it by C-MOVE, and under which message id
 * @param onCancel told of a C-CANCEL that comes in between, which only an association of C-GET may bring
 * @throws DimseError, and what the data set throws
 */
export async function store(
  association: Association,
  context: Context,
  object: OutgoingObject,
  originator: Pick<Command, 'moveOriginator' | 'moveOriginatorMessageId'> = {},
  onCancel?: (messageId: number | undefined) => void,
): Promise<StatusReply> {
  const command = {
    ...originator,
    field: CommandField.StoreRequest,
    affectedSopClass: object.sopClass,
    affectedSopInstance: object.sopInstance,
    priority: MEDIUM_PRIORITY,
  }
  return ask(association, context, command, { data: object.data, onCancel })
}

/** Sends a request and gives the peer's answer. @throws DimseError, and what the data set throws */
export async function ask(
  association: Association,
  context: Context,
  command: Command,
  {
    data,
    onCancel,
  }: { data?: AsyncIterable<Uint8Array>; onCancel?: ((messageId: number | undefined) => void) | undefined } = {},
): Promise<StatusReply> {
  const messageId = nextMessageId()
  await association.send(context, { ...command, messageId }, data)
  const reply = await nextReply(association, onCancel)
  if (!reply) throw new DimseError('lost', 'The peer released the association without an answer')
  if (!isResponse(reply.command) || reply.command.respondsTo !== messageId || reply.command.status === undefined) {
    association.abort()
    throw new DimseError('protocol', 'The peer answered something else than was asked')
  }
  return { status: reply.command.status, comment: reply.command.errorComment ?? '' }
}

/** The next message; those that call a request off go to `onCancel`, where there is one. */
async function nextReply(
  association: Association,
  onCancel: ((messageId: number | undefined) => void) | undefined,
): Promise<Message | undefined> {
  for (;;) {
    const message = await association.receive()
    if (!onCancel || message?.command.field !== CommandField.CancelRequest) return message
    onCancel(message.command.respondsTo)
  }
}

/** Answers a request with a status. The comment is cut to 64 characters of ASCII. */
export async function reply(
  association: Association,
  { context, command }: Pick<Message, 'context' | 'command'>,
  { status, comment }: { status: number; comment?: string | undefined },
): Promise<void> {
  const withComment = comment ? { errorComment: comment } : {}
  await association.send(context, { ...responseTo(command), status, ...withComment })
}
