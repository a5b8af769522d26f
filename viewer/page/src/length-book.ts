import type { MeasuredLength } from './length-report.ts'

/** A line of the library. `invalidated` until its length was reckoned from where its points are now. */
type DrawnLine = { annotationUID?: string; invalidated?: boolean }

/**
 * The lengths that somebody has finished drawing. The library reckons a length again at most every 100 ms, so that
 * its value belongs to its points only once it says so.
 * @param read undefined where a line is no length that can be kept, `elsewhere` while another image is shown than its own
 */
export function createLengthBook<Line extends DrawnLine>(
  read: (line: Line) => MeasuredLength | 'elsewhere' | undefined,
  handle: (lengths: MeasuredLength[], last: string | undefined) => void,
) {
  /** By when somebody touched them. */
  const finished = new Set<string>()
  const lengths = new Map<string, MeasuredLength>()

  function tell(): void {
    handle([...lengths.values()], [...finished].at(-1))
  }

  function take(uid: string, line: Line): void {
    finished.delete(uid)
    finished.add(uid)
    const length = line.invalidated ? undefined : read(line)
    // the library says of such a line that it was reckoned, which it was not: it is once its image is shown again
    if (length === 'elsewhere') line.invalidated = true
    if (length && length !== 'elsewhere') lengths.set(uid, length)
    else lengths.delete(uid)
    tell()
  }

  return {
    /** The last point of a line was set. */
    finish: (line: Line): void => {
      if (line.annotationUID) take(line.annotationUID, line)
    },
    /** The length of a line was reckoned. */
    reckon: (line: Line): void => {
      if (line.annotationUID && finished.has(line.annotationUID)) take(line.annotationUID, line)
    },
    remove: ({ annotationUID: uid = '' }: Line): void => {
      lengths.delete(uid)
      if (finished.delete(uid)) tell()
    },
  }
}
