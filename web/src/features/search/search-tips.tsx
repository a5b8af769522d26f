import { t } from '../../labels/label.ts'
import { Dialog } from '../../ui/dialog.tsx'
import style from './search-bar.module.css'

const tips = ['general', 'accession', 'saved', 'name', 'birthDate'] as const

/** How the search reads what is written (SEARCH-11…14). */
export function SearchTips({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('search.tips')} closeLabel={t('button.close')} onClose={onClose}>
      <dl className={style.tips}>
        {tips.map((tip) => (
          <div key={tip}>
            <dt>{t(`search.tip.${tip}.title`)}</dt>
            <dd>{t(`search.tip.${tip}.text`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
