import { Outlet } from '@tanstack/react-router'
import { Agreement } from '../features/agreement/agreement.tsx'
import { ProxyFrame } from '../features/shell/proxy-mark.tsx'
import { openTexts } from '../queries/agreed-texts.ts'
import { useEstablished } from '../session/session-store.ts'
import { PlainPage } from './plain-page.tsx'

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
      <Agreement />
    </PlainPage>
  )
}
