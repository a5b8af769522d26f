import { ActionIcon } from '@mantine/core'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import style from './dialog.module.css'
import { IconX } from './icons.ts'

interface DialogProps {
  title: string
  /** Name of the button that closes it. */
  closeLabel: string
  onClose: () => void
  children: ReactNode
}

/** A window over the page, by the browser's own dialog: it keeps the focus within, closes on Escape, and gives the focus back. The focus begins at what has `data-autofocus`, also where that is loaded first. */
export function Dialog({ title, closeLabel, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const press = useRef({ isBeside: false, isFilled: false })
  const id = useId()
  // before the dialog leaves the page: closed afterwards, the browser gives no focus back
  useLayoutEffect(() => {
    const opened = dialog.current
    if (!opened) return
    opened.showModal()
    const stop = beginAtField(opened)
    return () => {
      stop()
      opened.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={style.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault() // the dialog closes by leaving the page, so that its subject is known
        onClose()
      }}
      onInput={({ target }) => {
        press.current.isFilled ||= target instanceof Element && target.closest('form') !== null
      }}
      onPointerDown={(event) => {
        press.current.isBeside = event.target === dialog.current
      }}
      onClick={(event) => {
        // text marked from inside to beside the window ends in a click beside it; what was filled in goes by no slip
        const { isBeside, isFilled } = press.current
        if (event.target === dialog.current && isBeside && !isFilled) onClose()
      }}
    >
      <div className={style.head}>
        <h2 id={id}>{title}</h2>
        <ActionIcon aria-label={closeLabel} size={28} onClick={onClose}>
          <IconX size={17} />
        </ActionIcon>
      </div>
      <div className={style.body}>{children}</div>
    </dialog>
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
