import { once } from 'node:events'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { Association, type Context } from './association.ts'
import { type AssociationLimits, defaultLimits, MAX_PDU_BYTES } from './association-limits.ts'
import { ContextResult, decodeAnswer, encodeRequest, MAX_CONTEXTS, type UserIdentity } from './association-pdu.ts'
import { isAeTitle } from './ae-title.ts'
import { DimseError, describeRejection, speaksTls } from './dimse-error.ts'

export type Peer = {
  host: string
  port: number
  calledTitle: string
  callingTitle: string
  /** Undefined: no TLS. */
  tls?: ConnectionOptions | undefined
  userIdentity?: UserIdentity | undefined
}

/** A class in the syntaxes of which the peer may choose one. `isScp`: objects of the class come to us (C-GET). */
export type Proposal = { abstractSyntax: string; transferSyntaxes: readonly string[]; isScp?: boolean }

const CONNECT_MS = 10_000

/**
 * Connects to a peer and associates.
 * @returns an open association; `contexts` holds those proposals that the peer took
 * @throws DimseError refused | aborted | lost | timeout | protocol; RangeError for what cannot be asked
 */
export async function requestAssociation(
  peer: Peer,
  proposals: readonly Proposal[],
  options: { limits?: AssociationLimits; signal?: AbortSignal | undefined } = {},
): Promise<Association> {
  if (!isAeTitle(peer.calledTitle) || !isAeTitle(peer.callingTitle)) throw new RangeError('An AE title is not usable')
  if (proposals.length === 0 || proposals.length > MAX_CONTEXTS) {
    throw new RangeError(`An association takes 1 to ${MAX_CONTEXTS} presentation contexts`)
  }
  const socket = await connect(peer, options.signal)
  const association = new Association(socket, 'requestor', options.limits ?? defaultLimits)
  const stop = () => socket.destroy()
  options.signal?.addEventListener('abort', stop, { once: true })
  socket.once('close', () => options.signal?.removeEventListener('abort', stop))
  const contexts = proposals.map((proposal, index) => ({ id: 2 * index + 1, ...proposal }))
  try {
    const roles = [...new Set(proposals.flatMap((one) => (one.isScp ? [one.abstractSyntax] : [])))].map((sopClass) => ({
      sopClass,
      isScu: false,
      isScp: true,
    }))
    await association.sendNegotiation(encodeRequest({ ...peer, contexts, maxPduBytes: MAX_PDU_BYTES, roles }))
    const { name, body } = await association.receiveNegotiation()
    if (name === 'associate-rj') {
      const rejection = { result: body[1] ?? 0, source: body[2] ?? 0, reason: body[3] ?? 0 }
      throw new DimseError('refused', describeRejection(rejection), { rejection })
    }
    const answer = decodeAnswer(body)
    const agreed = answer.contexts.flatMap(({ id, result, transferSyntax }): Context[] => {
      const asked = contexts.find((context) => context.id === id)
      const isTaken = result === ContextResult.Accepted && asked?.transferSyntaxes.includes(transferSyntax)
      return asked && isTaken ? [{ id, abstractSyntax: asked.abstractSyntax, transferSyntax }] : []
    })
    association.open(agreed, answer.maxPduBytes)
    return association
  } catch (error) {
    socket.destroy()
    throw !peer.tls && !options.signal?.aborted && isLost(error) ? answerless(error) : error
  }
}

function isLost(error: unknown): error is DimseError {
  return error instanceof DimseError && error.code === 'lost'
}

/** A node behind TLS often ends a connection that begins without it, and says nothing. */
function answerless(cause: DimseError): DimseError {
  return cause.message === speaksTls
    ? cause
    : new DimseError('lost', 'The peer ended the connection without an answer. Perhaps it expects TLS', { cause })
}

async function connect({ host, port, tls }: Peer, signal: AbortSignal | undefined): Promise<Socket> {
  // an address is no server name, and Node refuses it as one (RFC 6066 §3)
  const name = isIP(host) === 0 ? { servername: host } : {}
  const socket = tls ? connectTls({ ...name, ...tls, host, port }) : connectPlain({ host, port })
  const limit = AbortSignal.timeout(CONNECT_MS)
  let isReached = false
  socket.once('connect', () => (isReached = true))
  try {
    const either = signal ? AbortSignal.any([signal, limit]) : limit
    await once(socket, tls ? 'secureConnect' : 'connect', { signal: either })
    return socket
  } catch (cause) {
    // an error that comes after the time limit must not end the process
    socket.on('error', () => undefined)
    socket.destroy()
    if (signal?.aborted) throw cause
    const isTlsUnanswered = tls !== undefined && isReached
    if (limit.aborted)
      throw new DimseError('timeout', isTlsUnanswered ? noTls : 'The peer did not answer in time', { cause })
    throw new DimseError('lost', describeConnectFailure(cause, isTlsUnanswered), { cause })
  }
}

const noTls = 'The peer did not answer in TLS. Perhaps it speaks none'
const noTrust = 'The certificate of the peer is not one that is trusted here'
const reasons: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens at the address of the peer',
  ENOTFOUND: 'The host name of the peer is not known',
  EHOSTUNREACH: 'There is no way to the host of the peer',
  ENETUNREACH: 'There is no way to the network of the peer',
  ETIMEDOUT: 'The peer did not answer in time',
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'The peer speaks only versions of TLS that are too old',
  DEPTH_ZERO_SELF_SIGNED_CERT: noTrust,
  SELF_SIGNED_CERT_IN_CHAIN: noTrust,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: noTrust,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: noTrust,
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the peer is for another host',
  CERT_HAS_EXPIRED: 'The certificate of the peer has expired',
}

/** @param isTlsUnanswered the host was reached, and TLS did not begin */
function describeConnectFailure(cause: unknown, isTlsUnanswered: boolean): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (isTlsUnanswered && code === 'ECONNRESET') return noTls
  return reasons[code] ?? `The connection to the peer failed${code ? ` (${code})` : ''}`
}
