import { storeMeasurements } from '@hilum/contract/routes/dicomweb'
import type { Study } from '@hilum/contract/entities/study'
import { Button, useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { deriveSid } from '../../queries/derived-sid.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useMayCall } from '../../session/use-may.ts'
import { LoadingState, QuietState } from '../../ui/quiet-state.tsx'
import style from './exam-panel.module.css'
import { LengthsGuard } from './lengths-guard.tsx'
import { usePriors } from './use-priors.ts'
import { openMessage, readViewerMessage, viewerAddress, viewerAheadAddress } from './viewer-frame.ts'

/** A page that was opened ahead and does not answer for so long is opened anew. */
const ANSWER_MS = 3000

interface ViewerTabProps {
  study: Study
  /** False while the page is opened ahead: without an exam, and seen by nobody. */
  isShown: boolean
  onClose: () => void
  onReports: () => void
}

/**
 * The viewer in a frame (PANEL-08). Buttons inside the viewer give it the whole screen and close it, by message
 * (PANEL-09).
 */
export function ViewerTab({ study, isShown, onClose, onReports }: ViewerTabProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  // the first value too is the one on the screen: the address takes it along
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  // the address keeps the look it was opened with: a changed one would load the viewer anew and lose its place
  const { dateFormat } = usePreferences()
  const [openedLook] = useState({ scheme, dateFormat })
  const tellScheme = useCallback(
    () => frame.current?.contentWindow?.postMessage(JSON.stringify({ scheme }), location.origin),
    [scheme],
  )
  useEffect(() => {
    tellScheme()
  }, [tellScheme])
  const mayStoreLengths = useMayCall(storeMeasurements, study.permissions)
  const { tellPriors, openPrior } = usePriors(study, frame, scheme)
  const {
    data: sid,
    error,
    refetch,
  } = useQuery({
    queryKey: ['derived-sid', 'viewer', study.uuid],
    queryFn: ({ signal }) => deriveSid([study.uuid], signal),
    staleTime: Infinity,
    gcTime: 0,
    enabled: isShown && study.image_count > 0,
  })
  const [isAhead, setAhead] = useState(!isShown)
  const [isListening, setListening] = useState(false)
  const isOpened = useRef(false)
  const [openLengths, setOpenLengths] = useState(0)
  useEffect(() => {
    if (!isShown || !isAhead || !sid) return undefined
    if (!isListening) {
      const timer = setTimeout(() => setAhead(false), ANSWER_MS)
      return () => clearTimeout(timer)
    }
    if (isOpened.current) return undefined
    isOpened.current = true
    const address = viewerAddress(study, sid, { scheme, dateFormat }, mayStoreLengths)
    frame.current?.contentWindow?.postMessage(openMessage(address), location.origin)
    return undefined
  }, [isShown, isAhead, isListening, sid, study, scheme, dateFormat, mayStoreLengths])
  // before the frame loads anything: its page says once that it listens
  useLayoutEffect(() => {
    const hear = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== location.origin) return
      const { action, uuid, count } = readViewerMessage(event.data) ?? {}
      if (action === 'viewer-ahead') setListening(true)
      if (action === 'list-priors') void tellPriors()
      if (action === 'open-prior') void openPrior(uuid)
      if (action === 'open-lengths') setOpenLengths(count ?? 0)
      if (action === 'open-reports') onReports()
      if (action !== 'close-viewer') return
      if (document.fullscreenElement) void document.exitFullscreen()
      onClose()
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [onClose, onReports, tellPriors, openPrior])
  if (isShown && study.image_count === 0) return <QuietState title={t('viewer.noImages')} />
  return (
    <div className={style.viewer}>
      {openLengths > 0 && <LengthsGuard count={openLengths} />}
      {(isAhead || sid) && (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- our own page of this host, which needs scripts and storage; its own policy confines it
        <iframe
          ref={frame}
          title={isShown ? t('viewer.title', { name: nameText(study.patient_name) }) : ''}
          src={isAhead || !sid ? viewerAheadAddress() : viewerAddress(study, sid, openedLook, mayStoreLengths)}
          // what the page shows before its exam is nothing
          style={isShown && !sid ? { display: 'none' } : {}}
          allow="fullscreen"
          // a change while the page loaded was heard by nobody
          onLoad={tellScheme}
        />
      )}
      {isShown && !sid && (
        <div className={style.viewerState}>
          {error ? (
            <QuietState title={t('viewer.failed')}>
              <Button variant="default" onClick={() => void refetch()}>
                {t('button.retry')}
              </Button>
            </QuietState>
          ) : (
            <LoadingState label={t('viewer.opening')} />
          )}
        </div>
      )}
    </div>
  )
}
