import { type DicomObject, jsonTextOf, numberOf } from './dicom-json.ts'
import type { StudySource } from './dicomweb.ts'
import { element } from './element.ts'
import { createLoadingLine } from './loading-line.ts'
import { isMpeg2 } from './object-kind.ts'
import { texts } from './texts.ts'
import { faultOfPlayer, faultOfRequest, type PlayerFailure, type VideoFault } from './video-fault.ts'
import { askForVideo, fetchVideo, typeOfAddress } from './video-source.ts'

const SOP_UID = '00080018'

/** Begins a video, and ends the one before: a series of endoscopy would take more memory than a page gets. */
type BeginVideo = () => AbortSignal

/** The videos of a series below each other, each fetched and played when it is pressed, or with the reason why it is not. */
export function createVideoSheet(
  instances: readonly DicomObject[],
  source: StudySource,
): { root: HTMLElement; leave: () => void } {
  const left = new AbortController()
  let playing: AbortController | undefined
  const begin: BeginVideo = () => {
    playing?.abort()
    playing = new AbortController()
    return AbortSignal.any([left.signal, playing.signal])
  }
  const root = element(
    'div',
    { class: 'sheet', tabindex: 0, role: 'group', 'aria-label': texts.videos },
    ...instances.map((instance, at) =>
      drawVideo(instance, texts.videoOf(at + 1, instances.length), source, begin, left.signal),
    ),
  )
  return { root, leave: () => left.abort() }
}

function drawVideo(
  instance: DicomObject,
  name: string,
  source: StudySource,
  begin: BeginVideo,
  left: AbortSignal,
): HTMLElement {
  const address = source.videoAddress(jsonTextOf(instance, SOP_UID))
  const playing = createLoadingLine(name, isMpeg2(instance) ? texts.videoOfMpeg2 : '')
  const saving = createLoadingLine(name)
  const start = element('button', { type: 'button', class: 'again' })
  const save = element(
    'button',
    { type: 'button', class: 'again', 'aria-label': `${texts.downloadVideo}: ${name}` },
    texts.downloadVideo,
  )
  const acts = element('div', { class: 'video-acts' }, start, save)
  const figure = element('figure', { tabindex: -1 }, element('figcaption', {}, name), playing.root, acts, saving.root)
  nameStart(texts.playVideo)
  start.hidden = isMpeg2(instance)
  start.addEventListener('click', () => void play(begin()))
  save.addEventListener('click', () => void download())

  function nameStart(label: string): void {
    start.textContent = label
    start.setAttribute('aria-label', `${label}: ${name}`)
  }

  function offer(label: string, text: string): void {
    nameStart(label)
    start.hidden = false
    playing.say(text)
    if (document.activeElement === figure) start.focus()
  }

  function fail({ words, mayTryAgain }: VideoFault): void {
    playing.say(words)
    if (mayTryAgain) offer(texts.tryAgain, words)
  }

  async function play(signal: AbortSignal): Promise<void> {
    let isOver = false
    const failNow = (fault: VideoFault) => {
      isOver = true
      fail(fault)
    }
    const hadFocus = start.matches(':focus')
    playing.say(texts.loadingVideo)
    // a button that is hidden would lose it to the page
    if (hadFocus) figure.focus()
    start.hidden = true
    // another video of the series was begun; the reason why this one did not come stays
    signal.addEventListener('abort', () => {
      if (!isOver) offer(texts.playVideo, '')
    })
    try {
      const isByAddress = (await typeOfAddress(address, signal)) !== undefined
      signal.throwIfAborted()
      const src = isByAddress
        ? address
        : URL.createObjectURL(await fetchVideo(address, source, signal, playing.showShare))
      if (signal.aborted) return free(src)
      const video = element('video', { controls: true, playsinline: true, 'aria-label': name })
      // nothing sounds behind the full viewer
      video.autoplay = figure.getClientRects().length > 0
      const [rows, columns] = [numberOf(instance, '00280010'), numberOf(instance, '00280011')]
      if (rows && columns) video.style.aspectRatio = `${columns} / ${rows}`
      const handleError = async () => {
        const failed = { code: video.error?.code, hasPlayed: video.currentTime > 0 }
        const fault = isByAddress ? await faultOfAddress(failed, signal) : faultOfPlayer(failed, true)
        if (signal.aborted) return
        if (video.matches(':focus')) figure.focus()
        end(video, src)
        failNow(fault)
      }
      video.addEventListener('loadedmetadata', () => playing.say(''), { signal })
      video.addEventListener('error', () => void handleError(), { signal, once: true })
      signal.addEventListener('abort', () => end(video, src))
      video.src = src
      playing.root.before(video)
      if (document.activeElement === figure) video.focus()
    } catch (error) {
      if (!signal.aborted) failNow(faultOfRequest(error))
    }
  }

  /** A player says little of an address that it could not read: the server is asked again, by the session of this page. */
  async function faultOfAddress(failed: PlayerFailure, signal: AbortSignal): Promise<VideoFault> {
    if ((await typeOfAddress(address, signal)) !== undefined) return faultOfPlayer(failed, true)
    return askForVideo(address, source, signal).then(() => faultOfPlayer(failed, false), faultOfRequest)
  }

  async function download(): Promise<void> {
    save.disabled = true
    saving.say(texts.loadingVideo)
    try {
      const type = await typeOfAddress(address, left)
      if (type !== undefined) saveAs(address, type)
      else {
        const blob = await fetchVideo(address, source, left, saving.showShare)
        const src = URL.createObjectURL(blob)
        saveAs(src, blob.type)
        setTimeout(() => free(src), 60_000)
      }
      saving.say('')
    } catch (error) {
      if (!left.aborted) saving.say(faultOfRequest(error).words)
    } finally {
      save.disabled = false
    }
  }

  function saveAs(href: string, type: string): void {
    const ending = type.startsWith('video/mpeg') ? 'mpg' : 'mp4'
    element('a', { href, download: `${jsonTextOf(instance, SOP_UID)}.${ending}` }).click()
  }
  return figure
}

/** Ends the requests of a video that is not shown any more, and frees its bytes. */
function end(video: HTMLVideoElement, src: string): void {
  video.remove()
  video.pause()
  video.removeAttribute('src')
  video.load()
  free(src)
}

function free(src: string): void {
  if (src.startsWith('blob:')) URL.revokeObjectURL(src)
}
