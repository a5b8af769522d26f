/** In UTC: every minute, at a minute of every hour, or at a minute of the day. */
export type Clock = { minute?: never; hour?: never } | { minute: number; hour?: number }

/** The next time of a clock after a moment. */
export function nextTime({ minute, hour }: Clock, after: Date): Date {
  const next = new Date(after)
  next.setUTCSeconds(0, 0)
  if (minute === undefined) {
    next.setUTCMinutes(next.getUTCMinutes() + 1)
    return next
  }
  next.setUTCMinutes(minute)
  if (hour !== undefined) next.setUTCHours(hour)
  if (next > after) return next
  if (hour === undefined) next.setUTCHours(next.getUTCHours() + 1)
  else next.setUTCDate(next.getUTCDate() + 1)
  return next
}
