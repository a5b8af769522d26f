import { createStudySource, RequestError, type StudySource } from './dicomweb.ts'
import type { DicomObject } from './dicom-json.ts'
import { element } from './element.ts'
import { listenToKeys, listenToWheel } from './keyboard.ts'
import { createPatientBanner } from './patient-banner.ts'
import { describeCorners } from './corners.ts'
import { createScreen } from './screen.ts'
import { readSeriesImages, type SeriesImages, type ViewerImage } from './series-images.ts'
import { createSeriesStrip, readStripSeries, type SeriesStrip, type StripSeries } from './series-strip.ts'
import type { StackView } from './stack-view.ts'
import { texts } from './texts.ts'
import { createToolbar } from './toolbar.ts'
import { byUsefulness, isScout } from './useful-series.ts'
import { listWindowPresets } from './window-presets.ts'

type Drawing = typeof import('./cornerstone.ts') & typeof import('./stack-view.ts')

export type QuickViewerOptions = {
  dicomWebRoot: string
  studyUid: string
  sid: string
  /** The page around has a banner of its own: two would only take room from the picture. */
  isPatientShown: boolean
  onFullScreen: () => void
  /** Undefined where the page around has no place for reports. */
  onReports: (() => void) | undefined
  onClose: (() => void) | undefined
}

