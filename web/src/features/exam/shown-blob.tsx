import { useQuery } from '@tanstack/react-query'
import { t } from '../../labels/label.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import panel from './exam-panel.module.css'
import style from './acts.module.css'
import { PdfPages } from './pdf-pages.tsx'
import { textOfBytes } from './text-of-bytes.ts'

/** More than this is not laid out at once. */
const maxTextBytes = 2 * 1024 * 1024

/** A picture, a PDF or a text that was read, in place; anything else is only told of. */
export function ShownBlob({ blob, name }: { blob: Blob; name: string }) {
  const show = (element: HTMLImageElement | null) => {
    if (!element) return undefined
    const address = URL.createObjectURL(blob)
    element.src = address
    return () => URL.revokeObjectURL(address)
  }
  if (blob.type.startsWith('image/')) return <img ref={show} alt={name} />
  if (blob.type === 'application/pdf') return <PdfPages blob={blob} name={name} />
  return blob.size > maxTextBytes ? <CannotShow /> : <ShownText blob={blob} name={name} />
}

/** The type of a file says little of texts: the bytes decide. Markup stays text. */
function ShownText({ blob, name }: { blob: Blob; name: string }) {
  const { data, isLoadingError } = useQuery({
    queryKey: ['text-of-blob', name, blob.size, blob],
    queryFn: async () => textOfBytes(new Uint8Array(await blob.arrayBuffer())) ?? null,
    staleTime: Infinity,
    gcTime: 0,
  })
  if (isLoadingError || data === null) return <CannotShow />
  if (data === undefined) return <LoadingState label={t('loading')} />
  return (
    <pre className={style.text} tabIndex={0} role="group" aria-label={name}>
      {data}
    </pre>
  )
}

function CannotShow() {
  return <p className={panel.note}>{t('attach.cannotShow')}</p>
}
