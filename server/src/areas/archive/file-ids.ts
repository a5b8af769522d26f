import type { StoredInstance } from '../storage/instance.sql.ts'

/**
 * Where each file of a download lies: `SER0001/IMG0001` and on, or all in one folder. Names of at most eight capital
 * letters and digits, which the directory of a disc demands (PS3.10 §8.5); they grow beyond four digits.
 */
export function fileIds(instances: readonly Pick<StoredInstance, 'series_uid'>[], isFlat: boolean): string[][] {
  const counts = new Map<string, number>()
  const folders = new Map<string, string>()
  return instances.map(({ series_uid }) => {
    const group = isFlat ? '' : series_uid
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    if (!folders.has(group)) folders.set(group, numbered('SER', folders.size + 1))
    const image = numbered('IMG', count)
    return isFlat ? [image] : [folders.get(group) ?? '', image]
  })
}

/** `IMG0001` and on: four digits or more, and never more than eight characters. */
export function numbered(prefix: string, number: number): string {
  return number <= 99_999
    ? prefix + String(number).padStart(4, '0')
    : `${prefix.slice(0, 1)}${String(number).padStart(7, '0')}`
}
