import { ActionIcon } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import style from './dialog.module.css'
import { IconX } from './icons.ts'

interface DialogProps {
  title: string
  /** Name of the button that closes it. */
  closeLabel: string
  onClose: () => void
  children: ReactNode
}

/** A window over the page, by the browser's own dialog: it keeps the focus within, closes on Escape, and gives the focus back. The focus begins at what has `data-autofocus`. */
export function Dialog({ title, closeLabel, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    // the browser itself would choose the first button, which closes
    opened?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => opened?.close()
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
      onClick={(event) => event.target === dialog.current && onClose()}
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
