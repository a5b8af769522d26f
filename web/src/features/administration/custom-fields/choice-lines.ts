import type { CustomFieldOptions } from '@hilum/contract/calls/customfield'

interface Choices {
  values: string[]
  /** As many as values. */
  labels: string[]
}

/** Choices as lines to edit: `value`, or `value = words` where other words are shown. */
export function toLines({ values = [], labels = [] }: CustomFieldOptions): string {
  return values
    .map((value, at) => {
      const label = labels[at] ?? value
      return label === value ? value : `${value} = ${label}`
    })
    .join('\n')
}

/** Choices of edited lines; empty lines are passed over. */
export function fromLines(text: string): Choices {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const parts = lines.map((line) => {
    const at = line.indexOf(' = ')
    return at < 0 ? [line, line] : [line.slice(0, at).trim(), line.slice(at + 3).trim()]
  })
  return { values: parts.map(([value = '']) => value), labels: parts.map(([, label = '']) => label) }
}
