import { megabyte } from '@hilum/contract/limits'
import { formatSize } from './file-size.ts'

/** Choices of how much may be stored, in megabytes. */
const sizes = [100, 1024, 5 * 1024, 20 * 1024, 100 * 1024, 1024 * 1024]

/** Choices of a size in megabytes; one that a program set stays to be chosen. */
export function uploadSizeOptions(chosen: number | undefined): { value: string; label: string }[] {
  return [...new Set([...sizes, ...(chosen === undefined ? [] : [chosen])])]
    .toSorted((a, b) => a - b)
    .map((one) => ({ value: String(one), label: formatSize(one * megabyte) }))
}
