/** Nobody looks at a picture that is not there for longer without a reason. */
export const PATIENCE_MS = 9000

/** Something has not come in the time that people wait for it. */
export class SlowError extends Error {}

/** @throws SlowError after so long; what the signal gives when it aborts first */
export async function withinTime<Value>(work: Promise<Value>, limitMs: number, signal: AbortSignal): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop: (() => void) | undefined
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new SlowError()), limitMs)
        stop = () => reject(signal.reason as Error)
        if (signal.aborted) stop()
        signal.addEventListener('abort', stop, { once: true })
      }),
    ])
  } finally {
    clearTimeout(timer)
    if (stop) signal.removeEventListener('abort', stop)
  }
}
