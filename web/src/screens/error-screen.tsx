import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiFailure, failureCode } from '../api/api-failure.ts'
import { AWAY, isServerReady } from '../api/is-server-ready.ts'
import { t } from '../labels/label.ts'
import { PlainPage } from './plain-page.tsx'
import style from './screens.module.css'

/** When a page that found no server looks again: soon, and ever later where the server answers and the page fails all the same. */
const lookMs = 5_000
const longestMs = 60_000
let waitMs = lookMs

/** ERROR-01: whatever nobody foresaw. The details name the fault, not what was on screen. */
export function ErrorScreen({ error }: { error: unknown }) {
  if (isAway(error)) return <AwayScreen />
  return (
    <PlainPage kind="notice">
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

/** The server, or its database, was away when the page began: the page begins anew as soon as it is back. */
function AwayScreen() {
  const router = useRouter()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isOver = false
    const look = async () => {
      const isReady = await isServerReady()
      if (isOver) return
      waitMs = isReady ? Math.min(longestMs, waitMs * 2) : lookMs
      timer = setTimeout(() => void look(), waitMs)
      if (isReady) void router.invalidate()
    }
    timer = setTimeout(() => void look(), waitMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [router])
  return (
    <PlainPage kind="notice">
      <h1>{t('error.awayTitle')}</h1>
      <p role="status">{t('error.awayText')}</p>
      <Button component="a" href={location.href} size="sm">
        {t('error.refresh')}
      </Button>
    </PlainPage>
  )
}

function isAway(error: unknown): boolean {
  const isGone = error instanceof ApiFailure && AWAY.includes(Number(error.status))
  return isGone || failureCode(error) === 'ERR_NETWORK'
}

function describe(error: unknown): string {
  if (error instanceof ApiFailure) return [error.code, error.status || '', error.message].filter(Boolean).join(' · ')
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
