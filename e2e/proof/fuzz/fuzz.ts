import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Outcome, ProofPart, Stage } from '../proof.ts'
import { MAX_INPUT_BYTES } from './mutate.ts'
import { targets } from './targets.ts'
import type { FuzzMessage, FuzzTask, TargetCounts } from './worker.ts'

/** Without one input done in this time the reader hangs, however busy the machine is. */
const HANG_MS = 120_000
const LOOK_MS = 5_000
const SAY_MS = 60_000
const MEMORY_MB = 768

/** Feeds changed files to everything that reads bytes of strangers, and keeps those that reach new code. */
export const fuzz: ProofPart = {
  name: 'fuzz',
  title: 'Bytes of strangers',
  method: `Readers are fed with changed files, led by which blocks of code each of them reaches (V8's own counts):
whatever comes must be read or refused with a reason, within a second of the processor and bounded memory. Files are read
whole and by their beginning, which must agree; a correction must be there when its file is read again, and
what was left out of an anonymized copy must be nowhere in it.`,
  run: runFuzz,
}

async function runFuzz(stage: Stage): Promise<Outcome> {
  const minutes = stage.numberOf('HILUM_PROOF_MINUTES', 60)
  const end = performance.now() + minutes * 60_000
  const faults: string[] = []
  let sum: TargetCounts[] = []
  for (let run = 1; performance.now() < end - SAY_MS / 6 || run === 1; run += 1) {
    const left = (end - performance.now()) / 60_000
    const { counts, fault } = await runWorker(stage, `${stage.seed}-${run}`, left, (reason) => faults.push(reason))
    sum = addUp(sum, counts)
    if (fault) faults.push(fault)
  }
  const inputs = sum.reduce((total, one) => total + one.inputs, 0)
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
  return {
    table: [
      ['Reader', 'Inputs', 'Refused', 'Kept for new code', 'Longest (processor)'],
      ...sum.map((one) => [
        one.target,
        one.inputs.toLocaleString('en'),
        one.refused.toLocaleString('en'),
        String(one.corpus),
        `${Math.round(one.longestMs)} ms`,
      ]),
    ],
    notes: [
      `${inputs.toLocaleString('en')} inputs of at most ${MAX_INPUT_BYTES / 1024} KB in ${Math.round(minutes)} minutes; ${Math.max(...sum.map((one) => one.blocks))} blocks of code reached.`,
      `The whole process took ${Math.round(process.cpuUsage().user / 60e6)} minutes of a processor and ${peakMb} MB of memory at most.`,
    ],
    faults,
  }
}

type WorkerEnd = { counts: TargetCounts[]; fault: string | undefined }

/** One thread until its time is over, it dies or it hangs; then the input that it was reading is kept. */
function runWorker(stage: Stage, seed: string, minutes: number, tell: (fault: string) => void): Promise<WorkerEnd> {
  const shared = (bytes: number) => new SharedArrayBuffer(bytes)
  const task: FuzzTask = {
    lastingFolder: stage.lastingFolder,
    seed,
    minutes,
    beat: new Int32Array(shared(4)),
    present: {
      length: new Int32Array(shared(4)),
      bytes: new Uint8Array(shared(MAX_INPUT_BYTES)),
      target: new Int32Array(shared(4)),
    },
  }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  let counts: TargetCounts[] = []
  let lastBeat = -1
  let beatAt = performance.now()
  let saidAt = performance.now()
  return new Promise((resolve) => {
    const finish = (fault?: string) => {
      clearInterval(looking)
      void worker.terminate().then(() => resolve({ counts, fault }))
    }
    const giveUp = async (words: string) => finish(`${words}: ${await storePresent(stage, task)}`)
    const looking = setInterval(() => {
      const beat = Atomics.load(task.beat, 0)
      if (beat !== lastBeat) beatAt = performance.now()
      lastBeat = beat
      if (performance.now() - beatAt > HANG_MS) void giveUp('hangs')
    }, LOOK_MS)
    worker.on('message', (message: FuzzMessage) => {
      if (message.kind === 'finding') return tell(`${message.target}: ${message.reason} (${message.file})`)
      counts = message.counts
      if (performance.now() - saidAt < SAY_MS) return
      saidAt = performance.now()
      stage.say(counts.map((one) => `${one.target} ${one.inputs}/${one.corpus}`).join(', '))
    })
    worker.once('error', (error) => void giveUp(String(error)))
    worker.once('exit', (code) => (code === 0 ? finish() : undefined))
  })
}

async function storePresent({ lastingFolder }: Stage, { present }: FuzzTask): Promise<string> {
  const folder = join(lastingFolder, 'findings')
  await mkdir(folder, { recursive: true })
  const target = targets[present.target[0] ?? 0]?.name ?? 'unknown'
  const file = join(folder, `${target}-ended-${Date.now()}`)
  await writeFile(file, Buffer.from(present.bytes.slice(0, Atomics.load(present.length, 0))))
  return file
}

function addUp(sum: readonly TargetCounts[], counts: readonly TargetCounts[]): TargetCounts[] {
  return counts.map((one) => {
    const before = sum.find((other) => other.target === one.target)
    if (!before) return one
    return {
      ...one,
      inputs: before.inputs + one.inputs,
      refused: before.refused + one.refused,
      blocks: Math.max(before.blocks, one.blocks),
      longestMs: Math.max(before.longestMs, one.longestMs),
    }
  })
}
