import { type ImageComparison, maxConflicts, type studyConflicts } from '@hilum/contract/calls/study-conflicts'
import { findEntry } from '@hilum/dicom/dictionary'
import { parseTag } from '@hilum/dicom/tags'
import type { Services } from '../../services.ts'
import type { Handler } from '../handler.ts'
import { compareVersions } from '../ingest/compare-version.command.ts'
import { type ConflictVersion, listConflicts } from '../ingest/conflict.sql.ts'
import { findImage, type RecordKey } from '../storage/record-images.sql.ts'

export const conflicts: Handler<typeof studyConflicts> = async ({ services, input, caller, on }) => {
  const rows = await listConflicts(services.db, on.record, input.sop_uid, maxConflicts + 1)
  const bySop = Map.groupBy(rows, (row) => row.sop_uid)
  const all = [...bySop].map(([sop_uid, versions]) => ({ sop_uid, versions: versions.map(presentVersion) }))
  const [only] = input.sop_uid ? bySop.values() : []
  return {
    conflicts: all.slice(0, maxConflicts),
    more: Number(all.length > maxConflicts),
    ...(only ? { comparisons: await compareAll(services, on.record, only, caller.userUuid) } : {}),
  }
}

function presentVersion({
  version,
  series_uid,
  is_primary,
  is_settled,
  arrived,
  source,
  source_name,
}: ConflictVersion) {
  return {
    version,
    series_uid,
    is_shown: Number(is_primary),
    is_settled: Number(is_settled),
    arrived,
    source,
    source_name,
  }
}

/** The one shown against each other one; of those that cannot be compared nothing is said. */
async function compareAll(
  services: Services,
  record: RecordKey,
  versions: readonly ConflictVersion[],
  owner: string,
): Promise<ImageComparison[]> {
  const shown = versions.find((one) => one.is_primary) ?? versions[0]
  const comparisons: ImageComparison[] = []
  for (const other of versions) {
    if (!shown || other === shown) continue
    const [first, second] = [
      await findImage(services.db, record, shown.sop_uid, shown.version),
      await findImage(services.db, record, other.sop_uid, other.version),
    ]
    const comparison = first && second && (await compareVersions(services, first, second, owner))
    if (!comparison) continue
    comparisons.push({
      first: shown.version,
      second: other.version,
      differences: comparison.differences.map((one) => ({
        path: one.path,
        keyword: findEntry(parseTag(one.path.slice(-8)) ?? 0)?.keyword ?? '',
        vr: one.vr,
        first: one.first ?? null,
        second: one.second ?? null,
      })),
      difference_count: comparison.differenceCount,
      pixels_differ: Number(!comparison.pixels.isSame),
      frames: comparison.pixels.frames,
    })
  }
  return comparisons
}
