import { Button } from '@mantine/core'
import { ApiFailure } from '../api/api-failure.ts'
import { t } from '../labels/label.ts'
import { PlainPage } from './plain-page.tsx'
import style from './screens.module.css'

/** ERROR-01: whatever nobody foresaw. The details name the fault, not what was on screen. */
export function ErrorScreen({ error }: { error: unknown }) {
  return (
    <PlainPage isNotice>
      <h1>{t('error.title')}</h1>
      <p>{t('error.text')}</p>
      <Button component="a" href={location.href} size="sm">
        {t('error.refresh')}
      </Button>
      <details className={style.details}>
        <summary>{t('error.details')}</summary>
        <pre>{describe(error)}</pre>
      </details>
    </PlainPage>
  )
}

function describe(error: unknown): string {
  if (error instanceof ApiFailure) return [error.code, error.status || '', error.message].filter(Boolean).join(' · ')
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
