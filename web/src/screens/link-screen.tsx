import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { loneViewerAddress } from '../features/exam/viewer-frame.ts'
import { LinkDoor } from '../features/link/link-door.tsx'
import { OpenedLink } from '../features/link/opened-link.tsx'
import { OpenedPage } from '../features/link/opened-page.tsx'
import { SignInPage } from '../features/sign-in/sign-in-page.tsx'
import { t } from '../labels/label.ts'
import { keepLinkSid, readLinkSid } from '../queries/opened-link.ts'

/** The page of a link, for somebody without a login. Loading the page opens nothing: that takes the button. */
export function LinkScreen() {
  const { token } = useParams({ from: '/link/$token' })
  return <LinkOf key={token} token={token} />
}

function LinkOf({ token }: { token: string }) {
  const [sid, setSid] = useState(() => readLinkSid(token))
  const keep = (next: string | undefined) => {
    keepLinkSid(token, next)
    setSid(next)
  }
  if (!sid) {
    return (
      <SignInPage title={t('link.title')}>
        <LinkDoor token={token} onOpened={keep} />
      </SignInPage>
    )
  }
  return (
    <OpenedPage>
      <OpenedLink sid={sid} viewerAddress={loneViewerAddress} onEnded={() => keep(undefined)} />
    </OpenedPage>
  )
}
