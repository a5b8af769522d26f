/** Names kept for old programs only, e.g. `US/Eastern`, `EST5EDT`: in a filter they count as UTC (`api-facts` §1.1). */
const deprecatedName = /^(US|Canada|Brazil|Chile|Mexico|SystemV)\/|^(?!UTC$|GMT$)[^/]+$/
const numericOffset = /^([+-])(\d{1,2})(?::?(\d{2}))?$/

/**
 * The zone in which a filter's dates are meant: the user's own wins, then `filter.tz`, then UTC. A numeric
 * `filter.tz` has the POSIX sign: `+03:00` means that UTC is three hours later than the value.
 */
export function filterZone(userZone: string, sentZone: string | undefined): string {
  if (userZone && isKnownZone(userZone)) return userZone
  const sent = sentZone?.trim() ?? ''
  const offset = numericOffset.exec(sent)
  if (offset) return invertedOffset(offset)
  return sent && !deprecatedName.test(sent) && isKnownZone(sent) ? sent : 'UTC'
}

/** True for every zone name of the IANA data, renamed ones included; offsets are no names. */
export function isKnownZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function invertedOffset([, sign, hours = '0', minutes = '00']: RegExpExecArray): string {
  if (Number(hours) > 23 || Number(minutes) > 59) return 'UTC'
  return `${sign === '+' ? '-' : '+'}${hours.padStart(2, '0')}:${minutes}`
}
