const logged = new Set<string>()

/** Writes a warning to the browser's log, the first time only: drawing the screen again must not repeat it. */
export function logOnce(warning: string): void {
  if (logged.has(warning)) return
  logged.add(warning)
  // oxlint-disable-next-line no-console -- ERROR-15: faults that are only logged
  console.warn(warning)
}
