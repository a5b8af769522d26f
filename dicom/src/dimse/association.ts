import type { Socket } from 'node:net'
import { ByteInput, type Progress } from './byte-input.ts'
import { ByteOutput } from './byte-output.ts'
import { type Command, decodeCommand, encodeCommand, MAX_COMMAND_BYTES, NO_DATA_SET } from './command.ts'
import { DimseError, speaksTls } from './dimse-error.ts'
import { type AssociationLimits, CLOSING_MS, defaultLimits, MAX_PDU_BYTES } from './association-limits.ts'
import { IncomingFragments } from './incoming-fragments.ts'
import { pdusOf } from './outgoing-pdus.ts'
import {
  abortReasons,
  encodeAbort,
  encodeFragmentHeader,
  encodeReleaseReply,
  encodeReleaseRequest,
  type PdvFragment,
  PDU_HEADER_BYTES,
  type PduName,
  readPduHeader,
} from './pdu.ts'
import { type AssociationState, moveOf } from './states.ts'

/** Of a data set that comes in, handed on at once: each piece costs its reader a hash, a check and several turns. */
const MAX_PIECE_BYTES = 128 * 1024

/** A presentation context that both sides agreed on. */
export type Context = { id: number; abstractSyntax: string; transferSyntax: string }

/**
 * One DIMSE message. The data set comes as the peer sends it, in chunks that belong to the reader alone; what is not read
 * is read over before the next message.
 */
export type Message = { context: Context; command: Command; data: AsyncGenerator<Uint8Array> | undefined }

/** One association over a connection, on either side: PDUs in, PDUs out, and where it stands. */
export class Association {
  readonly contexts = new Map<number, Context>()
  readonly #socket: Socket
  readonly #input: ByteInput
  readonly #fragments: IncomingFragments
  readonly #output: ByteOutput
  readonly #limits: AssociationLimits
  #state: AssociationState
  #peerMaxPduBytes = 0
  /** The data set that is still coming in. */
  #data: { contextId: number; isLast: boolean; start: Progress } | undefined

  constructor(socket: Socket, side: 'requestor' | 'acceptor', limits: AssociationLimits = defaultLimits) {
    socket.setNoDelay(true)
    this.#socket = socket
    this.#limits = limits
    this.#input = new ByteInput(socket, limits.negotiationMs)
    this.#fragments = new IncomingFragments(this.#input, () => this.#nextPduOrEnd())
    this.#output = new ByteOutput(socket, limits.stallMs)
    this.#state = side === 'acceptor' ? 'awaiting-request' : 'awaiting-answer'
  }

  get isOpen(): boolean {
    return this.#state === 'open' && !this.#socket.destroyed
  }

  /** Whether all that was sent has left this process. */
  get hasWritten(): boolean {
    return this.#socket.writableLength === 0
  }

  /** Whether the peer has sent something that was not received yet, or is gone. */
  get hasNews(): boolean {
    return this.#input.hasNews
  }

  /**
   * The PDU that opens or refuses the association.
   * @throws DimseError; the connection is ended then
   */
  async receiveNegotiation(): Promise<{ name: PduName; body: Buffer }> {
    // one limit for the whole PDU: a peer that trickles bytes is no better than a silent one
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.#socket.destroy()
    }, this.#limits.negotiationMs)
    try {
      const { name, length } = await this.#guard(() => this.#nextPdu())
      return { name, body: await this.#input.exactly(length) }
    } catch (cause) {
      throw isLate ? new DimseError('timeout', 'The peer did not answer in time', { cause }) : cause
    } finally {
      clearTimeout(timer)
    }
  }

  /** Sends the PDU that asks for or answers an association. */
  async sendNegotiation(pdu: Buffer): Promise<void> {
    await this.#output.write(pdu)
  }

