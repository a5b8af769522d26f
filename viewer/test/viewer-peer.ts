import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findProviewerFile, findViewerFile } from '../src/viewer-files.ts'
import { createDicomWebPeer } from './dicomweb-peer.ts'

export type ViewerPeer = {
  origin: string
  studyUids: string[]
  /** "METHOD /path?query" of everything that was asked, in order. */
  requests: string[]
  close: () => Promise<void>
}

/** A page that frames what `?to=` names and writes down the messages it gets, as the web app's panel does. */
const HOST_PAGE = `<!doctype html><title>host</title><link rel="icon" href="data:,"><script defer src="/host.js"></script>
<body style="margin:0"><iframe id="frame" allow="fullscreen" style="border:0;display:block;width:100vw;height:100vh"></iframe>`
const HOST_SCRIPT = `window.messages = []
addEventListener('message', (event) => window.messages.push(event.data))
document.querySelector('#frame').src = decodeURIComponent(location.hash.slice(1))`

/**
 * The two viewers as a server would serve them, before a DICOMweb that wants the sid in the Authorization header.
 * @param pageDir the built page around them
 * @param viewerDir the prepared OHIF, or undefined for a server without it
 */
export async function startViewerPeer(options: {
  places: string[]
  sid: string
  pageDir: string
  viewerDir: string | undefined
}): Promise<ViewerPeer> {
  const dicomWeb = await createDicomWebPeer(options.places)
  const requests: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://peer')
    requests.push(`${request.method} ${url.pathname}${url.search}`)
    const acceptEncoding = String(request.headers['accept-encoding'] ?? '')
    const answer = async () => {
      if (url.pathname === '/host') return send(response, 'text/html', HOST_PAGE)
      if (url.pathname === '/host.js') return send(response, 'text/javascript', HOST_SCRIPT)
      if (url.pathname.startsWith('/dicomweb/')) {
        if (request.headers.authorization === `Bearer ${options.sid}`) return dicomWeb.answer(url, request, response)
        response.writeHead(401)
        return response.end()
      }
      const file =
        (await findProviewerFile(options.pageDir, url.pathname, acceptEncoding)) ??
        (options.viewerDir === undefined
          ? undefined
          : await findViewerFile(options.viewerDir, url.pathname, acceptEncoding))
      response.writeHead(file === undefined ? 404 : 200, file?.headers)
      response.end(file === undefined || request.method === 'HEAD' ? undefined : await readFile(file.path))
    }
    answer().catch((error: unknown) => {
      response.writeHead(500)
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    studyUids: dicomWeb.studyUids,
    requests,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())))
    },
  }
}

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` })
  response.end(text)
}
