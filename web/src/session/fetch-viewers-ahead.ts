import { clientHeaders } from '@hilum/contract/client-headers'
import { savesData } from '@hilum/contract/saves-data'
import { addressOf } from '@hilum/contract/route'
import { fullViewer, viewerPage } from '@hilum/contract/routes/others'

/** Long enough that lists and their pictures come first. */
const AFTER_MS = 1500
/** Lists of files that the pages of both viewers load, made when the pages are. */
const LISTS = [viewerPage, fullViewer].map((pages) => addressOf(pages, { '*': 'ahead.json' }))

/**
 * Has the browser fetch the code of both viewers while somebody looks at a list, at its lowest priority. The files are
 * named by their content, so a browser that has them asks for nothing, nor does one that saves data.
 * @returns stops that
 */
export function fetchViewersAhead(): () => void {
  if (savesData()) return () => undefined
  const stop = new AbortController()
  const timer = setTimeout(() => {
    // without a list the viewers are fetched when they are opened
    for (const list of LISTS) fetchListed(list, stop.signal).catch(() => undefined)
  }, AFTER_MS)
  return () => {
    clearTimeout(timer)
    stop.abort()
  }
}

async function fetchListed(list: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(list, { credentials: 'omit', signal, headers: clientHeaders() }).catch(() => undefined)
  const files: unknown = response?.ok ? await response.json().catch(() => undefined) : undefined
  if (!Array.isArray(files)) return
  for (const file of files) {
    if (typeof file !== 'string' || document.head.querySelector(`link[href="${CSS.escape(file)}"]`)) continue
    const link = document.createElement('link')
    link.rel = 'prefetch'
    link.as = file.endsWith('.css') ? 'style' : 'script'
    link.href = file
    document.head.append(link)
  }
}
