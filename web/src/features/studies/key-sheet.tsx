import { t } from '../../labels/label.ts'
import { Dialog } from '../../ui/dialog.tsx'
import style from './key-sheet.module.css'

const keys = [
  ['J', '↓', 'keys.down'],
  ['K', '↑', 'keys.up'],
  ['Home', 'End', 'keys.ends'],
  ['Enter', undefined, 'keys.enter'],
  ['/', undefined, 'keys.search'],
  ['Ctrl K', undefined, 'keys.palette'],
  ['X', undefined, 'keys.mark'],
  ['Shift ↓', 'Shift ↑', 'keys.range'],
  ['S', undefined, 'keys.star'],
  ['[', ']', 'keys.tabs'],
  ['Esc', undefined, 'keys.close'],
  ['?', undefined, 'keys.sheet'],
] as const

/** All keys of the inbox. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('keys.title')} closeLabel={t('button.close')} onClose={onClose}>
      <table className={style.keys}>
        <tbody>
          {keys.map(([key, other, label]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
                {other && <kbd>{other}</kbd>}
              </th>
              <td>{t(label)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={style.note}>{t('keys.off')}</p>
    </Dialog>
  )
}
