/** A break that changes nothing a caller could see. */
export interface AcceptedSurvivor {
  file: string
  /** `code → replacement`, as the results page writes the break. */
  change: string
  /** A part of the line that the break begins in, where other lines of the file have code like it. */
  on?: string
  reason: string
}

/** The commonest break. */
export const toText = `'' → "Stryker was here!"`

/** Several breaks of a file that have one reason. */
export function named(file: string, reason: string, changes: readonly string[]): AcceptedSurvivor[] {
  return changes.map((change) => ({ file, change, reason }))
}
