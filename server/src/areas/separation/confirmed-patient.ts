import type { StudyEdit } from '../altered/study-edit.ts'
import type { Demographics } from '../storage/image-facts.ts'
import type { Confirmed } from './separation.sql.ts'

/**
 * The edits that lead from what the images say to what a person confirmed. An MRN that a person writes is the account's
 * own.
 * @param issuer of the MRNs that the account gives
 */
export function editsOf(
  came: Demographics,
  confirmed: Confirmed,
  { issuer, who }: { issuer: string; who: string },
): StudyEdit[] {
  const when = new Date().toISOString()
  const wanted: Partial<Demographics> = { ...confirmed }
  if (confirmed.patientid !== undefined && confirmed.patientid !== came.patientid)
    wanted.issuer = confirmed.patientid === '' ? '' : issuer
  return (Object.entries(wanted) as [keyof Demographics, string][])
    .filter(([tag, value]) => value !== came[tag])
    .map(([tag, value]) => ({ tag, old: came[tag], new: value, who, when }))
}
