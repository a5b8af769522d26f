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

/**
 * The numbers of "X of Y MB": whole megabytes, with decimals only where the total is so small that they would say
 * nothing; never 0 while there is anything.
 */
export function megabytesOf(doneBytes: number, totalBytes: number): { done: string; total: string } {
  const megabyte = 1024 ** 2
  const digits = totalBytes < megabyte ? 2 : totalBytes < 10 * megabyte ? 1 : 0
  const text = (bytes: number) => (bytes <= 0 ? 0 : Math.max(10 ** -digits, bytes / megabyte)).toFixed(digits)
  return { done: text(doneBytes), total: text(totalBytes) }
}

/** A count with the language's digit grouping. */
export function formatCount(count: number, language = 'en'): string {
  return new Intl.NumberFormat(language).format(count)
}
