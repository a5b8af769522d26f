import type { CustomFieldOptions } from '@hilum/contract/calls/customfield'

interface Choices {
  values: string[]
  /** As many as values. */
  labels: string[]
}

/** Choices as lines to edit: `value`, or `value = words` where other words are shown. */
export function toLines(options: CustomFieldOptions): string {
  return pairsOf(options).map(lineOf).join('\n')
}

/**
 * Choices of edited lines; empty lines are passed over. A line of `before` gives the choice that it stands for, though the
 * sign is part of its value, or no words follow the sign: calls make such choices.
 * @param before the choices as the form was opened
 */
export function fromLines(text: string, before: CustomFieldOptions = {}): Choices {
  const known = Map.groupBy(pairsOf(before), (pair) => lineOf(pair).trim())
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const pairs = lines.map((line) => known.get(line)?.shift() ?? pairOf(line))
  return { values: pairs.map(([value]) => value), labels: pairs.map(([, label]) => label) }
}

type Pair = readonly [value: string, label: string]

function pairsOf({ values = [], labels = [] }: CustomFieldOptions): Pair[] {
  return values.map((value, at) => [value, labels[at] ?? value])
}

function lineOf([value, label]: Pair): string {
  return label === value ? value : `${value} = ${label}`
}

function pairOf(line: string): Pair {
  const at = line.indexOf(' = ')
  return at < 0 ? [line, line] : [line.slice(0, at).trim(), line.slice(at + 3).trim()]
}
