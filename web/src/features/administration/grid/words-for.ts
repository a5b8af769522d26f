/** A sentence about one by its name, or about several by their number. */
export function wordsFor(
  ones: readonly { name: string }[],
  ofOne: (name: string) => string,
  ofMany: (count: number) => string,
): string {
  const [first] = ones
  return first && ones.length === 1 ? ofOne(first.name) : ofMany(ones.length)
}
