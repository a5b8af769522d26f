/** An age by its largest fitting unit, as DICOM counts them (PS3.5 §6.2, VR AS). */
interface Age {
  count: number
  unit: 'years' | 'months' | 'weeks' | 'days'
}

const units = { Y: 'years', M: 'months', W: 'weeks', D: 'days' } as const

/**
 * The age at a day: from the birth date when both are known, else as the images say it.
 * @param birthDate YYYYMMDD
 * @param day YYYYMMDD, the study date
 * @param ageString e.g. "034Y"
 */
export function ageAt(birthDate?: string | null, day?: string | null, ageString?: string | null): Age | undefined {
  const born = readDay(birthDate)
  const then = readDay(day)
  if (born && then && then >= born) return between(born, then)
  const said = /^(\d{3})([YMWD])$/.exec(ageString?.trim() ?? '')
  return said ? { count: Number(said[1]), unit: units[said[2] as keyof typeof units] } : undefined
}

function between(born: Date, then: Date): Age {
  const beforeDay = then.getUTCDate() < born.getUTCDate() ? 1 : 0
  const months =
    (then.getUTCFullYear() - born.getUTCFullYear()) * 12 + then.getUTCMonth() - born.getUTCMonth() - beforeDay
  if (months >= 24) return { count: Math.floor(months / 12), unit: 'years' }
  if (months >= 2) return { count: months, unit: 'months' }
  const days = Math.round((then.getTime() - born.getTime()) / 86_400_000)
  return days >= 14 ? { count: Math.floor(days / 7), unit: 'weeks' } : { count: days, unit: 'days' }
}

function readDay(text: string | null | undefined): Date | undefined {
  const parts = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text?.trim() ?? '')
  if (!parts) return undefined
  const day = new Date(Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])))
  return Number.isNaN(day.getTime()) ? undefined : day
}
