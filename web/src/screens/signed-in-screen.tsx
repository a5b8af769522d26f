import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ProxyFrame } from '../features/shell/proxy-mark.tsx'
import { t } from '../labels/label.ts'
import { openTexts } from '../queries/agreed-texts.ts'
import { useEstablished } from '../session/session-store.ts'
import { LoadingState } from '../ui/quiet-state.tsx'
import { PlainPage } from './plain-page.tsx'

const Agreement = lazy(async () => ({ default: (await import('../features/agreement/agreement.tsx')).Agreement }))

/** Everything for people who are signed in, once they have accepted the texts of their organisation. */
export function SignedInScreen() {
  const session = useEstablished()
  // a supporter accepts nothing in the person's place
  if (session.proxyName !== undefined) {
    return (
      <>
        <ProxyFrame />
        <Outlet />
      </>
    )
  }
  if (openTexts(session).length === 0) return <Outlet />
  return (
    <PlainPage>
      <Suspense fallback={<LoadingState label={t('loading')} />}>
        <Agreement />
      </Suspense>
    </PlainPage>
  )
}
