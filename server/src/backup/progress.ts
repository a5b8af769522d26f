const EVERY_MS = 10_000
const GB = 1024 ** 3

/** Counts objects as they are done, and says so from time to time. */
export function makeProgress(total: number, tell: (line: string) => void) {
  let count = 0
  let bytes = 0
  let lastReported = Date.now()
  const say = () => tell(`Objects: ${count} of ${total}, ${(bytes / GB).toFixed(2)} GB.`)
  return {
    add: (more: number) => {
      count += 1
      bytes += more
      if (Date.now() - lastReported < EVERY_MS) return
      lastReported = Date.now()
      say()
    },
    end: say,
    count: () => count,
    bytes: () => bytes,
  }
}
