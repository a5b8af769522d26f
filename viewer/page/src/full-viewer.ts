import type { ViewerAddress } from './address.ts'
import { element } from './element.ts'
import { onFrameClose } from './host-messages.ts'
import { texts } from './texts.ts'

declare global {
  interface Window {
    /** Read by OHIF's configuration from inside its frame; see viewer/src/ohif-pages.ts. */
    hilumViewer?: { sid: string; dicomWebRoot: string }
  }
}

const OHIF = '/viewer/'

/** Whether this server has the full viewer ready; without it the product goes on with the quick viewer. */
export async function hasFullViewer(): Promise<boolean> {
  return fetch(`${OHIF}app-config.js`, { method: 'HEAD', credentials: 'omit' }).then(
    (response) => response.ok,
    () => false,
  )
}

/** OHIF over the whole page. Escape is left to it: there it ends a half-drawn measurement. */
export function createFullViewer(
  address: ViewerAddress,
  dicomWebRoot: string,
  handleClose: () => void,
): { root: HTMLElement; remove: () => void } {
  window.hilumViewer = { sid: address.sid, dicomWebRoot }
  const frame = element('iframe', {
    class: 'full-frame',
    title: texts.fullScreen,
    src: `${OHIF}viewer?StudyInstanceUIDs=${encodeURIComponent(address.studyUid)}`,
    allow: 'fullscreen',
  })
  const root = element('div', { class: 'full' }, frame, element('p', { class: 'notice' }, texts.notice))
  frame.addEventListener('load', () => frame.contentWindow?.focus())
  const stopHearing = onFrameClose(frame, handleClose)
  return {
    root,
    remove: () => {
      stopHearing()
      root.remove()
      delete window.hilumViewer
    },
  }
}