  /** Both sides have agreed; messages may go. */
  open(contexts: readonly Context[], peerMaxPduBytes: number): void {
    for (const context of contexts) this.contexts.set(context.id, context)
    // 0 means without limit; a length without room for a fragment cannot be meant
    this.#peerMaxPduBytes = Math.min(Math.max(peerMaxPduBytes, 128), MAX_PDU_BYTES)
    if (peerMaxPduBytes === 0) this.#peerMaxPduBytes = MAX_PDU_BYTES
    this.#state = 'open'
    this.#input.timeoutMs = this.#limits.idleMs
  }

  /**
   * The next message; undefined when the peer released the association.
   * @throws DimseError; the association is ended then
   */
  async receive(): Promise<Message | undefined> {
    return this.#guard(async () => {
      await this.#skipData()
      this.#input.isInside = false
      const parts: Buffer[] = []
      let length = 0
      let first: PdvFragment | undefined
      this.#input.timeoutMs = this.#limits.idleMs
      for (;;) {
        const fragment = await this.#fragments.next()
        if (!fragment) return undefined
        this.#input.timeoutMs = this.#limits.stallMs
        this.#input.isInside = true
        first ??= fragment
        if (!fragment.isCommand || fragment.contextId !== first.contextId) throw misplaced()
        length += this.#fragments.rest
        if (length > MAX_COMMAND_BYTES) throw new DimseError('protocol', 'A command set is too long')
        parts.push(await this.#fragments.readAll())
        if (fragment.isLast) break
      }
      const context = this.contexts.get(first.contextId)
      if (!context) throw new DimseError('protocol', 'A message in a presentation context that was not accepted')
      const command = decodeCommand(Buffer.concat(parts))
      const hasData = command.dataSetType !== undefined && command.dataSetType !== NO_DATA_SET
      if (hasData) this.#data = { contextId: context.id, isLast: false, start: this.#input.progress() }
      return { context, command, data: hasData ? this.#chunks() : undefined }
    })
  }

