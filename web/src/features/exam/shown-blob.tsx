import panel from './exam-panel.module.css'
import { t } from '../../labels/label.ts'

/** A picture or a PDF that was read, in place; anything else is only told of. */
export function ShownBlob({ blob, name }: { blob: Blob; name: string }) {
  const show = (element: HTMLImageElement | HTMLIFrameElement | null) => {
    if (!element) return undefined
    const address = URL.createObjectURL(blob)
    element.src = element instanceof HTMLIFrameElement ? `${address}#navpanes=0` : address
    return () => URL.revokeObjectURL(address)
  }
  if (blob.type.startsWith('image/')) return <img ref={show} alt={name} />
  if (blob.type === 'application/pdf') {
    // oxlint-disable-next-line react/iframe-missing-sandbox -- a sandbox keeps the browser's PDF reader from starting; the type, which the server found by the bytes, keeps anything else from running
    return <iframe ref={show} title={name} />
  }
  return <p className={panel.note}>{t('attach.cannotShow')}</p>
}
