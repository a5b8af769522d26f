import { t } from '../../labels/label.ts'
import panel from './exam-panel.module.css'
import { PdfPages } from './pdf-pages.tsx'

/** A picture or a PDF that was read, in place; anything else is only told of. */
export function ShownBlob({ blob, name }: { blob: Blob; name: string }) {
  const show = (element: HTMLImageElement | null) => {
    if (!element) return undefined
    const address = URL.createObjectURL(blob)
    element.src = address
    return () => URL.revokeObjectURL(address)
  }
  if (blob.type.startsWith('image/')) return <img ref={show} alt={name} />
  if (blob.type === 'application/pdf') return <PdfPages blob={blob} name={name} />
  return <p className={panel.note}>{t('attach.cannotShow')}</p>
}
