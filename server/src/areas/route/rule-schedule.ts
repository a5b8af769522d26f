import { type RouteSchedule, weekdays } from '@hilum/contract/routing-rule'

/** Whether a moment lies within the days and hours of a schedule. A time past midnight belongs to the day it began on. */
export function isWithinSchedule(schedule: RouteSchedule, at: Date): boolean {
  const { day, minute } = localTime(at, schedule.tz)
  const [start, stop] = [minuteOf(schedule.start), minuteOf(schedule.stop)]
  const isOn = (shift: number) => schedule[weekdays[(day + shift + 7) % 7] ?? 'mon'] === 1
  const isInside =
    start < stop
      ? isOn(0) && minute >= start && minute < stop
      : (isOn(0) && minute >= start) || (isOn(-1) && minute < stop)
  return isInside !== (schedule.invert === 1)
}

const mostMinutes = 8 * 24 * 60

/** The next moment within the schedule, to the minute; undefined where there is none. */
export function nextWithin(schedule: RouteSchedule, from: Date): Date | undefined {
  if (isWithinSchedule(schedule, from)) return from
  const begin = Math.ceil(from.getTime() / 60_000)
  for (let minute = 0; minute <= mostMinutes; minute++) {
    const at = new Date((begin + minute) * 60_000)
    if (isWithinSchedule(schedule, at)) return at
  }
  return undefined
}

function minuteOf(text: string): number {
  const [hours, minutes] = text.split(':').map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Day of the week from Monday as 0, and the minute of the day. */
function localTime(at: Date, tz: string): { day: number; minute: number } {
  const options = { timeZone: tz, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const format = formats.get(tz) ?? new Intl.DateTimeFormat('en-GB', options)
  formats.set(tz, format)
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const day = weekdays.findIndex((one) => one === parts.get('weekday')?.toLowerCase())
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) }
}
