import { type DicomObject, jsonTextOf, numberOf } from './dicom-json.ts'
import type { StudySource } from './dicomweb.ts'
import { element } from './element.ts'
import { wordsOfFault } from './fault-words.ts'
import { isMpeg2 } from './object-kind.ts'
import { faultOfStatus, reasonOf, RequestError } from './request-error.ts'
import { texts } from './texts.ts'

const SOP_UID = '00080018'

/** The videos of a series below each other, each played by the browser, or with the reason why the browser cannot. */
export function createVideoSheet(
  instances: readonly DicomObject[],
  source: StudySource,
): { root: HTMLElement; leave: () => void } {
  const left = new AbortController()
  const root = element(
    'div',
    { class: 'sheet', tabindex: 0, role: 'group', 'aria-label': texts.videos },
    ...instances.map((instance, at) =>
      drawVideo(instance, texts.videoOf(at + 1, instances.length), source, left.signal),
    ),
  )
  return { root, leave: () => left.abort() }
}

function drawVideo(instance: DicomObject, name: string, source: StudySource, signal: AbortSignal): HTMLElement {
  const address = source.videoAddress(jsonTextOf(instance, SOP_UID))
  const words = element('p', { class: 'video-words', role: 'status' })
  const save = element('button', { type: 'button', class: 'again' }, texts.downloadVideo)
  const figure = element('figure', {}, element('figcaption', {}, name), words, save)
  save.addEventListener('click', () => void download())
  if (isMpeg2(instance)) words.textContent = texts.videoOfMpeg2
  else void play()

  async function play(): Promise<void> {
    words.textContent = texts.loadingVideo
    try {
      const src = await playableAddress(address, source, signal)
      const video = element('video', { controls: true, playsinline: true, preload: 'metadata', 'aria-label': name })
      const [rows, columns] = [numberOf(instance, '00280010'), numberOf(instance, '00280011')]
      if (rows && columns) video.style.aspectRatio = `${columns} / ${rows}`
      video.addEventListener('loadedmetadata', () => words.replaceChildren(), { signal })
      video.addEventListener(
        'error',
        () => {
          video.remove()
          words.textContent = texts.videoNotPlayed
        },
        { signal },
      )
      signal.addEventListener('abort', () => end(video, src))
      video.src = src
      words.before(video)
    } catch (error) {
      if (!signal.aborted) words.textContent = wordsOfFault(error)
    }
  }

  async function download(): Promise<void> {
    save.disabled = true
    words.textContent = texts.loadingVideo
    try {
      const blob = await fetchVideo(address, source, signal)
      const link = element('a', {
        href: URL.createObjectURL(blob),
        download: `${jsonTextOf(instance, SOP_UID)}.${blob.type === 'video/mpeg' ? 'mpg' : 'mp4'}`,
      })
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
      words.textContent = isMpeg2(instance) ? texts.videoOfMpeg2 : ''
    } catch (error) {
      if (!signal.aborted) words.textContent = wordsOfFault(error)
    } finally {
      save.disabled = false
    }
  }
  return figure
}

/** Ends the requests of a video that is not shown any more, and frees its bytes. */
function end(video: HTMLVideoElement, src: string): void {
  video.pause()
  video.removeAttribute('src')
  video.load()
  if (src.startsWith('blob:')) URL.revokeObjectURL(src)
}

/**
 * An address that the browser plays by ranges, with the cookie of the person who is signed in, since an address must not
 * carry a sid; where there is none, as behind a link, the whole video is fetched first.
 */
async function playableAddress(address: string, source: StudySource, signal: AbortSignal): Promise<string> {
  const probe = await fetch(address, { headers: { range: 'bytes=0-0' }, signal }).catch(() => undefined)
  await probe?.body?.cancel()
  if (probe?.ok) return address
  signal.throwIfAborted()
  return URL.createObjectURL(await fetchVideo(address, source, signal))
}

/** @throws RequestError */
async function fetchVideo(address: string, source: StudySource, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(address, { headers: source.headers, signal, credentials: 'omit' }).catch(
    (cause: unknown) => {
      throw new RequestError('unreachable', cause)
    },
  )
  if (!response.ok) throw new RequestError(faultOfStatus(response.status), undefined, await reasonOf(response))
  return response.blob()
}
