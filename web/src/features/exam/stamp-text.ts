import { formatStamp } from '../../format/dates.ts'
import { usePreferences } from '../../session/preferences.ts'

/** Writes a moment, given in epoch milliseconds, in the person's format and zone. */
export function useStampText(): (epochMs: number) => string {
  const { dateFormat, timeZone } = usePreferences()
  return (epochMs) => formatStamp(new Date(epochMs).toISOString(), dateFormat, timeZone)
}
