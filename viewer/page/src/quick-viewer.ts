import { createStudySource } from './dicomweb.ts'
import type { DicomObject } from './dicom-json.ts'
import { element } from './element.ts'
import { AS_STORED, chooseImages, countKeys, marksOf, type SeriesOptions, optionsOf } from './marked-series.ts'
import { presentationOf } from './presentation-state.ts'
import { isMarking, NO_MARKS, readStudyMarks } from './study-marks.ts'
import { type Drawing, loadDrawing } from './load-drawing.ts'
import { imageAt, linkedPlaceOf } from './linked-scroll.ts'
import { listenToKeys, listenToWheel } from './keyboard.ts'
import { createLengthByKeys } from './length-by-keys.ts'
import { createLengthControls } from './length-controls.ts'
import { drawLengths, NO_LENGTHS, readStoredLengths } from './stored-lengths.ts'
import { createPatientBanner, whoOf } from './patient-banner.ts'
import { describeCorners } from './corners.ts'
import { isWholeAnswer, rememberAnswers } from './remember-answers.ts'
import type { QuickViewer, QuickViewerOptions } from './quick-viewer-options.ts'
import { sayFault } from './say-fault.ts'
import { quickRemarks } from './quick-remarks.ts'
import { giveRoom, watchRoom } from './room.ts'
import { createScreen } from './screen.ts'
import { countOf, type ImageSeries, readSeriesImages, type SeriesWithout, type ViewerImage } from './series-images.ts'
import { createSeriesSheet } from './series-sheet.ts'
import { createSeriesStrip, readStripSeries, type SeriesStrip, type StripSeries } from './series-strip.ts'
import type { StackView } from './stack-view-options.ts'
import { texts } from './texts.ts'
import { createTileDrawing } from './tile-drawing.ts'
import { createToolbar } from './toolbar.ts'
import { findFirstWithPicture } from './first-series.ts'
import { listWindowPresets } from './window-presets.ts'

/** Tiles wait for the first picture, which they would hold up, and not for longer than this. */
const TILES_LATEST_MS = 2000

