/** Fields that a form marks as wrong, and the messages of groups of controls, which carry no mark themselves. */
const wrong = '[aria-invalid="true"], .mantine-InputWrapper-error'
const controls = 'input, select, textarea, button'

/**
 * Brings whoever sent a form that is refused to the reason: the first wrong field gets the focus and comes into sight, and
 * where no field is wrong, the message of the failure comes into sight. Ends when something is typed, or the focus leaves
 * the form.
 * @returns ends it
 */
export function showFaults(page: Document): () => void {
  let stop = () => undefined as void
  const handleSubmit = ({ target }: Event) => {
    stop()
    if (target instanceof HTMLFormElement) stop = watchForm(target)
  }
  page.addEventListener('submit', handleSubmit)
  return () => {
    stop()
    page.removeEventListener('submit', handleSubmit)
  }
}

function watchForm(form: HTMLFormElement): () => void {
  const around = form.closest('dialog') ?? form
  const before = new Set(around.querySelectorAll('[role="alert"]'))
  const look = () => {
    const field = fieldOf(form.querySelector(wrong))
    const message = [...around.querySelectorAll('[role="alert"]')].find((one) => !before.has(one))
    if (field) {
      // with its label and its message, and free of buttons that stick to the edge
      const whole = field.closest('.mantine-InputWrapper-root') ?? field
      whole.scrollIntoView({ block: 'nearest' })
      field.focus()
    } else if (message) message.scrollIntoView({ block: 'nearest' })
    if (field || message) stop()
  }
  const watching = new MutationObserver(look)
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !form.contains(relatedTarget)) stop()
  }
  const stop = () => {
    clearTimeout(soon)
    watching.disconnect()
    form.removeEventListener('input', stop)
    form.removeEventListener('focusout', leave)
  }
  form.addEventListener('input', stop)
  form.addEventListener('focusout', leave)
  watching.observe(around, { childList: true, subtree: true, attributeFilter: ['aria-invalid'] })
  // a form that finds the same fault as before changes nothing
  const soon = setTimeout(look)
  return stop
}

function fieldOf(found: Element | null): HTMLElement | undefined {
  const isMarked = found?.matches('[aria-invalid]')
  const field = isMarked ? found : found?.closest('.mantine-InputWrapper-root')?.querySelector(controls)
  return field instanceof HTMLElement ? field : undefined
}
