import { savesData } from '@hilum/contract/saves-data'
import type { ViewerAddress } from './address.ts'
import { createFullViewer, type FullViewer, hasFullViewer } from './full-viewer.ts'
import { pauseVideos } from './pause-videos.ts'
import type { QuickViewer } from './quick-viewer-options.ts'
import { whenQuiet } from './when-quiet.ts'
import { texts } from './texts.ts'

type FullScreen = {
  /** Has the full viewer started unseen as soon as somebody only looks; nothing of the study is asked for. */
  standBy: () => void
  open: () => Promise<void>
  /** The session of the viewer names other exams than before. */
  setAddress: (address: ViewerAddress) => void
}

/** Full screen goes over the quick viewer and comes back to it, by Close, by Back and by the browser's own way out. */
export function createFullScreen(
  app: HTMLElement,
  pair: HTMLElement,
  quick: QuickViewer,
  address: ViewerAddress,
): FullScreen {
  let ahead: FullViewer | undefined
  let stopWaiting: () => void = () => undefined
  let isOpening = false

  function standBy(): void {
    if (savesData()) return
    stopWaiting()
    stopWaiting = whenQuiet(quick.isBusy, () => void begin())
  }

  async function begin(): Promise<void> {
    if (ahead || isOpening || !(await hasFullViewer()) || ahead || isOpening) return
    ahead = createFullViewer(address)
    app.append(ahead.root)
    ahead.standBy()
  }

  async function open(): Promise<void> {
    if (isOpening) return
    isOpening = true
    stopWaiting()
    const isThere = ahead ? Promise.resolve(true) : hasFullViewer()
    const full = ahead ?? createFullViewer(address)
    ahead = undefined
    const place = quick.shown()
    pair.hidden = true
    pauseVideos(pair)
    quick.setUnseen(true)
    if (!full.root.isConnected) app.append(full.root)
    void enterFullScreen().then((isFull) => {
      if (isFull && !full.root.isConnected) void document.exitFullscreen()
    })
    const removeEntry = enterHistory(close)
    document.addEventListener('fullscreenchange', leaveWithFullScreen)
    full.open(leave, place, isThere)
    if ((await isThere) || !full.root.isConnected) return
    leave()
    quick.note(texts.noFullViewer)

    function leaveWithFullScreen(): void {
      if (document.fullscreenElement === null) leave()
    }

    function leave(): void {
      removeEntry()
      close()
    }

    function close(): void {
      document.removeEventListener('fullscreenchange', leaveWithFullScreen)
      full.remove()
      pair.hidden = false
      quick.setUnseen(false)
      isOpening = false
      if (document.fullscreenElement !== null) void document.exitFullscreen()
      standBy()
    }
  }

  return {
    standBy,
    open,
    setAddress: (named) => {
      const isSame = named.sid === address.sid
      address = named
      if (isSame || !ahead) return
      ahead.remove()
      ahead = undefined
      standBy()
    },
  }
}

/**
 * Stands as a page of its own in the browser's history, so that Back does not leave the page around.
 * @returns takes the page out again
 */
function enterHistory(handleBack: () => void): () => void {
  const entryAround = () => JSON.stringify(window.parent.history.state)
  const before = entryAround()
  history.pushState({ isFull: true }, '')
  window.addEventListener('popstate', handleBack, { once: true })
  return () => {
    window.removeEventListener('popstate', handleBack)
    // where the page around went on meanwhile, Back would undo its step
    if (entryAround() === before) history.back()
  }
}

/** Where the host or the browser does not allow it, the full viewer fills the page's own area. */
async function enterFullScreen(): Promise<boolean> {
  if (!document.fullscreenEnabled) return false
  return document.documentElement.requestFullscreen().then(
    () => true,
    () => false,
  )
}
