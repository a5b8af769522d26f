import { ActionIcon } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../../labels/label.ts'
import { IconX } from '../../ui/icons.ts'
import style from './acts.module.css'

interface ShownFrameProps {
  name: string
  onClose: () => void
  /** Leaves the focus where it is: for what was opened without being asked for. */
  isQuiet?: boolean
  children: ReactNode
}

/** A document in place, with its name and a way to close it. The focus comes here, and goes back when it closes. */
export function ShownFrame({ name, onClose, isQuiet = false, children }: ShownFrameProps) {
  const close = useRef<HTMLButtonElement>(null)
  const isFirst = useRef(true)
  const cameFrom = useRef<Element | null>(null)
  useEffect(() => {
    if (!isFirst.current || isQuiet) return
    isFirst.current = false
    cameFrom.current = document.activeElement
    close.current?.focus()
    close.current?.closest('section')?.scrollIntoView({ block: 'start' })
  }, [isQuiet])
  const handleClose = () => {
    const before = cameFrom.current
    onClose()
    if (before instanceof HTMLElement) before.focus()
  }
  return (
    <section className={style.shown} aria-label={name}>
      <div className={style.shownHead}>
        <span className={style.grow}>{name}</span>
        <ActionIcon ref={close} size={26} aria-label={t('button.close')} onClick={handleClose}>
          <IconX size={16} />
        </ActionIcon>
      </div>
      {children}
    </section>
  )
}
