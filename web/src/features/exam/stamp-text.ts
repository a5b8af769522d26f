import { formatStamp } from '../../format/dates.ts'
import { useShownDates } from '../../session/preferences.ts'

/** Writes a moment, given in epoch milliseconds, in the reader's format and zone. */
export function useStampText(): (epochMs: number) => string {
  const { dateFormat, timeZone } = useShownDates()
  return (epochMs) => formatStamp(new Date(epochMs).toISOString(), dateFormat, timeZone)
}
