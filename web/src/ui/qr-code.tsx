import { encodeQR } from 'qr'
import style from './qr-code.module.css'

/** Four modules of quiet around it, which readers need (ISO/IEC 18004). */
const border = 4

/** A text as a QR code, drawn here: the text goes nowhere. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border })
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className={style.code} viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
