import { Link } from '@tanstack/react-router'
import { t } from '../labels/label.ts'
import { PlainPage } from './plain-page.tsx'
import style from './screens.module.css'

/** ROUTE-10 */
export function NotFoundScreen() {
  return (
    <PlainPage>
      <h1>{t('notFound.title')}</h1>
      <p>{t('notFound.text')}</p>
      <Link to="/" className={style.link}>
        {t('notFound.home')}
      </Link>
    </PlainPage>
  )
}