/** The viewer in the panel: series strip, one image, a few tools. Returns once its frame stands; the study follows. */
export function createQuickViewer(options: QuickViewerOptions): { root: HTMLElement } {
  const source = createStudySource(options.dicomWebRoot, options.studyUid, options.sid)
  const screen = createScreen()
  let view: StackView | undefined
  let strip: SeriesStrip | undefined
  let current: string | undefined
  let patient: DicomObject | undefined
  let shown: Extract<SeriesImages, { kind: 'images' }> | undefined
  const toolbar = createToolbar(() => view, options.onFullScreen, options.onClose)
  const banner = element('div', {}, createPatientBanner(undefined))
  const side = element('div', { class: 'side' })
  toolbar.setSeries(undefined)
  listenToKeys(() => view, options.onClose ?? (() => undefined), screen.toggleCorners)
  listenToWheel(screen.picture, () => view)
  screen.slider.addEventListener('input', () => view?.goTo(Number(screen.slider.value)))

  const seriesImages = rememberSeries(source)
  // The drawing code (1 MB) and the study's first answers come at the same time.
  const drawing: Promise<Drawing> = loadDrawing(source)

  async function start(): Promise<void> {
    screen.wait(texts.loadingStudy)
    try {
      const [study, found] = await Promise.all([source.fetchStudy(), source.listSeries()])
      patient = study
      banner.replaceChildren(createPatientBanner(study))
      const list = found.map(readStripSeries).sort((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity))
      if (list.length === 0) return screen.say(texts.noSeries)
      const begin = await findFirstWithPicture(list)
      strip = createSeriesStrip(
        list,
        (series) => void open(series),
        (series, tile) => void drawTile(series, tile),
      )
      side.replaceChildren(strip.root)
      await open(begin)
    } catch (error) {
      fail(error, () => void start())
    }
  }

  /** A study that begins with a report or a scout still opens on the pictures it was made for. */
  async function findFirstWithPicture(list: StripSeries[]): Promise<StripSeries> {
    let scout: StripSeries | undefined
    for (const series of byUsefulness(list)) {
      const found = await seriesImages(series.seriesUid)
      if (found.kind === 'images' && !isScout(found)) return series
      if (found.kind === 'images') scout ??= series
    }
    return scout ?? (list[0] as StripSeries) // the caller has seen that there is one
  }

  async function open(series: StripSeries): Promise<void> {
    current = series.seriesUid
    strip?.choose(series.seriesUid)
    screen.wait(texts.loadingSeries)
    toolbar.setSeries(undefined)
    view?.clear()
    try {
      const found = await seriesImages(series.seriesUid)
      const { createStackView, registerImage } = await drawing
      if (current !== series.seriesUid) return
      if (found.kind === 'none')
        return screen.say(
          texts.notShown(found.reason),
          found.isReport ? options.onReports : undefined,
          texts.openReports,
        )
      shown = found
      strip?.setCount(series.seriesUid, countOf(found))
      view ??= createStackView(screen.picture, source, {
        onImage: (index, fault, again) => {
          screen.showImage(index, shown?.images.length ?? 0, shown?.clips ?? [], fault, again)
          screen.showCorners(fault === undefined ? describeCorners(shown?.images[index], patient) : undefined)
        },
        onWindow: (center, width) => screen.showWindow(shown?.isColour ? undefined : { center, width }),
        onPlaying: toolbar.setPlaying,
      })
      toolbar.setSeries({
        presets: listWindowPresets(series.modality, found.windows),
        isColour: found.isColour,
        count: found.images.length,
        hasOverlays: found.hasOverlays,
      })
      await view.open({
        imageIds: found.images.map((image) => registerImage(source, series.seriesUid, image)),
        images: found.images,
        clips: found.clips,
        isWithoutWindow: found.windows.length === 0 && !found.isColour,
        isExact: found.isExact,
      })
    } catch (error) {
      if (current === series.seriesUid) fail(error, () => void open(series))
    }
  }

  async function drawTile(
    series: StripSeries,
    tile: { canvas: HTMLCanvasElement; say: (text: string) => void },
  ): Promise<void> {
    try {
      const found = await seriesImages(series.seriesUid)
      if (found.kind === 'none') return tile.say(found.reason.replace(/^an? |, which.*$/g, ''))
      strip?.setCount(series.seriesUid, countOf(found))
      const middle = found.images[Math.trunc(found.images.length / 2)]
      if (middle === undefined) return
      if (await drawServersThumbnail(tile.canvas, series.seriesUid, middle)) return
      const { registerImage, drawThumbnail } = await drawing
      await drawThumbnail(tile.canvas, registerImage(source, series.seriesUid, middle))
      tile.canvas.classList.add('drawn')
    } catch {
      // A tile is a courtesy; the reason is told in words when the series is opened.
      tile.say(texts.noPreview)
    }
  }

  /** As the server draws it, with the window that it chooses; cheap, since only these pixels come. */
  async function drawServersThumbnail(
    canvas: HTMLCanvasElement,
    seriesUid: string,
    image: ViewerImage,
  ): Promise<boolean> {
    try {
      const address = `${source.frameAddress(seriesUid, image.sopUid, image.frame)}/thumbnail`
      const picture = await createImageBitmap(await (await source.fetchBytes(address, 'image/jpeg')).blob())
      const scale = Math.min(canvas.width / picture.width, canvas.height / picture.height)
      const [width, height] = [picture.width * scale, picture.height * scale]
      const paint = canvas.getContext('2d')
      paint?.drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height)
      picture.close()
      canvas.classList.add('drawn')
      return paint !== null
    } catch {
      return false // it is drawn here then
    }
  }

  function fail(error: unknown, again: () => void): void {
    if (!(error instanceof RequestError)) {
      screen.say(texts.notStarted)
      throw error
    }
    const words = {
      ended: texts.viewEnded,
      gone: texts.studyGone,
      unreachable: texts.unreachable,
      failed: texts.serverFailed,
    }
    screen.say(words[error.fault], error.fault === 'unreachable' || error.fault === 'failed' ? again : undefined)
  }

  const root = element(
    'div',
    { class: 'quick' },
    ...(options.isPatientShown ? [] : [banner]),
    toolbar.root,
    element('div', { class: 'body' }, side, screen.root),
    element('p', { class: 'notice' }, texts.notice),
  )
  void start()
  return { root }
}

function countOf(series: Extract<SeriesImages, { kind: 'images' }>): string {
  return series.clips.length > 1 ? texts.clipCount(series.clips.length) : texts.imageCount(series.images.length)
}

/** Each series is asked for once, by whoever needs it first; a failed answer is asked for again. */
function rememberSeries(source: StudySource): (seriesUid: string) => Promise<SeriesImages> {
  const asked = new Map<string, Promise<SeriesImages>>()
  return (seriesUid) => {
    const known = asked.get(seriesUid)
    if (known !== undefined) return known
    const asking = source.listInstances(seriesUid).then((instances: DicomObject[]) => readSeriesImages(instances))
    asked.set(seriesUid, asking)
    asking.catch(() => asked.delete(seriesUid))
    return asking
  }
}

async function loadDrawing(source: StudySource): Promise<Drawing> {
  const [cornerstone, stackView] = await Promise.all([import('./cornerstone.ts'), import('./stack-view.ts')])
  await cornerstone.startCornerstone(source)
  return { ...cornerstone, ...stackView }
}
