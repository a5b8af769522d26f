import { expect, it, onTestFinished, vi } from 'vitest'
import { VIEWER_BASE, WHOLE_MARK } from '../../src/viewer-base.ts'
import { showIn } from './full-viewer.ts'

const ADDRESS = `${VIEWER_BASE}viewer?StudyInstanceUIDs=1.2.3`

/** A frame with a page of our own origin: OHIF whole, or another. */
function frameWith(isWhole: boolean, pathname = `${VIEWER_BASE}viewer`) {
  vi.stubGlobal('PopStateEvent', Event)
  onTestFinished(() => void vi.unstubAllGlobals())
  const inside = vi.fn()
  const anew = vi.fn()
  const page = Object.assign(new EventTarget(), {
    location: { pathname, replace: anew },
    history: { state: {}, replaceState: inside },
  })
  const root = { ownerDocument: { defaultView: page } }
  const contentDocument = { querySelector: (asked: string) => (isWhole && asked === `[${WHOLE_MARK}]` ? root : null) }
  return { frame: { contentDocument, contentWindow: page } as unknown as HTMLIFrameElement, inside, anew }
}

/** A frame with the browser's own page, of which nothing may be read. */
function foreignFrame() {
  const anew = vi.fn()
  const location = {
    replace: anew,
    get pathname(): string {
      throw new DOMException('Blocked a frame from accessing a cross-origin frame.', 'SecurityError')
    },
  }
  return { frame: { contentDocument: null, contentWindow: { location } } as unknown as HTMLIFrameElement, anew }
}

it('shows a study in the viewer that stands by, without loading it anew', () => {
  const { frame, inside, anew } = frameWith(true)
  showIn(frame, ADDRESS)
  expect(inside).toHaveBeenCalledWith({}, '', ADDRESS)
  expect(anew).not.toHaveBeenCalled()
})

it.each([
  ["a proxy's words at the same address, or the viewer without some of its parts", () => frameWith(false)],
  ['an empty page', () => frameWith(false, 'blank')],
  ["the browser's own page, which may not be read", foreignFrame],
])('loads the viewer anew where its frame holds %s', (_name, make) => {
  const { frame, anew } = make()
  showIn(frame, ADDRESS)
  expect(anew).toHaveBeenCalledWith(ADDRESS)
})
