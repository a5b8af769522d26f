import { CONFLICT_COMMENT } from '@hilum/contract/arrival-texts'

/** The instance is kept, and something is to be known of it (PS3.7 Annex C, PS3.18 Table I.2-1). */
export const STORED_WITH_WARNING = 0xb000

/** Text for the sender of a kept image, in an Error Comment's 64 characters: without patient data. */
export function arrivalWarning({
  isConflict,
  isElsewhere,
}: {
  isConflict: boolean
  /** Another study of the namespace has an image of the same SOP UID. */
  isElsewhere: boolean
}): string | undefined {
  if (isConflict) return CONFLICT_COMMENT
  return isElsewhere ? 'Another study here has an instance of the same name' : undefined
}
