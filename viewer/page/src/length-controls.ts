import { element } from './element.ts'
import { jsonTextOf, numberOf } from './dicom-json.ts'
import { createLengthRecord } from './length-record.ts'
import { type MeasuredLength, newReportName, writeLengthReport } from './length-report.ts'
import { presentLength } from './length-words.ts'
import { NotStoredError } from './measurement-store.ts'
import { texts } from './texts.ts'

type LengthControls = {
  /** Stores the lengths that are not stored yet, and takes the last line off; not there while there are none. */
  controls: HTMLElement[]
  /** How storing went. */
  note: HTMLElement
  /** @param last the line that was drawn or moved last, also where it is no length that can be stored */
  setLengths: (lengths: readonly MeasuredLength[], last: string | undefined) => void
  setSeries: (seriesUid: string) => void
  takeOff: () => void
}

export type LengthStoring = {
  /** Keeps a report of measurements with the study; rejects with words for the screen. */
  store: (report: ArrayBuffer) => Promise<void>
  /** Told how many lengths are not kept yet, as often as the number changes. */
  onOpen: (count: number) => void
}

type LengthControlsOptions = {
  /** Undefined for who may not store lengths. */
  storing: LengthStoring | undefined
  /** Takes a line off the picture. */
  remove: (uid: string) => void
  /** Has the focus where the button that had it has gone. */
  picture: HTMLElement
}

/** Stores lengths with their study, or takes them off, where somebody presses it. */
export function createLengthControls({ storing, remove, picture }: LengthControlsOptions): LengthControls {
  const record = createLengthRecord()
  let all: readonly MeasuredLength[] = []
  let last: string | undefined
  let series = ''
  let isBusy = false
  let openCount = 0
  const button = element('button', { type: 'button', class: 'tool keep' })
  const off = element('button', { type: 'button', class: 'tool keep' })
  const note = element('p', { class: 'note', role: 'status' })
  button.addEventListener('click', () => void storeOpen())
  off.addEventListener('click', takeOff)
  show()

  function listOpen(): MeasuredLength[] {
    return all.filter((one) => !record.holds(one))
  }

  /** The line that is taken off next: never one that is on record as it stands. */
  function findLast(): { length: MeasuredLength | undefined } | undefined {
    const length = all.find(({ uid }) => uid === last)
    if (isBusy || last === undefined || (length && record.holds(length))) return undefined
    return { length }
  }

  function show(): void {
    const open = storing ? listOpen() : []
    if (open.length !== openCount) storing?.onOpen((openCount = open.length))
    button.hidden = open.length === 0
    button.disabled = isBusy
    const others = open.filter(({ seriesUid }) => seriesUid !== series).length
    button.textContent = isBusy ? texts.storingLengths : texts.storeLengths(open.length, others)
    const next = findLast()
    off.hidden = next === undefined
    off.textContent = next?.length ? texts.takeLengthOff(wordsOf(next.length)) : texts.takeLineOff
  }

  /** The value, and the series where it is not the one on the screen. */
  function wordsOf({ value, unit, seriesUid, image }: MeasuredLength): string {
    const number = numberOf(image.instance, '00200011')
    const name = number === undefined ? jsonTextOf(image.instance, '0008103E') : texts.seriesNumber(number)
    return [presentLength(value, unit), ...(seriesUid === series ? [] : [name])].join(', ')
  }

  function takeOff(): void {
    if (last === undefined || !findLast()) return
    const hadFocus = document.activeElement === off
    remove(last)
    if (hadFocus) (off.hidden ? picture : off).focus()
  }

  async function storeOpen(): Promise<void> {
    const open = listOpen()
    if (!storing || isBusy || open.length === 0) return
    const { lengths, predecessors } = record.plan(open)
    const name = newReportName()
    const hadFocus = document.activeElement === button
    isBusy = true
    note.textContent = ''
    delete note.dataset['done']
    show()
    try {
      await storing.store(writeLengthReport(lengths, new Date(), { name, predecessors }).buffer)
      record.note(lengths, name)
      note.textContent = texts.lengthsStored(open.length)
      note.dataset['done'] = ''
    } catch (error) {
      note.textContent = error instanceof NotStoredError ? error.message : texts.lengthsNotWritten
      if (!(error instanceof NotStoredError)) throw error
    } finally {
      isBusy = false
      show()
      // a disabled button loses it, and a hidden one
      const isLost = document.activeElement === document.body || document.activeElement === button
      if (hadFocus && isLost) (button.hidden ? picture : button).focus()
    }
  }

  return {
    controls: [button, off],
    note,
    setLengths: (lengths, lastUid) => {
      all = lengths
      last = lastUid
      if (listOpen().length > 0 && !isBusy) note.textContent = ''
      show()
    },
    setSeries: (seriesUid) => {
      series = seriesUid
      show()
    },
    takeOff,
  }
}
