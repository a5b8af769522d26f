import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { newUid } from '@hilum/dicom/uid'
import { pick, type Random } from '../fuzz/mutate.ts'
import type { Ledger, Way } from './ledger.ts'
import { type MadeImage, makeImage, sha256Of } from './made-image.ts'
import { fetchAlone, type Answer, Senders } from './senders.ts'
import type { Site } from './site.ts'

const IMAGES_PER_STUDY = 40
const DELETE_CHANCE = 0.3

/** A download that the crash cut off. */
type Cut = { path: string; etag: string; begun: Uint8Array[] }

/** Everybody who works with a server at once, until it is gone. */
export class Traffic {
  readonly #site: Site
  readonly #ledger: Ledger
  readonly #random: Random
  readonly #senders: Senders
  #isOver = false
  #cuts: Cut[] = []
  /** Downloads that ended whole, and those that were taken up again after a crash. */
  readonly downloads = { whole: 0, resumed: 0 }

  constructor(site: Site, ledger: Ledger, random: Random) {
    this.#site = site
    this.#ledger = ledger
    this.#random = random
    this.#senders = new Senders(site)
  }

  /** Call when the crash begins: refusals from now on are no faults. Also ends the work with a server that stays up. */
  end(): void {
    this.#isOver = true
  }

  /** Resolves when everybody has seen that the server is gone, or has ended the work. */
  async run(): Promise<void> {
    this.#isOver = false
    const earlier = this.#ledger.listStudies()
    const lanes = [
      ...this.#lanes('POST', 3, (image) => this.#senders.post(image)),
      ...this.#lanes('STOW', 2, (image, more) => this.#senders.stow([image, ...Array.from({ length: 3 }, more)])),
      this.#associate(),
      this.#associate(),
      this.#download(earlier),
      this.#delete(earlier),
    ]
    await Promise.all(lanes.map((lane) => this.#untilGone(lane)))
  }

  /** After the server is up again: every download that was cut off goes on where it ended, with the same bytes. */
  async resume(): Promise<void> {
    const cuts = this.#cuts.splice(0)
    for (const { path, etag, begun } of cuts) {
      const start = Buffer.concat(begun)
      const headers = { range: `bytes=${start.length}-`, 'if-range': etag }
      const whole = await fetch(this.#site.storage(path))
      const all = new Uint8Array(await whole.arrayBuffer())
      if (whole.status !== 200 || whole.headers.get('etag') !== etag || start.length >= all.length) continue
      const rest = await fetch(this.#site.storage(path), { headers })
      const bytes = Buffer.concat([start, new Uint8Array(await rest.arrayBuffer())])
      if (rest.status !== 206 || sha256Of(bytes) !== sha256Of(all))
        this.#ledger.blame(`a resumed download of ${path} has other bytes (HTTP ${rest.status})`)
      this.downloads.resumed += 1
    }
  }

  async #untilGone(lane: Promise<void>): Promise<void> {
    try {
      await lane
    } catch (error) {
      // a connection that ended with the server
      if (!(error instanceof TypeError || error instanceof DimseError)) throw error
      if (!this.#isOver)
        this.#ledger.blame(`a connection ended without a crash: ${error.message} ${String(error.cause ?? '')}`)
    }
  }

  /** Lanes that send to one study. */
  #lanes(way: Way, lanes: number, send: (image: MadeImage, more: () => MadeImage) => Promise<Answer>): Promise<void>[] {
    const next = this.#imagesOfStudy()
    const lane = async () => {
      for (let sent = 0; !this.#isOver && sent * lanes < IMAGES_PER_STUDY; sent += 1)
        this.#note(way, await send(next(), next))
    }
    return Array.from({ length: lanes }, lane)
  }

  #imagesOfStudy(): () => MadeImage {
    const [studyUid, seriesUid] = [newUid(), newUid()]
    let number = 0
    return () => makeImage(studyUid, seriesUid, ++number, this.#random)
  }

  #note(way: Way, { taken, refusal }: Answer): void {
    for (const { studyUid, sopUid, sha256 } of taken) this.#ledger.addImage({ way, studyUid, sopUid, sha256 })
    if (refusal && !this.#isOver) this.#ledger.blame(`${way} was refused: ${refusal}`)
  }

  async #associate(): Promise<void> {
    const next = this.#imagesOfStudy()
    const sender = await this.#senders.associate()
    for (let sent = 0; !this.#isOver && sent < IMAGES_PER_STUDY; sent += 1)
      this.#note('C-STORE', await this.#senders.store(sender, next()))
    if (!this.#isOver) await sender.association.release()
  }

  async #download(studies: readonly string[]): Promise<void> {
    if (studies.length === 0) return
    for (let count = 0; !this.#isOver && count < IMAGES_PER_STUDY; count += 1) {
      const studyUid = pick(studies, this.#random)
      const path = `study/${this.#site.namespace}/${studyUid}/download?bundle=dicom`
      const reply = await fetchAlone(this.#site.storage(path))
      const chunks = []
      // a deletion may have come first
      if (reply.status !== 200) continue
      try {
        for await (const chunk of reply.body ?? []) chunks.push(chunk)
      } catch (error) {
        // a deletion cuts what is still being sent
        if (!this.#isOver && this.#ledger.isGone(studyUid)) continue
        this.#cuts.push({ path, etag: reply.headers.get('etag') ?? '', begun: chunks })
        throw error
      }
      const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
      if (bytes !== Number(reply.headers.get('content-length')))
        this.#ledger.blame(`a download of ${path} ended as if whole with ${bytes} bytes`)
      this.downloads.whole += 1
    }
  }

  async #delete(studies: readonly string[]): Promise<void> {
    if (studies.length < 4 || this.#random() > DELETE_CHANCE) return
    const studyUid = pick(studies, this.#random)
    if (this.#ledger.isGone(studyUid)) return // by people at the other process
    this.#ledger.beginDeletion(studyUid)
    const reply = await fetchAlone(this.#site.storage(`study/${this.#site.namespace}/${studyUid}`), {
      method: 'DELETE',
    })
    const words = await reply.text()
    if (reply.status === 202) this.#ledger.confirmDeletion(studyUid)
    else if (!this.#isOver) this.#ledger.blame(`a deletion was refused: HTTP ${reply.status} ${words}`)
  }
}
