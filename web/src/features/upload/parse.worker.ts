import { type ReadOutcome, readInstance } from './read-instance.ts'

/** Files whose head is read at the same time: disc and network folders answer slowly, the parser does not. */
const READS_AT_ONCE = 8

self.addEventListener('message', (event: MessageEvent<File[]>) => void answer(event.data))

async function answer(files: File[]) {
  const outcomes: ReadOutcome[] = []
  let next = 0
  async function read() {
    while (next < files.length) {
      const at = next++
      const file = files[at]
      if (file) outcomes[at] = await readInstance(file)
    }
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, read))
  self.postMessage(outcomes)
}
