/** Ranges of dates by name (SEARCH-16). A named one means the days that it names when it is used, not when it was chosen. */
export const datePresets = [
  'all',
  'today',
  'todayAndYesterday',
  'yesterday',
  'last3Days',
  'last3BusinessDays',
  'last7Days',
  'last31Days',
  'lastYear',
] as const
export type DatePreset = (typeof datePresets)[number]

/** A chosen range: by name, or from one day to another, `YYYY-MM-DD`, both included. */
export type DateRange = { preset: DatePreset } | { preset: 'custom'; from: string; to: string }

/** Whether something read from outside is a range. */
export function isDateRange(value: unknown): value is DateRange {
  if (typeof value !== 'object' || value === null || !('preset' in value)) return false
  if (value.preset !== 'custom') return datePresets.some((one) => one === value.preset)
  const isDay = (day: unknown) => typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day)
  return 'from' in value && 'to' in value && isDay(value.from) && isDay(value.to)
}

/** The days of a range; undefined for all of them. */
export function daysOf(range: DateRange, today: string): { from: string; to: string } | undefined {
  switch (range.preset) {
    case 'all':
      return undefined
    case 'custom':
      return { from: range.from, to: range.to }
    case 'today':
      return { from: today, to: today }
    case 'todayAndYesterday':
      return { from: addDays(today, -1), to: today }
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) }
    case 'last3Days':
      return { from: addDays(today, -2), to: today }
    case 'last3BusinessDays':
      return { from: businessDaysBack(today, 3), to: today }
    case 'last7Days':
      return { from: addDays(today, -6), to: today }
    case 'last31Days':
      return { from: addDays(today, -30), to: today }
    case 'lastYear':
      return { from: addDays(addYears(today, -1), 1), to: today }
  }
}

/** A day that many days later (earlier when negative), `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  const moment = new Date(`${day}T00:00:00Z`)
  moment.setUTCDate(moment.getUTCDate() + days)
  return moment.toISOString().slice(0, 10)
}

/** The day on which it is now in a zone, `YYYY-MM-DD`; the browser's own zone when none is given. */
export function todayIn(timeZone: string, now: Date = new Date()): string {
  const options = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  try {
    return new Intl.DateTimeFormat('en-CA', { ...options, timeZone: timeZone || undefined }).format(now)
  } catch {
    return new Intl.DateTimeFormat('en-CA', options).format(now) // a zone that this browser does not know
  }
}

/** The first of the last n days from Monday to Friday; today counts when it is one of them. */
function businessDaysBack(today: string, count: number): string {
  let day = today
  for (let left = count; ; day = addDays(day, -1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    if (weekday !== 0 && weekday !== 6) left -= 1
    if (left === 0) return day
  }
}

/** February 29 becomes February 28 where there is none. */
function addYears(day: string, years: number): string {
  const [year = '', ...rest] = day.split('-')
  const moved = `${Number(year) + years}-${rest.join('-')}`
  return rest.join('-') === '02-29' ? moved.replace(/29$/, '28') : moved
}
