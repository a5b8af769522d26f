import type { KeyboardEvent, PointerEvent } from 'react'
import { t } from '../../../labels/label.ts'
import { narrowestColumn, widestColumn } from './column-widths.ts'
import style from './worklist.module.css'

const keyStep = 16

interface WidthHandleProps {
  column: string
  width: number | undefined
  /** Undefined lets the column be as wide as what it holds. */
  onWidth: (width: number | undefined, isFinal: boolean) => void
}

/** The edge of a column's head: dragged, or moved by the arrow keys; a double press gives the width back to the content. */
export function WidthHandle({ column, width, onWidth }: WidthHandleProps) {
  const widthNow = (handle: Element) => handle.closest('th')?.getBoundingClientRect().width ?? narrowestColumn
  const handlePointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault() // no text is marked meanwhile
    const handle = event.currentTarget
    const from = widthNow(handle) - event.clientX
    handle.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => onWidth(from + moved.clientX, false)
    const end = (ended: globalThis.PointerEvent) => {
      handle.removeEventListener('pointermove', move)
      handle.removeEventListener('pointercancel', end)
      if (from + ended.clientX !== from + event.clientX) onWidth(from + ended.clientX, true)
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', end, { once: true })
    handle.addEventListener('pointercancel', end, { once: true })
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -keyStep, ArrowRight: keyStep }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onWidth(widthNow(event.currentTarget) + step, true)
  }
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={t('grid.widthOf', { column })}
      aria-valuemin={narrowestColumn}
      aria-valuemax={widestColumn}
      aria-valuenow={width ?? narrowestColumn}
      aria-valuetext={width === undefined ? t('grid.widthOfContent') : t('grid.widthPx', { width })}
      tabIndex={0}
      title={t('grid.widthHint')}
      className={style.handle}
      onPointerDown={handlePointerDown}
      onDoubleClick={() => onWidth(undefined, true)}
      onKeyDown={handleKeyDown}
    />
  )
}
