import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { t } from '../labels/label.ts'
import { PlainPage } from './plain-page.tsx'

/** ROUTE-10 */
export function NotFoundScreen() {
  return (
    <PlainPage isNotice>
      <h1>{t('notFound.title')}</h1>
      <p>{t('notFound.text')}</p>
      <Button component={Link} to="/" size="sm">
        {t('notFound.home')}
      </Button>
    </PlainPage>
  )
}
