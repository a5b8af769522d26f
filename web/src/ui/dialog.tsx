import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
import { createContext, type ReactNode, useContext, useId, useLayoutEffect, useRef, useState } from 'react'
import style from './dialog.module.css'
import { type FilledIn, makeFilledIn } from './filled-in.ts'
import { IconX } from './icons.ts'
import { ThrowAwayWords } from './throw-away-words.ts'

interface DialogProps {
  title: string
  /** Name of the button that closes it. */
  closeLabel: string
  onClose: () => void
  children: ReactNode
}

/** Closes the dialog around it, after a question where fields of it were filled in. */
type CloseAsked = (close: () => void) => void
const CloseAfterQuestion = createContext<CloseAsked>((close) => close())

/**
 * A window over the page, by the browser's own dialog: it keeps the focus within, closes on Escape, and gives the focus
 * back. The focus begins at what has `data-autofocus`, also where that is loaded first. Escape, the cross and
 * `CancelButton` ask before they throw away what was typed.
 */
export function Dialog({ title, closeLabel, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isBeside = useRef(false)
  const [filled] = useState<FilledIn>(makeFilledIn)
  const [asked, setAsked] = useState<{ close: () => void }>()
  const id = useId()
  // before the dialog leaves the page: closed afterwards, the browser gives no focus back
  useLayoutEffect(() => {
    const opened = dialog.current
    if (!opened) return
    opened.showModal()
    const stop = beginAtField(opened)
    return () => {
      stop()
      // the question inside would be closed after this dialog, and would take the focus that the page got back
      for (const inside of opened.querySelectorAll<HTMLDialogElement>('dialog[open]')) inside.close()
      opened.close()
    }
  }, [])
  const closeAsked: CloseAsked = (close) => (filled.isFilled() ? setAsked({ close }) : close())
  return (
    <dialog
      ref={dialog}
      className={style.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        if (event.target !== dialog.current) return // of a dialog inside
        event.preventDefault() // the dialog closes by leaving the page, so that its subject is known
        closeAsked(onClose)
      }}
      onClose={({ target }) => {
        // a second Escape closes by the browser's will, without asking
        if (target !== dialog.current || dialog.current.open) return
        dialog.current.showModal()
        closeAsked(onClose)
      }}
      onFocus={({ target }) => filled.noteFocus(target)}
      onInput={({ target }) => filled.noteInput(target)}
      onPointerDown={(event) => {
        isBeside.current = event.target === dialog.current
      }}
      onClick={(event) => {
        // text marked from inside to beside the window ends in a click beside it; what was filled in goes by no slip
        if (event.target === dialog.current && isBeside.current && !filled.isFilled()) onClose()
      }}
    >
      <CloseAfterQuestion value={closeAsked}>
        <div className={style.head}>
          <h2 id={id}>{title}</h2>
          <ActionIcon aria-label={closeLabel} size={28} onClick={() => closeAsked(onClose)}>
            <IconX size={17} />
          </ActionIcon>
        </div>
        <div className={style.body}>{children}</div>
      </CloseAfterQuestion>
      {asked && <ThrowAway closeLabel={closeLabel} onStay={() => setAsked(undefined)} onLeave={asked.close} />}
    </dialog>
  )
}

/** The button that closes the dialog around it without doing what it is for; beside a dialog, an ordinary button. */
export function CancelButton({ onCancel, ...button }: CancelButtonProps) {
  const closeAsked = useContext(CloseAfterQuestion)
  return <Button variant="default" {...button} onClick={() => closeAsked(onCancel)} />
}

interface CancelButtonProps extends Pick<ButtonProps, 'disabled' | 'size' | 'children'> {
  onCancel: () => void
  'data-autofocus'?: boolean
}

interface ThrowAwayProps {
  closeLabel: string
  onStay: () => void
  onLeave: () => void
}

function ThrowAway({ closeLabel, onStay, onLeave }: ThrowAwayProps) {
  const words = useContext(ThrowAwayWords)
  return (
    <Dialog title={words.title} closeLabel={closeLabel} onClose={onStay}>
      <p className={style.question}>{words.text}</p>
      <div className={style.buttons}>
        <Button variant="default" data-autofocus onClick={onStay}>
          {words.stay}
        </Button>
        <Button color="red" onClick={onLeave}>
          {words.leave}
        </Button>
      </div>
    </Dialog>
  )
}

/**
 * The browser itself would choose the first button, which closes. Whoever went somewhere else while the field was
 * loading stays there.
 */
function beginAtField(opened: HTMLElement): () => void {
  const chosenByBrowser = document.activeElement
  const begin = () => {
    const field = opened.querySelector<HTMLElement>('[data-autofocus]')
    if (!field) return
    waiting.disconnect()
    const isElsewhere = opened.contains(document.activeElement) && document.activeElement !== chosenByBrowser
    if (!isElsewhere) field.focus()
  }
  const waiting = new MutationObserver(begin)
  waiting.observe(opened, { childList: true, subtree: true })
  begin()
  return () => waiting.disconnect()
}
