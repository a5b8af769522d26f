/** An export or import that cannot be done or go on, in words for the person who runs it. */
export class BackupError extends Error {}

/** A full disk in words; anything else stays what it is. */
export function explainFullDisk(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') return error
  return new BackupError(
    `The disk of ${folder} is full. Make room and run the same command again: it goes on where it was.`,
    { cause: error },
  )
}