/** The viewer in the panel: series strip, one image, a few tools. Returns once its frame stands; the study follows. */
export function createQuickViewer(options: QuickViewerOptions): QuickViewer {
  const source = createStudySource(options.namespace, options.studyUid, options.sid)
  const screen = createScreen()
  let view: StackView | undefined
  let strip: SeriesStrip | undefined
  let current: string | undefined
  let patient: DicomObject | undefined
  let whole: ImageSeries | undefined
  let shown: ImageSeries | undefined
  let at = 0
  let [areTablesDrawn, areLayersWhole] = [true, true]
  let seriesOptions = AS_STORED
  let [marks, stored] = [NO_MARKS, NO_LENGTHS]
  let list: StripSeries[] = []
  let [isPictureless, isPlaying, isUnseen] = [false, false, false]
  let leaveSheet: () => void = () => undefined
  const lengthControls = createLengthControls({
    storing: options.storing,
    remove: (uid) => void drawing.then(({ removeLength }) => removeLength(uid)),
    picture: screen.picture,
  })
  const toolbar = createToolbar(
    () => view,
    {
      ...options,
      onKeyOnly: () => toggleKeyOnly(),
      onOverlays: (isOn) => {
        view?.setOverlays(isOn)
        screen.setOverlays(isOn)
      },
      onState: (state) => {
        seriesOptions = { ...seriesOptions, state }
        tellMarks()
      },
    },
    ...lengthControls.controls,
    ...options.controls,
  )
  const banner = element('div', {}, createPatientBanner(undefined))
  banner.hidden = options.isPatientShown
  const stripPlace = element('div', {})
  const side = element('div', { class: 'side' }, stripPlace)
  toolbar.setSeries(undefined)
  const lengthByKeys = createLengthByKeys(screen.picture)
  listenToKeys(() => view, {
    onEscape: options.onEscape ?? options.onClose ?? (() => undefined),
    onTexts: screen.toggleCorners,
    onKeyOnly: toggleKeyOnly,
    onMeasure: () => void measureByKeys(),
    onTakeOff: lengthControls.takeOff,
    onKey: lengthByKeys.take,
  })
  listenToWheel(screen.picture, () => view)
  screen.slider.addEventListener('input', () => view?.goTo(Number(screen.slider.value)))

  // the drawing code and the study's first answers come at the same time
  const drawing: Promise<Drawing> = loadDrawing(source)
  void drawing
    .then((drawn) => {
      drawn.hearLengths(lengthControls.setLengths)
      // ready before the answers about the study come
      view ??= makeView(drawn)
    })
    // told where the first picture is asked for
    .catch(() => undefined)
  const listInstances = rememberAnswers(source.listInstances)
  const seriesImages = rememberAnswers(async (seriesUid) => readSeriesImages(await listInstances(seriesUid)))
  const drawTile = createTileDrawing(source, seriesImages, drawing, (series, found) =>
    strip?.setCount(series.seriesUid, countOf(found)),
  )
  const studyMarks = rememberAnswers(() => readStudyMarks(list, listInstances), Infinity, isWholeAnswer)
  const storedLengths = rememberAnswers(() => readStoredLengths(list, listInstances), Infinity, isWholeAnswer)

  async function start(): Promise<void> {
    screen.wait(texts.loadingStudy)
    try {
      const named = source.fetchStudy().then((study) => {
        patient = study
        banner.replaceChildren(createPatientBanner(study))
        options.onWho(whoOf(study))
      })
      // waited for below
      named.catch(() => undefined)
      list = (await source.listSeries())
        .map(readStripSeries)
        .sort((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity))
      const [first, ...others] = list
      if (!first) {
        await named
        return screen.say(texts.noSeries)
      }
      const begin = await findFirstWithPicture([first, ...others], seriesImages)
      isPictureless = (await seriesImages(begin.seriesUid)).kind === 'none'
      // no picture stands under no name
      await named
      const pictured = Promise.withResolvers<void>()
      setTimeout(pictured.resolve, TILES_LATEST_MS)
      strip = createSeriesStrip(
        list,
        (series) => void open(series),
        (series, tile) => void pictured.promise.then(() => drawTile(series, tile)),
      )
      stripPlace.replaceChildren(strip.root)
      await open(begin)
      pictured.resolve()
      await findMarks()
    } catch (error) {
      sayFault(screen.say, error, () => void start())
    }
  }

  async function open(series: StripSeries, asked: SeriesOptions = AS_STORED): Promise<void> {
    current = series.seriesUid
    lengthControls.setSeries(current)
    leaveSheet()
    strip?.choose(series.seriesUid)
    screen.wait(texts.loadingSeries)
    toolbar.setSeries(undefined)
    view?.clear()
    try {
      const found = await seriesImages(series.seriesUid)
      if (found.kind === 'none' && (await openMarked(series))) return
      const drawn = await drawing
      if (current !== series.seriesUid) return
      if (found.kind !== 'images') whole = undefined
      if (found.kind === 'none') return sayWithoutPicture(series, found)
      if (found.kind !== 'images') return await showSheet(series, found)
      whole = found
      seriesOptions = asked
      view ??= makeView(drawn)
      strip?.setCount(series.seriesUid, countOf(found))
      toolbar.setSeries({
        presets: listWindowPresets(series.modality, found.windows),
        isColour: found.isColour,
        count: found.images.length,
        hasOverlays: found.hasOverlays,
      })
      tellMarks()
      await openStack(series.seriesUid)
      if (!marks.isWhole || !stored.isWhole) void askForMarks()
    } catch (error) {
      if (current === series.seriesUid) sayFault(screen.say, error, () => void open(series))
    }
  }

  function makeView({ createStackView }: Drawing): StackView {
    const made = createStackView(screen.picture, source, {
      onImage: (index, fault, isFollowing, again) => {
        lengthByKeys.leave()
        at = index
        const image = shown?.images[index]
        options.onPlace(image && linkedPlaceOf(image), isFollowing)
        screen.showImage(index, shown?.images.length ?? 0, shown?.clips ?? [], fault, again)
        writeOver(fault === undefined)
      },
      onWindow: (center, width) => screen.showWindow(shown?.isColour ? undefined : { center, width }),
      onPlaying: (isOn) => {
        isPlaying = isOn
        toolbar.setPlaying(isOn)
      },
      onTables: (isDrawn) => {
        areTablesDrawn = isDrawn
        writeOver(screen.root.dataset['state'] === 'image')
      },
      onLayers: (isWhole) => {
        areLayersWhole = isWhole
        writeOver(screen.root.dataset['state'] === 'image')
      },
    })
    made.setAhead(!isUnseen)
    return made
  }

  /** The series whose images a note, presentation or segmentation is about, shown as it says. */
  async function openMarked(series: StripSeries): Promise<boolean> {
    if (!isMarking(series)) return false
    await findMarks()
    if (current !== series.seriesUid) return true
    const uids = marks.aboutSeries.get(series.seriesUid) ?? []
    const about = list.find(({ seriesUid }) => uids.includes(seriesUid))
    if (about === undefined || isMarking(about)) return false
    await open(about, optionsOf(series.seriesUid, marks, series.modality))
    return true
  }

  function sayWithoutPicture(series: StripSeries, { reason, isReport }: SeriesWithout): void {
    const words = marks.aboutSeries.has(series.seriesUid) ? texts.marksOther(reason) : texts.notShown(reason)
    screen.say(words, isReport ? options.onReports : undefined, texts.openReports)
  }

  async function showSheet({ seriesUid }: StripSeries, found: Parameters<typeof createSeriesSheet>[0]): Promise<void> {
    const sheet = await createSeriesSheet(found, source, screen.root.clientWidth)
    if (current !== seriesUid) return sheet?.leave()
    if (!sheet) return screen.say(texts.noCurves)
    leaveSheet = sheet.leave
    screen.showSheet(sheet.root)
  }

  async function openStack(seriesUid: string, image?: ViewerImage): Promise<void> {
    if (!whole || !view) return
    const { registerImage } = await drawing
    if (current !== seriesUid) return
    const { series, startAt } = chooseImages(whole, marks, seriesOptions, image)
    shown = series
    areTablesDrawn = areLayersWhole = true
    await view.open({
      imageIds: series.images.map((one) => registerImage(source, seriesUid, one)),
      images: series.images,
      clips: series.clips,
      isWithoutWindow: series.windows.length === 0 && !series.isColour,
      isExact: series.isExact,
      isDarkOnLight: series.isPet,
      startAt,
    })
  }

  /** Objects about the images come after the first picture, which does not wait for them. */
  async function findMarks(): Promise<void> {
    await askForMarks()
    if (marks.notes.length === 0) return
    for (const { seriesUids } of marks.notes) {
      for (const seriesUid of seriesUids.filter((uid) => list.some((series) => series.seriesUid === uid))) {
        const found = await seriesImages(seriesUid)
        if (found.kind === 'images') strip?.setKeyCount(seriesUid, countKeys(found, marks))
      }
    }
  }

  async function askForMarks(): Promise<void> {
    ;[marks, stored] = await Promise.all([studyMarks(''), storedLengths('')])
    tellMarks()
  }

  function tellMarks(): void {
    if (!whole || !view) return
    const { keyCount, states, segments } = marksOf(whole, marks)
    const hasLengths = whole.images.some((image) => drawLengths(stored, image).length > 0)
    const hasOverlays = whole.hasOverlays || segments.length > 0 || seriesOptions.state !== undefined || hasLengths
    toolbar.setMarks({ keyCount, states, state: seriesOptions.state, isKeyOnly: seriesOptions.isKeyOnly, hasOverlays })
    const { segmentations, structureSets } = marks
    view.setMarks({ segmentations, structureSets, state: seriesOptions.state, lengths: stored })
    screen.showLegend(segments)
    writeOver(screen.root.dataset['state'] === 'image')
  }

  function writeOver(hasPicture: boolean): void {
    const image = shown?.images[at]
    const presentation = image && seriesOptions.state && presentationOf(seriesOptions.state, image)
    screen.showCorners(hasPicture ? describeCorners(image, patient, presentation) : undefined)
    screen.showRemarks(quickRemarks({ image, presentation, areTablesDrawn, areLayersWhole, marks, stored }))
  }

  function toggleKeyOnly(): void {
    if (!whole || !view || current === undefined || countKeys(whole, marks) === 0) return
    const image = shown?.images[at]
    seriesOptions = { ...seriesOptions, isKeyOnly: !seriesOptions.isKeyOnly }
    tellMarks()
    view.clear()
    void openStack(current, image)
  }

  async function measureByKeys(): Promise<void> {
    const { beginLength } = await drawing
    // a clip stops where it is
    view?.step(0)
    if (screen.root.dataset['state'] === 'image') lengthByKeys.begin(beginLength)
  }

  const note = element('p', { class: 'note', role: 'status' })
  const head = element('div', {}, note, banner, toolbar.root, lengthControls.note)
  const root = element(
    'div',
    { class: 'quick' },
    element('div', { class: 'head' }, head),
    element('div', { class: 'body' }, side, screen.root),
  )
  watchRoom({ head, side, strip: stripPlace }, options.onRoom)
  void start()
  return {
    root,
    shown: () => {
      const image = whole && shown?.images[at]
      if (!image || current === undefined) return { isPictureless }
      return { seriesUid: current, sopUid: image.sopUid }
    },
    isBusy: () => isPlaying || screen.isWaiting(),
    follow: (place) => {
      const index = imageAt(shown?.images ?? [], place)
      if (index !== undefined && index !== at) view?.goTo(index, true)
    },
    setBanner: (isShown) => {
      banner.hidden = !isShown
    },
    setSamePatient: (isSame) => banner.toggleAttribute('data-same', isSame),
    giveRoom: (room) => giveRoom(root, room),
    setUnseen: (value) => {
      isUnseen = value
      view?.setAhead(!value)
    },
    note: (text) => {
      note.textContent = text
    },
  }
}
