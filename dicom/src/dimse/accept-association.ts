import type { Association, Context } from './association.ts'
import { MAX_PDU_BYTES } from './association-limits.ts'
import {
  type AnsweredContext,
  APPLICATION_CONTEXT,
  ContextResult,
  decodeRequest,
  encodeAnswer,
  type ProposedContext,
  type ReceivedRequest,
} from './association-pdu.ts'
import { type Rejection, rejections } from './dimse-error.ts'
import { encodeRejection } from './pdu.ts'
import { ImplicitLittleEndian } from '../transfer-syntaxes.ts'

/** Decisions of a listener's owner: the peers and contexts that it takes. */
type AcceptPolicy = {
  /** Undefined lets the peer in. */
  refuse: (request: ReceivedRequest) => Promise<Rejection | undefined>
  /** The syntax in which the context is taken; a number from `ContextResult` when it is not. */
  choose: (proposal: ProposedContext, request: ReceivedRequest) => string | number
  /** Whether we call back over the same association with objects of a class that the peer offers to take (C-GET). */
  sendsBack?: (sopClass: string) => boolean
}

/**
 * Reads a peer's request and answers it.
 * @returns the request of an association that is now open; undefined when it was refused
 * @throws DimseError when the peer does not keep to the protocol; the connection is ended then
 */
export async function acceptAssociation(
  association: Association,
  policy: AcceptPolicy,
): Promise<ReceivedRequest | undefined> {
  const { body } = await association.receiveNegotiation()
  const request = decodeOrAbort(association, body)
  const rejection = refuseProtocol(request) ?? (await policy.refuse(request))
  if (rejection) {
    await association.sendNegotiation(encodeRejection(rejection))
    association.close()
    return undefined
  }
  const answers = request.contexts.map((proposal) => answer(proposal, policy.choose(proposal, request)))
  const roles = request.roles.map((role) => ({
    ...role,
    isScp: role.isScp && policy.sendsBack?.(role.sopClass) === true,
  }))
  association.open(agreed(request, answers), request.maxPduBytes)
  await association.sendNegotiation(encodeAnswer(request, { contexts: answers, maxPduBytes: MAX_PDU_BYTES, roles }))
  return request
}

function decodeOrAbort(association: Association, body: Buffer): ReceivedRequest {
  try {
    return decodeRequest(body)
  } catch (error) {
    association.abort(6)
    throw error
  }
}

function refuseProtocol(request: ReceivedRequest): Rejection | undefined {
  if (!request.isVersionKnown) return rejections.unknownProtocolVersion
  return request.applicationContext === APPLICATION_CONTEXT ? undefined : rejections.unknownApplicationContext
}

/** A context that is refused still names a syntax; its value says nothing (PS3.8 §9.3.3.2). */
function answer({ id }: ProposedContext, choice: string | number): AnsweredContext {
  return typeof choice === 'string'
    ? { id, result: ContextResult.Accepted, transferSyntax: choice }
    : { id, result: choice, transferSyntax: ImplicitLittleEndian }
}

function agreed(request: ReceivedRequest, answers: readonly AnsweredContext[]): Context[] {
  return answers.flatMap(({ id, result, transferSyntax }, index) => {
    const abstractSyntax = request.contexts[index]?.abstractSyntax ?? ''
    return result === ContextResult.Accepted ? { id, abstractSyntax, transferSyntax } : []
  })
}
