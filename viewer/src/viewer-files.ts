import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ohifRelease } from './ohif-release.ts'
import { PROVIEWER_BASE, VIEWER_BASE } from './viewer-base.ts'

export type FoundFile = { path: string; headers: Record<string, string> }

/**
 * For OHIF. Inline styles are its own; `wasm-unsafe-eval` runs the decoders, which are started as blob workers.
 * `object-src blob:` shows a PDF that came over DICOMweb.
 */
const VIEWER_CSP = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  'object-src blob:',
  "connect-src 'self' blob: data:",
  "font-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/**
 * For OHIF's decoding worker alone: the JPEG-LS decoder in this release glues its functions with `new Function`. A worker's
 * policy is its own, so the pages keep theirs; a worker has no document, and this one may ask for our own files only.
 */
const DECODE_WORKER_CSP = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-eval' 'wasm-unsafe-eval'",
  "connect-src 'self'",
].join('; ')

/** For our own page: no inline script, no style element, no frame but OHIF. */
const PROVIEWER_CSP = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  // The measuring tool writes style attributes on its texts; elements with styles stay forbidden.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  // videos of an exam, by their address or once they were fetched
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Whether OHIF is prepared in a folder. It comes into being by one rename, complete or not at all. */
export async function isViewerPrepared(dir: string): Promise<boolean> {
  return stat(join(dir, 'index.html')).then(
    () => true,
    () => false,
  )
}

/**
 * The file of the prepared OHIF (see `prepareViewer`) that answers an address under /viewer/; addresses that OHIF makes up
 * itself (/viewer/viewer?…) answer with its start page.
 * @param urlPath still percent-encoded, without the query
 */
export function findViewerFile(dir: string, urlPath: string, acceptEncoding = ''): Promise<FoundFile | undefined> {
  return findFile({ dir, base: VIEWER_BASE, csp: VIEWER_CSP }, urlPath, acceptEncoding)
}

/**
 * The file of the page behind /proviewer/. The start page of the viewer must never be cached or leak its address: the
 * address carries a sid.
 * @param urlPath still percent-encoded, without the query
 */
export function findProviewerFile(dir: string, urlPath: string, acceptEncoding = ''): Promise<FoundFile | undefined> {
  return findFile({ dir, base: PROVIEWER_BASE, csp: PROVIEWER_CSP }, urlPath, acceptEncoding)
}

type FileSet = { dir: string; base: string; csp: string }

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
}

/** Names with a hash of the content: 16 to 20 hex digits (OHIF), or a dash and 8 letters (our page's assets folder). */
const NAMED_BY_CONTENT = /(^|[./])[0-9a-f]{16,20}\.|^assets\/[^/]+-[\w-]{8}\.\w+$/

async function findFile(set: FileSet, urlPath: string, acceptEncoding: string): Promise<FoundFile | undefined> {
  const asked = pathInside(set.base, urlPath)
  if (asked === undefined) return undefined
  const name = extname(asked) === '' ? 'index.html' : asked
  const type = CONTENT_TYPES[extname(name)]
  const path = join(set.dir, name)
  const found = type === undefined ? undefined : await statFile(path)
  if (type === undefined || found === undefined) return undefined
  const headers: Record<string, string> = {
    'content-type': type,
    'cache-control': cacheControl(set.base, name),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': name === ohifRelease.decodeWorker ? DECODE_WORKER_CSP : set.csp,
    vary: 'accept-encoding',
  }
  const packed = acceptsGzip(acceptEncoding) ? await statFile(`${path}.gz`) : undefined
  const sent = packed ?? found
  headers['content-length'] = String(sent.size)
  headers['etag'] = `"${found.size.toString(36)}-${Math.trunc(found.mtimeMs).toString(36)}${packed ? '-gz' : ''}"`
  if (packed === undefined) return { path, headers }
  headers['content-encoding'] = 'gzip'
  return { path: `${path}.gz`, headers }
}

/** The decoded path below the base, or undefined where it is not below it or could leave the folder. */
function pathInside(base: string, urlPath: string): string | undefined {
  if (`${urlPath}/` === base) return ''
  if (!urlPath.startsWith(base)) return undefined
  try {
    const decoded = decodeURIComponent(urlPath.slice(base.length))
    const isOutside = /[\0\\]/.test(decoded) || decoded.startsWith('/') || decoded.split('/').includes('..')
    return isOutside ? undefined : decoded
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** The start page of /proviewer/ is asked for with a sid in its address: it is kept nowhere. */
function cacheControl(base: string, name: string): string {
  if (NAMED_BY_CONTENT.test(name)) return 'public, max-age=31536000, immutable'
  return base === PROVIEWER_BASE ? 'no-store' : 'no-cache'
}

function acceptsGzip(acceptEncoding: string): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(acceptEncoding)
}

async function statFile(path: string): Promise<{ size: number; mtimeMs: number } | undefined> {
  try {
    const found = await stat(path)
    return found.isFile() ? found : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  }
}
