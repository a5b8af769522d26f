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

/** Keys of the quick viewer, once an image has the focus. */
const viewerKeys = [
  ['←', '→', 'keys.viewer.step'],
  ['Page Up', 'Page Down', 'keys.viewer.leap'],
  ['Home', 'End', 'keys.viewer.ends'],
  ['Space', undefined, 'keys.viewer.play'],
  ['+', '−', 'keys.viewer.zoom'],
  ['I', undefined, 'keys.viewer.invert'],
  ['R', undefined, 'keys.viewer.reset'],
  ['T', undefined, 'keys.viewer.texts'],
  ['K', undefined, 'keys.viewer.keyImages'],
  ['M', undefined, 'keys.viewer.measure'],
  ['Delete', undefined, 'keys.viewer.takeOff'],
  ['Esc', undefined, 'keys.viewer.close'],
] as const

/** All keys of the inbox and of the viewer. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('keys.title')} closeLabel={t('button.close')} onClose={onClose}>
      <div className={style.parts}>
        <KeyTable title={t('keys.ofLists')} keys={keys} />
        <KeyTable title={t('keys.ofViewer')} keys={viewerKeys} />
      </div>
      <p className={style.note}>{t('keys.off')}</p>
    </Dialog>
  )
}

interface KeyTableProps {
  title: string
  keys: typeof keys | typeof viewerKeys
}

function KeyTable({ title, keys: listed }: KeyTableProps) {
  return (
    <table className={style.keys}>
      <caption>{title}</caption>
      <tbody>
        {listed.map(([key, other, label]) => (
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
  )
}
