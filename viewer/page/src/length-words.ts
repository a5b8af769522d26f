/** A length as it stands beside a line; one below its unit, such as metres of a finger, has three digits that count. */
export function presentLength(value: number, unit: string): string {
  const digits =
    value < 1 ? String(Number(value.toPrecision(3))) : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)
  return `${digits} ${unit}`
}
