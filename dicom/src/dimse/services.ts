import type { Association, Context, Message } from './association.ts'
import { type Command, CommandField, isResponse, responseTo } from './command.ts'
import { DimseError } from './dimse-error.ts'

export const Verification = '1.2.840.10008.1.1'

export type StatusReply = { status: number; comment: string }

const MEDIUM_PRIORITY = 0
let lastMessageId = 0

/** Asks the peer for a sign of life (PS3.7 §9.1.5). @throws DimseError */
export async function echo(association: Association): Promise<StatusReply> {
  const context = [...association.contexts.values()].find((one) => one.abstractSyntax === Verification)
  if (!context) throw new DimseError('not-accepted', 'The peer does not answer C-ECHO')
  const command = { field: CommandField.EchoRequest, affectedSopClass: Verification }
  return ask(association, context, command)
}

export type OutgoingObject = {
  sopClass: string
  sopInstance: string
  /** The data set in the context's transfer syntax, without group 0002. */
  data: AsyncIterable<Uint8Array>
}

/** Stores one object with the peer (PS3.7 §9.1.1). @throws DimseError, and what the data set throws */
export async function store(association: Association, context: Context, object: OutgoingObject): Promise<StatusReply> {
  const command = {
    field: CommandField.StoreRequest,
    affectedSopClass: object.sopClass,
    affectedSopInstance: object.sopInstance,
    priority: MEDIUM_PRIORITY,
  }
  return ask(association, context, command, object.data)
}

async function ask(
  association: Association,
  context: Context,
  command: Command,
  data?: AsyncIterable<Uint8Array>,
): Promise<StatusReply> {
  lastMessageId = (lastMessageId % 0xffff) + 1
  const messageId = lastMessageId
  await association.send(context, { ...command, messageId }, data)
  const reply = await association.receive()
  if (!reply) throw new DimseError('lost', 'The peer released the association without an answer')
  if (!isResponse(reply.command) || reply.command.respondsTo !== messageId || reply.command.status === undefined) {
    association.abort()
    throw new DimseError('protocol', 'The peer answered something else than was asked')
  }
  return { status: reply.command.status, comment: reply.command.errorComment ?? '' }
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
