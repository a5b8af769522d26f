import { useEffect, useRef, useState } from 'react'
import { t } from '../../labels/label.ts'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import type { PDFDocumentProxy } from './draw-pdf.ts'
import panel from './exam-panel.module.css'
import style from './pdf-pages.module.css'

type Opened = { pdf: PDFDocumentProxy } | { fault: 'password' | 'unreadable' }

/** The pages of a PDF, drawn by us: the browser's own reader would run the scripts in it. */
export function PdfPages({ blob, name }: { blob: Blob; name: string }) {
  const [opened, setOpened] = useState<Opened>()
  useEffect(() => {
    const closing = new AbortController()
    void open(blob, closing.signal).then((found) => !closing.signal.aborted && setOpened(found))
    return () => {
      closing.abort()
      setOpened(undefined)
    }
  }, [blob])
  if (!opened) return <LoadingState label={t('loading')} />
  if ('fault' in opened) {
    return (
      <p className={panel.note} role="alert">
        {t(opened.fault === 'password' ? 'attach.pdfPassword' : 'attach.pdfUnreadable')}
      </p>
    )
  }
  const { pdf } = opened
  return (
    // scrolled by the keyboard as well
    <div className={style.pages} tabIndex={0} role="region" aria-label={t('attach.pdfPages', { name })}>
      {Array.from({ length: pdf.numPages }, (_, index) => (
        <PdfPage key={index + 1} pdf={pdf} number={index + 1} name={name} />
      ))}
    </div>
  )
}

async function open(blob: Blob, signal: AbortSignal): Promise<Opened> {
  try {
    const { openPdf } = await import('./draw-pdf.ts')
    return { pdf: await openPdf(blob, signal) }
  } catch (error) {
    return { fault: error instanceof Error && error.name === 'PasswordException' ? 'password' : 'unreadable' }
  }
}

type Drawn = 'waiting' | 'drawn' | 'failed'

/** One page, drawn when it comes near the eye. */
function PdfPage({ pdf, number, name }: { pdf: PDFDocumentProxy; number: number; name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [state, setState] = useState<Drawn>('waiting')
  const [words, setWords] = useState('')
  useEffect(() => {
    const drawn = canvas.current
    if (!drawn) return undefined
    const watch = new IntersectionObserver(
      (seen) => {
        if (!seen.some((one) => one.isIntersecting)) return
        watch.disconnect()
        void draw(pdf, number, drawn).then((read) => {
          setState(read === undefined ? 'failed' : 'drawn')
          setWords(read ?? '')
        })
      },
      { root: drawn.parentElement?.parentElement ?? null, rootMargin: '100% 0px' },
    )
    watch.observe(drawn)
    return () => watch.disconnect()
  }, [pdf, number])
  const label = t('attach.pdfPage', { name, number, count: pdf.numPages })
  return (
    <div className={style.page} data-state={state}>
      <canvas ref={canvas} role="img" aria-label={label} />
      {state === 'failed' && <p className={panel.note}>{t('attach.pdfPageFailed', { number })}</p>}
      {words && <HeardOnly>{words}</HeardOnly>}
    </div>
  )
}

async function draw(pdf: PDFDocumentProxy, number: number, canvas: HTMLCanvasElement): Promise<string | undefined> {
  try {
    const { drawPage } = await import('./draw-pdf.ts')
    return await drawPage(pdf, number, canvas, canvas.clientWidth)
  } catch {
    return undefined // a page that cannot be read, or a document that was closed meanwhile
  }
}
