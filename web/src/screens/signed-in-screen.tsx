import { Outlet } from '@tanstack/react-router'
import { Fragment, lazy, Suspense } from 'react'
import { ProxyFrame } from '../features/shell/proxy-mark.tsx'
import { t } from '../labels/label.ts'
import { openTexts } from '../queries/agreed-texts.ts'
import { useEstablished } from '../session/session-store.ts'
import { LoadingState } from '../ui/quiet-state.tsx'
import { PlainPage } from './plain-page.tsx'

const ChooseAccount = lazy(async () => ({
  default: (await import('../features/choose-account/choose-account.tsx')).ChooseAccount,
}))
const Agreement = lazy(async () => ({ default: (await import('../features/agreement/agreement.tsx')).Agreement }))

/**
 * Everything for people who are signed in, once they have chosen one of their organisations and accepted its texts; drawn anew in another
 * organisation, so that nothing of the one before stays on the screen.
 */
export function SignedInScreen() {
  const session = useEstablished()
  const shown = (
    <Fragment key={session.account.uuid}>
      <Outlet />
    </Fragment>
  )
  // a supporter accepts nothing in the person's place
  if (session.proxyName !== undefined) {
    return (
      <>
        <ProxyFrame />
        {shown}
      </>
    )
  }
  if (!session.asksAccount && openTexts(session).length === 0) return shown
  return (
    <PlainPage>
      <Suspense fallback={<LoadingState label={t('loading')} />}>
        {session.asksAccount ? <ChooseAccount /> : <Agreement />}
      </Suspense>
    </PlainPage>
  )
}
