/**
 * Tells whoever framed or opened this page to close the viewer: `{"action":"close-viewer"}` as JSON text.
 * A page that stands alone closes itself. Source: B§2.
 */
export function postCloseViewer(): void {
  const message = JSON.stringify({ action: 'close-viewer' })
  const host = window.parent === window ? (window.opener as Window | null) : window.parent
  host?.postMessage(message, location.origin)
  if (window.parent === window) window.close()
}

/** Asks the page around for its tab of reports. */
export function postOpenReports(): void {
  window.parent.postMessage(JSON.stringify({ action: 'open-reports' }), location.origin)
}

/** Calls back when the frame asks to be closed; messages of other windows or other sites are not heard. */
export function onFrameClose(frame: HTMLIFrameElement, close: () => void): () => void {
  const hear = (event: MessageEvent<unknown>) => {
    if (
      event.origin === location.origin &&
      event.source === frame.contentWindow &&
      actionOf(event.data) === 'close-viewer'
    )
      close()
  }
  window.addEventListener('message', hear)
  return () => window.removeEventListener('message', hear)
}

/** Calls back when the page that frames this one turns light or dark. */
export function onHostScheme(turn: (scheme: 'light' | 'dark') => void): void {
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.origin !== location.origin || event.source !== window.parent) return
    const scheme = fieldOf(event.data, 'scheme')
    if (scheme === 'light' || scheme === 'dark') turn(scheme)
  })
}

function actionOf(data: unknown): unknown {
  return fieldOf(data, 'action')
}

function fieldOf(data: unknown, name: string): unknown {
  if (typeof data !== 'string') return undefined
  try {
    const message: unknown = JSON.parse(data)
    return typeof message === 'object' && message !== null ? (message as Record<string, unknown>)[name] : undefined
  } catch (error) {
    // Browser extensions and OHIF's own parts post other texts here; they mean nothing to us.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
