import { readHeads } from './read-heads.ts'
import { type ReadOutcome, readInstance } from './read-instance.ts'

/** Files whose heads are read in one go; those of the next are on their way while these are parsed. */
const FILES_A_READ = 16

self.addEventListener('message', (event: MessageEvent<File[]>) => void answer(event.data))

async function answer(files: File[]) {
  const outcomes: ReadOutcome[] = []
  async function read(from: number) {
    const some = files.slice(from, from + FILES_A_READ)
    const heads = await readHeads(some)
    await Promise.all(some.map(async (file, k) => (outcomes[from + k] = await readInstance(file, heads[k]))))
  }
  const starts = Array.from({ length: Math.ceil(files.length / FILES_A_READ) }, (_, k) => k * FILES_A_READ)
  await Promise.all(starts.map(read))
  self.postMessage(outcomes)
}
