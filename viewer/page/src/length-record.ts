import { newUid } from '@hilum/dicom/uid'
import type { MeasuredLength, ReportName } from './length-report.ts'

type LengthRecord = {
  /** Whether a length is on record as it stands now. */
  holds: (length: MeasuredLength) => boolean
  /**
   * A report that puts lengths on record. Where one of them was moved since, the report takes the place of the one
   * before, and repeats the other lengths of that one.
   */
  plan: (open: readonly MeasuredLength[]) => { lengths: MeasuredLength[]; predecessors: ReportName[] }
  note: (lengths: readonly MeasuredLength[], report: ReportName) => void
}

/** The lengths that this page has put on record, and the latest report of each. */
export function createLengthRecord(): LengthRecord {
  const stored = new Map<string, { length: MeasuredLength; report: ReportName }>()
  const tracked = new Map<string, string>()

  function track(length: MeasuredLength): MeasuredLength {
    const trackingUid = tracked.get(length.uid) ?? newUid()
    tracked.set(length.uid, trackingUid)
    return { ...length, trackingUid }
  }

  return {
    holds: (length) => {
      const known = stored.get(length.uid)
      return known !== undefined && placeOf(known.length) === placeOf(length)
    },
    plan: (open) => {
      const uids = new Set(open.map(({ uid }) => uid))
      const predecessors = new Set(open.flatMap(({ uid }) => stored.get(uid)?.report ?? []))
      const others = [...stored.values()].filter(
        ({ length, report }) => predecessors.has(report) && !uids.has(length.uid),
      )
      return { lengths: [...open, ...others.map(({ length }) => length)].map(track), predecessors: [...predecessors] }
    },
    note: (lengths, report) => {
      for (const length of lengths) stored.set(length.uid, { length, report })
    },
  }
}

/** Tells a length from the same one after it was moved. */
function placeOf({ points }: MeasuredLength): string {
  return points.flat().join(' ')
}
