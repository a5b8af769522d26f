import { sha256Of, versionOf } from './made-image.ts'
import type { Site } from './site.ts'

/** The ways in. */
export type Way = 'POST' | 'STOW' | 'C-STORE'

export interface Acknowledged {
  way: Way
  studyUid: string
  sopUid: string
  sha256: string
}

type Schema = { series: { image_count: number; images: { id: string; version: string }[] }[] }

/** Images read back at once. */
const READERS = 4

/** The server's acknowledgements, and whether each holds. */
export class Ledger {
  readonly #site: Site
  readonly faults: string[] = []
  readonly counts: Record<Way, number> = { POST: 0, STOW: 0, 'C-STORE': 0 }
  #images: Acknowledged[] = []
  /** Deletions that were acknowledged, and those whose answer the crash cut off. */
  readonly #deleted = new Set<string>()
  readonly #perhapsDeleted = new Set<string>()

  constructor(site: Site) {
    this.#site = site
  }

  get deletions(): number {
    return this.#deleted.size
  }

  addImage(image: Acknowledged): void {
    this.counts[image.way] += 1
    this.#images.push(image)
  }

  beginDeletion(studyUid: string): void {
    this.#perhapsDeleted.add(studyUid)
  }

  confirmDeletion(studyUid: string): void {
    this.#perhapsDeleted.delete(studyUid)
    this.#deleted.add(studyUid)
  }

  blame(fault: string): void {
    this.faults.push(fault)
  }

  /** Studies of which images are there for certain. */
  listStudies(): string[] {
    return [...new Set(this.#images.map((image) => image.studyUid))].filter((uid) => !this.isGone(uid))
  }

  /** Reads back what was acknowledged since `from`, and looks for studies that are listed by halves. */
  async check(from = 0): Promise<void> {
    const images = this.#images.slice(from).filter((image) => !this.isGone(image.studyUid))
    await inLanes(images, (image) => this.#checkImage(image))
    await inLanes([...new Set(this.#images.slice(from).map((image) => image.studyUid))], (uid) => this.#checkStudy(uid))
  }

  get length(): number {
    return this.#images.length
  }

  /** Whether the deletion of a study was asked for, so that nobody can count on it. */
  isGone(studyUid: string): boolean {
    return this.#deleted.has(studyUid) || this.#perhapsDeleted.has(studyUid)
  }

  async #checkImage({ way, studyUid, sopUid, sha256 }: Acknowledged): Promise<void> {
    const found = await this.#readHash(studyUid, sopUid, versionOf(sha256))
    if (found !== sha256) this.blame(`${sopUid} was acknowledged to ${way}, and is ${found} instead of ${sha256}`)
  }

  async #readHash(studyUid: string, sopUid: string, version: string): Promise<string> {
    const { namespace } = this.#site
    const path = `study/${namespace}/${studyUid}/image/${sopUid}/version/${version}`
    const reply = await fetch(this.#site.storage(path))
    const bytes = new Uint8Array(await reply.arrayBuffer())
    return reply.status === 200 ? sha256Of(bytes) : `HTTP ${reply.status}`
  }

  /** Every image that a study lists is there whole, and its counts are those of the list; or it is gone as a whole. */
  async #checkStudy(studyUid: string): Promise<void> {
    const { sid, namespace } = this.#site
    const reply = await fetch(this.#site.storage(`study/${namespace}/${studyUid}/schema`))
    const schema = (await reply.json()) as Schema
    if (this.#deleted.has(studyUid)) {
      if (reply.status === 200) this.blame(`${studyUid} was deleted and is listed`)
      return
    }
    if (reply.status !== 200) {
      if (!this.#perhapsDeleted.has(studyUid)) this.blame(`${studyUid} is not listed: HTTP ${reply.status}`)
      return
    }
    let listed = 0
    for (const series of schema.series) {
      listed += series.images.length
      if (series.image_count !== series.images.length)
        this.blame(`${studyUid} counts ${series.image_count} and lists ${series.images.length}`)
      for (const { id, version } of series.images) {
        const sha256 = await this.#readHash(studyUid, id, version)
        if (versionOf(sha256) !== version) this.blame(`${id} is listed and not whole: ${sha256}`)
      }
    }
    const study = await this.#site.call<{ image_count: number }>('study/get', {
      sid,
      study_uid: studyUid,
      storage_namespace: namespace,
      phi_namespace: namespace,
    })
    if (study.image_count !== listed) this.blame(`${studyUid} says ${study.image_count} images and lists ${listed}`)
  }
}

async function inLanes<Thing>(things: readonly Thing[], work: (thing: Thing) => Promise<void>): Promise<void> {
  const left = things.values()
  const lane = async () => {
    for (const thing of left) await work(thing)
  }
  await Promise.all(Array.from({ length: READERS }, lane))
}
