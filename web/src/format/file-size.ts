const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Bytes in words, e.g. "212 MB": steps of 1024 (CONST-04), one decimal below ten. */
export function formatSize(bytes: number, language = 'en'): string {
  if (!Number.isFinite(bytes) || bytes < 0) return ''
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const value = bytes / 1024 ** power
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  }).format(value)
}

/** Whole megabytes for "X of Y MB"; never 0 while there is anything. */
export function toMegabytes(bytes: number): number {
  return bytes <= 0 ? 0 : Math.max(1, Math.round(bytes / 1024 ** 2))
}

/** A count with the language's digit grouping. */
export function formatCount(count: number, language = 'en'): string {
  return new Intl.NumberFormat(language).format(count)
}
