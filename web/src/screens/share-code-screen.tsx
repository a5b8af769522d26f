import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { OpenedPage } from '../features/link/opened-page.tsx'
import { ShareCodeDoor } from '../features/link/share-code-door.tsx'
import { SignInPage } from '../features/sign-in/sign-in-page.tsx'
import { t } from '../labels/label.ts'
import { storeOpenedLink, type OpenedSession, readOpened } from '../queries/opened-link.ts'
import { LoadingState } from '../ui/quiet-state.tsx'

const OpenedRequest = lazy(async () => ({
  default: (await import('../features/upload/opened-request.tsx')).OpenedRequest,
}))

/** The page of a share code, for whoever knows it. Loading the page opens nothing: that takes the button. */
export function ShareCodeScreen() {
  const { code } = useParams({ from: '/share-code/$code' })
  return <ShareCodeOf key={code} code={code} />
}

function ShareCodeOf({ code }: { code: string }) {
  const token = `share-code/${code}`
  const [opened, setOpened] = useState(() => readOpened(token))
  const store = (next: OpenedSession | undefined) => {
    storeOpenedLink(token, next)
    setOpened(next)
  }
  if (!opened) {
    return (
      <SignInPage title={t('shareCode.title')} isOfAnybody>
        <ShareCodeDoor code={code} onOpened={store} />
      </SignInPage>
    )
  }
  return (
    <OpenedPage sid={opened.sid} scrolls>
      <Suspense fallback={<LoadingState label={t('link.opening')} />}>
        <OpenedRequest token={opened.sid} sid={opened.sid} onEnded={() => store(undefined)} />
      </Suspense>
    </OpenedPage>
  )
}
