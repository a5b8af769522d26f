import { foldId } from '@hilum/dicom/fold-id'
import type { StudyEdit } from '../altered/study-edit.ts'
import type { Demographics } from '../storage/image-facts.ts'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import type { Confirmed } from './separation.sql.ts'

/**
 * The edits that lead from what the first image says to what a person confirmed. An MRN keeps the issuer that any of the
 * images gives it; another one, which a person writes, is the account's own.
 * @param issuer of the MRNs that the account gives
 * @param moved the patient as all of the images write him
 */
export function editsOf(
  came: Demographics,
  confirmed: Confirmed,
  { issuer, moved, who }: { issuer: string; moved: readonly ArrivingIdentity[]; who: string },
): StudyEdit[] {
  const when = new Date().toISOString()
  const wanted: Partial<Demographics> = { ...confirmed }
  if (confirmed.patientid !== undefined && confirmed.patientid !== came.patientid)
    wanted.issuer =
      confirmed.patientid === ''
        ? ''
        : (moved.find((one) => foldId(one.patientid) === foldId(confirmed.patientid ?? ''))?.issuer ?? issuer)
  return (Object.entries(wanted) as [keyof Demographics, string][])
    .filter(([tag, value]) => value !== came[tag])
    .map(([tag, value]) => ({ tag, old: came[tag], new: value, who, when }))
}
