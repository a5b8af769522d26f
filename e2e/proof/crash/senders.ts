import type { Association, Context } from '@hilum/dicom/dimse/association'
import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { store } from '@hilum/dicom/dimse/services'
import { kindOfStatus } from '@hilum/dicom/dimse/status'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import type { Way } from './ledger.ts'
import { type MadeImage, SOP_CLASS } from './made-image.ts'
import { AE_TITLE, type Site } from './site.ts'

/** The server's answer to images that it was sent. */
export interface Answer {
  taken: readonly MadeImage[]
  /** In its own words, when not all were taken. */
  refusal?: string
}

export interface Sender {
  association: Association
  context: Context
}

/**
 * Asks on a connection of its own. A connection left from the round before would be closed by the server, which waits
 * some seconds for another request, in the moment of the next one.
 */
export function fetchAlone(address: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  return fetch(address, { ...init, headers: { ...headers, connection: 'close' } })
}

/** The three ways in, as plain clients. Failures on the way are thrown: TypeError by HTTP, DimseError by C-STORE. */
export class Senders {
  readonly #site: Site

  constructor(site: Site) {
    this.#site = site
  }

  /** A connection of its own for every sending by C-STORE. */
  async send(way: Way, images: readonly MadeImage[]): Promise<Answer> {
    if (way === 'STOW') return this.stow(images)
    if (way === 'POST') return gather(images, (image) => this.post(image))
    const sender = await this.associate()
    const answer = await gather(images, (image) => this.store(sender, image))
    await sender.association.release()
    return answer
  }

  async post(image: MadeImage): Promise<Answer> {
    const reply = await fetchAlone(this.#site.storage(`namespace/${this.#site.namespace}/image`), {
      method: 'POST',
      body: new Uint8Array(image.bytes),
    })
    const words = await reply.text()
    return reply.status === 202 ? { taken: [image] } : { taken: [], refusal: `HTTP ${reply.status} ${words}` }
  }

  async stow(images: readonly MadeImage[]): Promise<Answer> {
    const head = Buffer.from('--x\r\nContent-Type: application/dicom\r\n\r\n')
    const parts = images.flatMap(({ bytes }) => [head, bytes, Buffer.from('\r\n')])
    const { server, namespace, sid } = this.#site
    const reply = await fetchAlone(`${server.address}/dicomweb/${namespace}/studies`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sid}`,
        'content-type': 'multipart/related; type="application/dicom"; boundary=x',
      },
      body: Buffer.concat([...parts, Buffer.from('--x--')]),
    })
    const answer = (await reply.json()) as Record<string, { Value?: Record<string, { Value?: string[] }>[] }>
    const named = (answer['00081199']?.Value ?? []).map((item) => item['00081155']?.Value?.[0])
    const taken = images.filter(({ sopUid }) => named.includes(sopUid))
    const isWhole = taken.length === images.length
    return isWhole ? { taken } : { taken, refusal: `HTTP ${reply.status} ${JSON.stringify(answer)}` }
  }

  async associate(): Promise<Sender> {
    const peer = { host: '127.0.0.1', port: this.#site.server.dicomPort, calledTitle: AE_TITLE, callingTitle: 'PROOF' }
    const syntaxes = [ExplicitLittleEndian]
    const association = await requestAssociation(peer, [{ abstractSyntax: SOP_CLASS, transferSyntaxes: syntaxes }])
    const [context] = association.contexts.values()
    if (!context) throw new Error('The context was not taken')
    return { association, context }
  }

  async store({ association, context }: Sender, image: MadeImage): Promise<Answer> {
    const data = (async function* () {
      yield image.dataSet
    })()
    const object = { sopClass: SOP_CLASS, sopInstance: image.sopUid, data }
    const { status, comment } = await store(association, context, object)
    return kindOfStatus(status) !== 'failure'
      ? { taken: [image] }
      : { taken: [], refusal: `${status.toString(16)} ${comment}` }
  }
}

async function gather(images: readonly MadeImage[], send: (image: MadeImage) => Promise<Answer>): Promise<Answer> {
  const taken: MadeImage[] = []
  let refusal: string | undefined
  for (const image of images) {
    const answer = await send(image)
    taken.push(...answer.taken)
    refusal ??= answer.refusal
  }
  return refusal ? { taken, refusal } : { taken }
}
