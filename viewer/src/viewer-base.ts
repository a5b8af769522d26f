import { addressOf } from '@hilum/contract/route'
import { fullViewer, viewerPage } from '@hilum/contract/routes/others'

/** Where the server shows OHIF; with the slash at both ends. Apart, so that serving files does not load the minifier. */
export const VIEWER_BASE = addressOf(fullViewer, { '*': '' })

/** Where the page around both viewers is shown; with the slash at both ends. */
export const PROVIEWER_BASE = addressOf(viewerPage, { '*': '' })

/** The attribute of a page of OHIF that has all its parts. */
export const WHOLE_MARK = 'data-hilum-whole'
