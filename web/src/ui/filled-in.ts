type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Fields of a dialog with other values than at first, so that nothing typed is thrown away by a slip. */
export interface FilledIn {
  noteFocus: (target: EventTarget) => void
  noteInput: (target: EventTarget) => void
  /** Whether a field that is still shown has another value than at first. */
  isFilled: () => boolean
}

/** Fields without a form hold at once, and those of the type search only find something: neither would be missed. */
export function makeFilledIn(): FilledIn {
  const atFirst = new Map<Field, string>()
  const changed = new Set<Field>()
  return {
    noteFocus: (target) => {
      if (isField(target) && !atFirst.has(target)) atFirst.set(target, valueOf(target))
    },
    noteInput: (target) => {
      if (isField(target) && target.form && target.type !== 'search') changed.add(target)
    },
    isFilled: () => [...changed].some((field) => field.isConnected && atFirst.get(field) !== valueOf(field)),
  }
}

function isField(target: EventTarget): target is Field {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  )
}

function valueOf(field: Field): string {
  const isTick = field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')
  return isTick ? String(field.checked) : field.value
}
