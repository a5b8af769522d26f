import type { LinkedStudy } from '@hilum/contract/calls/link-open'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { loneViewerAddress } from '../features/exam/viewer-frame.ts'
import { LinkDoor } from '../features/link/link-door.tsx'
import { OpenedLinkPage } from '../features/link/opened-link.tsx'
import { OpenedPage } from '../features/link/opened-page.tsx'
import { SignInPage } from '../features/sign-in/sign-in-page.tsx'
import { t } from '../labels/label.ts'
import {
  linkStatusQuery,
  type OpenedSession,
  readOpened,
  storeBegunRequest,
  storeOpenedLink,
} from '../queries/opened-link.ts'
import { LoadingState } from '../ui/quiet-state.tsx'

const OpenedRequest = lazy(async () => ({
  default: (await import('../features/upload/opened-request.tsx')).OpenedRequest,
}))

const LinkedFiles = lazy(async () => ({
  default: (await import('../features/exam/linked-files.tsx')).LinkedFiles,
}))

/** The page of a link, for somebody without a login. Loading the page opens nothing: that takes the button. */
export function LinkScreen() {
  const { token } = useParams({ from: '/link/$token' })
  return <LinkOf key={token} token={token} />
}

function LinkOf({ token }: { token: string }) {
  const [opened, setOpened] = useState(() => readOpened(token))
  const store = (next: OpenedSession | undefined) => {
    storeOpenedLink(token, next)
    void storeBegunRequest(token, next)
    setOpened(next)
  }
  if (!opened) return <Door token={token} onOpened={store} />
  const { sid, action } = opened
  return (
    <OpenedPage sid={sid} scrolls={action === 'STUDY_UPLOAD'}>
      {action === 'STUDY_UPLOAD' ? (
        <Suspense fallback={<LoadingState label={t('link.opening')} />}>
          <OpenedRequest token={token} sid={sid} onEnded={() => store(undefined)} />
        </Suspense>
      ) : (
        <OpenedLinkPage
          sid={sid}
          viewerAddress={(study, sid, scheme) => loneViewerAddress(study, sid, { scheme })}
          files={filesOf}
          onEnded={() => store(undefined)}
        />
      )}
    </OpenedPage>
  )
}

function filesOf(study: LinkedStudy, sid: string) {
  return (
    <Suspense fallback={<LoadingState label={t('loading')} />}>
      <LinkedFiles study={study} sid={sid} />
    </Suspense>
  )
}

function Door({ token, onOpened }: { token: string; onOpened: (opened: OpenedSession) => void }) {
  const { data } = useQuery(linkStatusQuery(token))
  return (
    <SignInPage title={t(data?.action === 'STUDY_UPLOAD' ? 'linkUpload.title' : 'link.title')} isOfAnybody>
      <LinkDoor token={token} onOpened={onOpened} />
    </SignInPage>
  )
}
