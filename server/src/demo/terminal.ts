import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export interface Terminal {
  say: (line: string) => void
  ask: (question: string) => Promise<string>
  /** The typed answer does not show. */
  askHidden: (question: string) => Promise<string>
  close: () => void
}

/** The terminal that the process was started in. */
export function openTerminal(): Terminal {
  let isHidden = false
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      if (!isHidden) process.stdout.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const interrupted = new AbortController()
  // the interface takes Ctrl-C for itself while it asks
  lines.on('SIGINT', () => interrupted.abort())
  const question = async (words: string) => {
    try {
      return await lines.question(words, { signal: interrupted.signal })
    } catch (cause) {
      throw interrupted.signal.aborted ? new Error('it was interrupted.', { cause }) : cause
    }
  }
  return {
    say: (line) => void process.stdout.write(`${line}\n`),
    ask: question,
    askHidden: async (words) => {
      process.stdout.write(words)
      isHidden = true
      try {
        return await question('')
      } finally {
        isHidden = false
        process.stdout.write('\n')
      }
    },
    close: () => lines.close(),
  }
}
