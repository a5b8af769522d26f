import type { ByteInput } from './byte-input.ts'
import { DimseError } from './dimse-error.ts'
import { FRAGMENT_HEADER_BYTES, PDU_HEADER_BYTES, type PdvFragment } from './pdu.ts'

/** Fragments of the PDUs that come over a connection, one after the other, whatever PDUs they come in. */
export class IncomingFragments {
  readonly #input: ByteInput
  readonly #nextPdu: () => Promise<{ length: number } | undefined>
  /** Bytes of the present PDU and of its present fragment that were not read yet. */
  #pduRest = 0
  #rest = 0

  /** @param nextPdu the next PDU with data, its body still to be read; undefined when there are no more */
  constructor(input: ByteInput, nextPdu: () => Promise<{ length: number } | undefined>) {
    this.#input = input
    this.#nextPdu = nextPdu
  }

  /** Bytes of the present fragment that were not read yet. */
  get rest(): number {
    return this.#rest
  }

  /** Whether the next bytes, or the next fragment, can be had without waiting for the peer. */
  get isThere(): boolean {
    return this.#input.bytesThere >= (this.#rest > 0 ? 1 : PDU_HEADER_BYTES + FRAGMENT_HEADER_BYTES)
  }

  /** The next fragment; undefined when the peer released the association. @throws DimseError protocol */
  async next(): Promise<PdvFragment | undefined> {
    if (this.#pduRest === 0) {
      const pdu = await this.#nextPdu()
      if (!pdu) return undefined
      this.#pduRest = pdu.length
    }
    if (this.#pduRest < FRAGMENT_HEADER_BYTES) throw new DimseError('protocol', 'A PDU ends inside a fragment')
    const header = await this.#input.exactly(FRAGMENT_HEADER_BYTES)
    const length = header.readUInt32BE(0)
    if (length < 2 || length + 4 > this.#pduRest) throw new DimseError('protocol', 'A fragment overruns its PDU')
    this.#rest = length - 2
    this.#pduRest -= FRAGMENT_HEADER_BYTES
    const control = header[5] ?? 0
    return { contextId: header[4] ?? 0, isCommand: (control & 1) === 1, isLast: (control & 2) === 2 }
  }

  /** All of a fragment, which is short. */
  async readAll(): Promise<Buffer> {
    const bytes = await this.#input.exactly(this.#rest)
    this.#pduRest -= bytes.length
    this.#rest = 0
    return bytes
  }

  /** Bytes of the present fragment, as they come. */
  async readSome(): Promise<Buffer> {
    const bytes = await this.#input.some(this.#rest)
    this.#pduRest -= bytes.length
    this.#rest -= bytes.length
    return bytes
  }

  async skip(): Promise<void> {
    while (this.#rest > 0) await this.readSome()
  }
}