  /**
   * Sends a message; the data set is asked for piece by piece as the peer takes it. The unread rest of an incoming data
   * set is read over first. When the data set fails before its first piece, nothing was sent and the association goes
   * on; when it fails later, the association is ended.
   */
  async send(context: Context, command: Command, data?: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#state !== 'open') throw new DimseError('lost', 'The association is over')
    const bytes = encodeCommand(command, data !== undefined)
    const before = [encodeFragmentHeader(context.id, { isCommand: true, isLast: true, length: bytes.length }), bytes]
    const pdus = data && pdusOf(data, context.id, this.#peerMaxPduBytes)
    let next = await pdus?.next()
    try {
      await this.#guard(async () => {
        await this.#skipData()
        if (!pdus) return this.#output.write(...before)
        for (; next && !next.done; next = await pdus.next()) {
          await this.#output.write(...before.splice(0), ...next.value)
        }
      })
    } finally {
      // a connection that breaks leaves the file of the data set open otherwise
      await pdus?.return(undefined)
    }
  }

  /** Ends the association in order; a peer that does not answer is left all the same. */
  async release(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'releasing'
    this.#input.timeoutMs = this.#limits.negotiationMs
    try {
      await this.#output.write(encodeReleaseRequest())
      while (await this.#fragments.next()) await this.#fragments.skip()
    } catch (error) {
      // everything was answered before: that the peer is gone already takes nothing away
      if (!(error instanceof DimseError)) throw error
    }
    this.#close()
  }

  /** Breaks the association off. @param reason one of `abortReasons`; undefined when nobody broke the protocol */
  abort(reason?: number): void {
    this.#state = 'closing'
    if (this.#socket.writable) this.#socket.write(encodeAbort(reason))
    this.#close()
  }

  /** Ends the connection once what was written has left. */
  close(): void {
    this.#state = 'closing'
    this.#close()
  }

  #close(): void {
    const socket = this.#socket
    socket.end()
    // late bytes are read over, so that the kernel does not answer them with a reset that swallows our last word
    socket.removeAllListeners('data')
    socket.resume()
    setTimeout(() => socket.destroy(), CLOSING_MS).unref()
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#endAfter(error)
      throw error
    }
  }

  #endAfter(error: unknown): void {
    if (this.#state === 'closing') return
    const isProtocol = error instanceof DimseError && error.code === 'protocol'
    if (error instanceof DimseError && error.code === 'lost') this.#socket.destroy()
    else this.abort(isProtocol ? abortReasons.invalid : undefined)
  }

  /** The next PDU that is to be taken, its body still to be read. */
  async #nextPdu(): Promise<{ name: PduName; length: number }> {
    const pdu = await this.#nextPduOrEnd()
    if (!pdu) throw new DimseError('aborted', 'The peer ended the association')
    return pdu
  }

  async #nextPduOrEnd(): Promise<{ name: PduName; length: number } | undefined> {
    for (;;) {
      const header = await this.#input.exactly(PDU_HEADER_BYTES)
      if (this.#state === 'awaiting-answer' && isTlsRecord(header)) throw new DimseError('lost', speaksTls)
      const { name, length } = readPduHeader(header, MAX_PDU_BYTES)
      const { act, next } = moveOf(this.#state, name)
      const state = this.#state
      if (act !== 'abort') this.#state = next
      if (act === 'abort' || !name) {
        this.abort(name ? abortReasons.unexpected : abortReasons.unrecognized)
        throw new DimseError('protocol', `The peer sent ${name ?? 'an unknown PDU'} while the association was ${state}`)
      }
      if (act === 'take') return { name, length }
      for (let left = length; left > 0; ) left -= (await this.#input.some(left)).length
      if (act === 'stop') {
        this.#close()
        throw new DimseError('aborted', 'The peer broke the association off')
      }
      if (act === 'confirm-release') await this.#output.write(encodeReleaseReply())
      if (act === 'finish-release' || (act === 'confirm-release' && next === 'closing')) {
        this.#close()
        return undefined
      }
    }
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.#nextData(); chunk; chunk = await this.#nextData()) yield chunk
  }

  async #skipData(): Promise<void> {
    while (await this.#nextData());
  }

  /** The next bytes of the data set that comes in, of all fragments that are there; undefined behind its last. */
  #nextData(): Promise<Buffer | undefined> {
    return this.#guard(async () => {
      const pieces: Buffer[] = []
      let length = 0
      while (this.#data && length < MAX_PIECE_BYTES) {
        // bytes that have come do not wait for those behind them
        if (length > 0 && !this.#fragments.isThere) break
        if (this.#fragments.rest > 0) {
          const bytes = await this.#fragments.readSome()
          pieces.push(bytes)
          length += bytes.length
        } else if (this.#data.isLast) {
          if (length === 0) this.#data = undefined
          break
        } else {
          await this.#nextFragmentOf(this.#data)
        }
      }
      if (this.#data) this.#input.checkPace(this.#data.start, this.#limits.stallMs)
      // one piece is copied as well: its reader may give its memory back, and headers and other messages lie beside it
      return length > 0 ? Buffer.concat(pieces, length) : undefined
    })
  }

  async #nextFragmentOf(data: { contextId: number; isLast: boolean }): Promise<void> {
    const fragment = await this.#fragments.next()
    if (!fragment) throw new DimseError('protocol', 'The peer released the association inside a message')
    if (fragment.isCommand || fragment.contextId !== data.contextId) throw misplaced()
    data.isLast = fragment.isLast
  }
}

/** Whether bytes begin a record of TLS: an alert or a handshake of any version (RFC 8446 §5.1). */
function isTlsRecord(bytes: Uint8Array): boolean {
  return (bytes[0] === 21 || bytes[0] === 22) && bytes[1] === 3
}

function misplaced(): DimseError {
  return new DimseError('protocol', 'A fragment does not belong where it came')
}
