import { element } from './element.ts'
import { type MeasuredLength, writeLengthReport } from './length-report.ts'
import { texts } from './texts.ts'

type LengthKeeper = {
  /** Pressed to keep the lengths that are not kept yet; not there while there are none. */
  button: HTMLButtonElement
  /** How keeping went. */
  note: HTMLElement
  setLengths: (lengths: readonly MeasuredLength[]) => void
}

/** Keeps lengths with their study, where somebody presses it. @param store rejects with words for the screen */
export function createLengthKeeper(store: (report: ArrayBuffer) => Promise<void>): LengthKeeper {
  const kept = new Map<string, string>()
  let all: readonly MeasuredLength[] = []
  let isBusy = false
  const button = element('button', { type: 'button', class: 'tool keep' })
  const note = element('p', { class: 'note', role: 'status' })
  button.addEventListener('click', () => void keep())
  show()

  function listOpen(): MeasuredLength[] {
    return all.filter((one) => kept.get(one.uid) !== printOf(one))
  }

  function show(): void {
    const { length: count } = listOpen()
    button.hidden = count === 0
    button.disabled = isBusy
    button.textContent = isBusy ? texts.keepingLengths : texts.keepLengths(count)
  }

  async function keep(): Promise<void> {
    const lengths = listOpen()
    if (isBusy || lengths.length === 0) return
    const hadFocus = document.activeElement === button
    isBusy = true
    note.textContent = ''
    delete note.dataset['done']
    show()
    try {
      await store(writeLengthReport(lengths, new Date()).buffer)
      for (const one of lengths) kept.set(one.uid, printOf(one))
      note.textContent = texts.lengthsKept(lengths.length)
      note.dataset['done'] = ''
    } catch (error) {
      note.textContent = error instanceof Error ? error.message : texts.serverFailed
    } finally {
      isBusy = false
      show()
      if (hadFocus && !button.hidden) button.focus()
    }
  }

  return {
    button,
    note,
    setLengths: (lengths) => {
      all = lengths
      if (listOpen().length > 0 && !isBusy) note.textContent = ''
      show()
    },
  }
}

/** Tells a length from the same one after it was moved. */
function printOf({ points }: MeasuredLength): string {
  return points.flat().join(' ')
}
