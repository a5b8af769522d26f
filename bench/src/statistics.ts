/** The value that this share of the values does not exceed. @param share 0.5 is the median */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** How many times the peer's time ours takes less: 2 means twice as fast. */
export function timesFaster(ours: readonly number[], peer: readonly number[]): string {
  return times(median(peer) / median(ours))
}

export function times(ratio: number): string {
  return Number.isFinite(ratio) ? `${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2)} ×` : '–'
}

export function seconds(values: readonly number[]): string {
  return `${median(values).toFixed(2)} s`
}

/** Median and 95th percentile of times in milliseconds. */
export function spread(values: readonly number[]): string {
  return `${milliseconds(median(values))} / ${milliseconds(percentile(values, 0.95))}`
}

export function milliseconds(value: number): string {
  return `${value >= 100 ? value.toFixed(0) : value.toFixed(1)} ms`
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
}
