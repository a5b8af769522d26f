import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { randomFrom } from '@hilum/dicom/synthetic/random'
import { Coverage } from './coverage.ts'
import { mutate, pick } from './mutate.ts'
import { seedsOf } from './seeds.ts'
import { type Target, targets } from './targets.ts'

export interface FuzzTask {
  lastingFolder: string
  seed: string
  minutes: number
  /** Counts the inputs, so that one that never ends is noticed. */
  beat: Int32Array
  /** Length and bytes of the input that is being read. */
  present: { length: Int32Array; bytes: Uint8Array; target: Int32Array }
}

export interface TargetCounts {
  target: string
  inputs: number
  refused: number
  corpus: number
  blocks: number
  longestMs: number
}

export type FuzzMessage =
  | { kind: 'counts'; counts: TargetCounts[] }
  | { kind: 'finding'; target: string; reason: string; file: string }

/** More time of the processor than this for 64 KB is a hang. */
const SLOW_MS = 1000
const SLICE_MS = 10_000
/** Asking V8 costs as much as twenty inputs: most are run in batches, and asked about one by one where one was new. */
const BATCH = 24
const ALONE = 0.2

const task = workerData as FuzzTask
const random = randomFrom(task.seed)
const known = new Set<string>()

class Lane {
  readonly target: Target
  readonly #folder: string
  readonly #coverage: Coverage
  readonly #index: number
  #corpus: Uint8Array[] = []
  #counts = { inputs: 0, refused: 0, longestMs: 0 }

  constructor(target: Target, index: number, coverage: Coverage) {
    this.target = target
    this.#index = index
    this.#coverage = coverage
    this.#folder = join(task.lastingFolder, 'corpus', target.name)
    mkdirSync(this.#folder, { recursive: true })
  }

  /** The seeds and what earlier runs kept, each as far as it adds something. */
  async begin(): Promise<void> {
    const kept = readdirSync(this.#folder).map((name) => new Uint8Array(readFileSync(join(this.#folder, name))))
    for (const bytes of [...seedsOf(this.target.name), ...kept]) await this.#try(bytes)
    if (this.#corpus.length === 0) throw new Error(`No seed of ${this.target.name} ran`)
  }

  async run(untilMs: number): Promise<void> {
    while (performance.now() < untilMs) {
      const inputs = Array.from({ length: BATCH }, () => this.#next())
      if (random() >= ALONE) {
        for (const input of inputs) await this.#run(input)
        if (!this.#coverage.reachedNewBlock()) continue
      }
      for (const input of inputs) await this.#try(input)
    }
  }

  #next(): Uint8Array {
    // the inputs found last are least explored
    const input = pick(random() < 0.4 ? this.#corpus.slice(-20) : this.#corpus, random)
    return mutate(input, pick(this.#corpus, random), random)
  }

  describe(): TargetCounts {
    return { target: this.target.name, ...this.#counts, corpus: this.#corpus.length, blocks: this.#coverage.blocks }
  }

  async #try(bytes: Uint8Array): Promise<void> {
    await this.#run(bytes)
    if (this.#coverage.tookNewWay()) this.#keep(bytes)
  }

  async #run(bytes: Uint8Array): Promise<void> {
    const { present, beat } = task
    present.bytes.set(bytes.subarray(0, present.bytes.length))
    present.target[0] = this.#index
    Atomics.store(present.length, 0, bytes.length)
    const before = process.threadCpuUsage()
    await this.#read(bytes)
    const { user, system } = process.threadCpuUsage(before)
    const tookMs = (user + system) / 1000
    this.#counts.inputs += 1
    this.#counts.longestMs = Math.max(this.#counts.longestMs, tookMs)
    Atomics.add(beat, 0, 1)
    if (tookMs > SLOW_MS) report(this.target.name, `took ${Math.round(tookMs)} ms`, 'slow', bytes)
  }

  async #read(bytes: Uint8Array): Promise<void> {
    try {
      await this.target.read(bytes)
    } catch (error) {
      if (this.target.refusals.some((Refusal) => error instanceof Refusal)) {
        this.#counts.refused += 1
        return
      }
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
      report(this.target.name, words.split('\n').slice(0, 6).join(' '), placeOf(words), bytes)
    }
  }

  #keep(bytes: Uint8Array): void {
    this.#corpus.push(bytes)
    writeFileSync(join(this.#folder, digestOf(bytes)), bytes)
  }
}

/** Each fault is told once, by the place where it was thrown. */
function report(target: string, reason: string, place: string, bytes: Uint8Array): void {
  const key = `${target} ${place}`
  if (known.has(key)) return
  known.add(key)
  const folder = join(task.lastingFolder, 'findings')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${target}-${digestOf(bytes)}`)
  writeFileSync(file, bytes)
  parentPort?.postMessage({ kind: 'finding', target, reason, file } satisfies FuzzMessage)
}

function placeOf(stack: string): string {
  const [message = '', ...lines] = stack.split('\n')
  return lines.find((line) => line.includes('/src/')) ?? message
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 20)
}

const coverage = new Coverage((url) => /\/(dicom|server)\/src\//.test(url))
const lanes = targets.map((target, index) => new Lane(target, index, coverage))
for (const lane of lanes) await lane.begin()
const end = performance.now() + task.minutes * 60_000
while (performance.now() < end) {
  for (const lane of lanes) await lane.run(Math.min(end, performance.now() + SLICE_MS * lane.target.share))
  parentPort?.postMessage({ kind: 'counts', counts: lanes.map((lane) => lane.describe()) } satisfies FuzzMessage)
}
