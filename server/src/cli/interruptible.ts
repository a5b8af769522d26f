/** A signal that the first Ctrl-C or TERM gives, so that what runs can stop in order; a second one ends at once. */
export function interruptible(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => controller.abort(new Error('Interrupted. Run the same command again to go on.')))
  }
  return controller.signal
}
