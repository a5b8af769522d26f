import { addressOf } from '@hilum/contract/route'
import { capabilities, storeMeasurements } from '@hilum/contract/routes/dicomweb'
import { VIEWER_BASE, WHOLE_MARK } from '../../src/viewer-base.ts'
import type { ViewerAddress } from './address.ts'
import { element } from './element.ts'
import { createFullBar } from './full-bar.ts'
import type { FullSwitches } from './full-switches.ts'
import { onFrameClose } from './host-messages.ts'
import { texts } from './texts.ts'

declare global {
  interface Window {
    /** Read by OHIF's configuration from inside its frame; see full/configuration.ts. */
    hilumViewer?: {
      sid: string
      namespace: string
      dicomWebRoot: string
      measurementsOf: (studyUid: string) => string
      mayStore: boolean
      switches: FullSwitches
      dateFormat: string
    }
  }
}

/** Whether this server has the full viewer ready; without it the product goes on with the quick viewer. */
export async function hasFullViewer(): Promise<boolean> {
  // a list that is empty before; another file would be a failure in the browser's log
  const response = await fetch(`${VIEWER_BASE}ahead.json`, { credentials: 'omit' }).catch(() => undefined)
  const files: unknown = response?.ok ? await response.json().catch(() => undefined) : undefined
  return Array.isArray(files) && files.length > 0
}

/** The interval at which the frame is checked for a viewer. */
const LOOK_MS = 100
/** After so long somebody is told that it may not come. */
const LONG_MS = 10_000
/** OHIF without a study. */
const STAND_BY = `${VIEWER_BASE}viewer`

/** OHIF over the page, in a frame that can stand by unseen before it is opened. */
export type FullViewer = {
  root: HTMLElement
  /** Starts OHIF without a study, so that it has only a study to fetch when it is opened. */
  standBy: () => void
  /** @param isThere whether this server has OHIF; until then, words say that it is opened */
  open: (handleClose: () => void, shown?: ShownPlace, isThere?: Promise<boolean>) => void
  remove: () => void
}

/**
 * Until OHIF shows a study, words and a way out lie over its black; then Escape is left to it: there it ends a half-drawn
 * measurement.
 */
export function createFullViewer(address: ViewerAddress): FullViewer {
  const namespace = address.phiNamespace
  const bar = createFullBar()
  const host: Window['hilumViewer'] = {
    sid: address.sid,
    namespace,
    dicomWebRoot: addressOf(capabilities, { namespace }),
    measurementsOf: (study) => addressOf(storeMeasurements, { namespace, study }),
    mayStore: address.mayStore,
    switches: bar.switches,
    dateFormat: address.dateFormat,
  }
  window.hilumViewer = host
  const frame = element('iframe', { title: '', allow: 'fullscreen' })
  const root = element('div', { class: 'full stand-by', inert: true, 'aria-hidden': 'true' }, frame)
  let end: () => void = () => undefined

  function open(handleClose: () => void, shown: ShownPlace = {}, isThere = Promise.resolve(true)): void {
    const cover = createCover(handleClose)
    frame.className = 'full-frame'
    frame.title = texts.fullScreen
    // not before: the controls of a bar that nobody sees would bear the names of those of the quick viewer
    frame.after(cover.root, bar.root)
    root.className = 'full'
    root.inert = false
    root.removeAttribute('aria-hidden')
    void isThere.then((is) => {
      if (is && root.isConnected) showIn(frame, `${STAND_BY}?${addressOfPlace(address.studyUid, shown)}`)
    })
    const leaveByEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && (cover.root.isConnected || bar.root.contains(document.activeElement))) handleClose()
    }
    window.addEventListener('keydown', leaveByEscape)
    const empty = element('p', { class: 'empty', role: 'status' }, texts.fullViewerEmpty)
    const tellEmptyAt = Date.now() + (shown.isPictureless ? 0 : LONG_MS)
    const looking = setInterval(() => {
      if (!frame.contentDocument?.querySelector('#hilum-close')) return
      if (cover.root.isConnected) {
        const hadFocus = cover.root.contains(document.activeElement)
        cover.remove()
        if (hadFocus || document.activeElement === document.body) frame.contentWindow?.focus()
      }
      // goes when something comes after all
      if (!isEmpty(frame.contentDocument)) empty.remove()
      else if (Date.now() >= tellEmptyAt && !empty.isConnected) bar.root.before(empty)
    }, LOOK_MS)
    const stopHearing = onFrameClose(frame, handleClose)
    end = () => {
      clearInterval(looking)
      window.removeEventListener('keydown', leaveByEscape)
      stopHearing()
      cover.remove()
    }
  }

  return {
    root,
    standBy: () => {
      frame.src = STAND_BY
    },
    open,
    remove: () => {
      end()
      root.remove()
      if (window.hilumViewer === host) delete window.hilumViewer
    },
  }
}

/**
 * Goes to an address of OHIF, without loading it anew where it runs. Where it failed to load, the frame holds the
 * browser's own page, which is not ours to read, a proxy's, or OHIF without some of its parts.
 */
export function showIn(frame: HTMLIFrameElement, address: string): void {
  const page = frame.contentDocument?.querySelector(`[${WHOLE_MARK}]`)?.ownerDocument.defaultView
  if (page?.location.pathname !== STAND_BY) {
    // another entry of the history would be in the way of Back
    frame.contentWindow?.location.replace(address)
    return
  }
  // what its router does with Back
  page.history.replaceState(page.history.state, '', address)
  page.dispatchEvent(new PopStateEvent('popstate'))
}

/** The place in the quick viewer: series and image that the full one opens on, or that the study has no picture. */
export type ShownPlace = { seriesUid?: string; sopUid?: string; isPictureless?: boolean }

function addressOfPlace(studyUid: string, { seriesUid, sopUid }: ShownPlace): string {
  return new URLSearchParams({
    StudyInstanceUIDs: studyUid,
    ...(seriesUid !== undefined && { initialSeriesInstanceUID: seriesUid }),
    ...(sopUid !== undefined && { initialSOPInstanceUID: sopUid }),
  }).toString()
}

/** A place for pictures without a word: pictures have their window and date written over them, reports are words. */
function isEmpty(page: Document | null): boolean {
  const grid = page?.querySelector<HTMLElement>('[data-cy="viewport-grid"]')
  return grid !== null && grid !== undefined && grid.innerText.trim() === ''
}

/** The screen until the viewer stands, with a way out from the first moment. */
function createCover(handleClose: () => void): { root: HTMLElement; remove: () => void } {
  const words = element('p', {}, texts.loadingFullViewer)
  const close = element('button', { type: 'button', class: 'again' }, texts.close)
  close.addEventListener('click', handleClose)
  const root = element('div', { class: 'words cover', role: 'status', 'data-busy': true }, words, close)
  const tellLong = setTimeout(() => {
    words.textContent = texts.fullViewerSlow
  }, LONG_MS)
  return {
    root,
    remove: () => {
      clearTimeout(tellLong)
      root.remove()
    },
  }
}
