import type { Outcome } from '../proof.ts'
import type { CrashReport } from './crash-run.ts'
import type { Site } from './site.ts'

/** The results page of a run of crashes. */
export function describeCrashes(word: string, site: Site, report: CrashReport): Outcome {
  const { ledger, downloads } = report
  const starts = site.startsMs.toSorted((one, other) => one - other)
  const at = (share: number) => `${((starts[Math.floor(share * (starts.length - 1))] ?? 0) / 1000).toFixed(1)} s`
  const rows: [string, number][] = [
    [word, report.crashes],
    ['of them while it purged', report.purgesCaught],
    ...Object.entries(ledger.counts).map(([way, count]): [string, number] => [`Images acknowledged to ${way}`, count]),
    ['Studies whose deletion was acknowledged', ledger.deletions],
    ['Archives downloaded whole', downloads.whole],
    ['Archives taken up again after the cut', downloads.resumed],
    ['Objects left at the end, all read', report.objects],
    ['Faults', ledger.faults.length],
  ]
  return {
    table: [['What', 'Count'], ...rows.map(([what, count]) => [what, count.toLocaleString('en')])],
    notes: [
      `From the start of the process to "ready", PostgreSQL's recovery included: median ${at(0.5)}, 95 % within ${at(0.95)}, longest ${at(1)}.`,
    ],
    faults: ledger.faults,
  }
}
