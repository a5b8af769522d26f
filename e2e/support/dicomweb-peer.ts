import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** Answer of dicomweb-client: bytes as their length and hash, or the status that it stopped at. */
export type PeerAnswer =
  | { kind: 'json'; value: unknown }
  | { kind: 'bytes'; parts: { bytes: number; sha256: string; opening: string }[] }
  | { kind: 'failed'; status: number; reason: string }

export interface DicomwebPeer {
  /** Calls one of its methods. */
  ask: (method: string, options?: object) => Promise<PeerAnswer>
  /** As `ask`, for answers of JSON. */
  list: (method: string, options?: object) => Promise<Record<string, { vr: string; Value?: unknown[] }>[]>
  /** Sends files by `storeInstances`. */
  store: (files: readonly string[]) => Promise<PeerAnswer>
}

/** The methods of the package, as far as they are called by their names here. */
type Client = Record<string, (options: object) => Promise<unknown>>
type PeerWindow = Window & {
  DICOMwebClient: { api: { DICOMwebClient: new (options: object) => Client } }
  peer: Client
}

/**
 * dicomweb-client, the library that OHIF and others speak DICOMweb with, in a page of our own origin. The page must
 * be of a context with `bypassCSP`: its script is none of ours.
 */
export async function openDicomwebPeer(page: Page, url: string, sid: string): Promise<DicomwebPeer> {
  const bundle = createRequire(import.meta.url).resolve('dicomweb-client')
  await page.addScriptTag({ content: readFileSync(bundle, 'utf8') })
  await page.evaluate(
    ([address, token]) => {
      const here = window as unknown as PeerWindow
      const headers = token ? { Authorization: `Bearer ${token}` } : {}
      here.peer = new here.DICOMwebClient.api.DICOMwebClient({ url: address, headers, verbose: false })
    },
    [url, sid],
  )
  const ask = (method: string, options: object = {}): Promise<PeerAnswer> =>
    page.evaluate(
      async ({ method, options }): Promise<PeerAnswer> => {
        const { peer } = window as unknown as PeerWindow
        const describe = async (bytes: ArrayBuffer) => {
          const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
          const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
          const opening = new TextDecoder('latin1').decode(bytes.slice(0, 4))
          return { bytes: bytes.byteLength, sha256, opening }
        }
        try {
          const given = await peer[method]?.(options)
          if (given instanceof ArrayBuffer) return { kind: 'bytes', parts: [await describe(given)] }
          if (Array.isArray(given) && given[0] instanceof ArrayBuffer)
            return { kind: 'bytes', parts: await Promise.all(given.map(describe)) }
          return { kind: 'json', value: typeof given === 'string' ? (JSON.parse(given) as unknown) : given }
        } catch (error) {
          const { status = 0, message, response } = error as Error & { status?: number; response?: unknown }
          const words = response instanceof ArrayBuffer ? new TextDecoder().decode(response) : JSON.stringify(response)
          return { kind: 'failed', status, reason: `${message}: ${words}` }
        }
      },
      { method, options },
    )
  return {
    ask,
    list: async (method, options) => {
      const answer = await ask(method, options)
      if (answer.kind !== 'json') throw new Error(`${method} gave ${JSON.stringify(answer)}`)
      return answer.value as Record<string, { vr: string; Value?: unknown[] }>[]
    },
    store: async (files) => {
      const texts = files.map((file) => readFileSync(file, 'base64'))
      await page.evaluate((encoded) => {
        const decode = (text: string) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer
        const { peer } = window as unknown as PeerWindow
        const storeInstances = peer['storeInstances']
        peer['storeAll'] = async () => storeInstances?.call(peer, { datasets: encoded.map(decode) })
      }, texts)
      return ask('storeAll')
    },
  }
}
