/** A length with as many digits as the picture shows beside a line. */
export function presentLength(value: number, unit: string): string {
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)} ${unit}`
}
