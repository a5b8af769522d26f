/** Every sentence of the page. Words for kinds of objects are in `object-kind.ts`. */
export const texts = {
  notice: 'For review and exchange, not for primary diagnosis',
  close: 'Close viewer',
  fullScreen: 'Full screen',
  loadingStudy: 'Loading the study…',
  loadingSeries: 'Loading the series…',
  loadingFullViewer: 'Opening the full viewer…',
  fullViewerSlow:
    'The full viewer has not come yet: the server or the connection is slow. It may still come; the Viewer tab of the study shows the images meanwhile.',
  fullViewerEmpty:
    'Nothing came that the full viewer can draw here. Choose another series at the left, or close it: the Viewer tab of the study says what there is.',
  fullNotOnMadeSlices:
    'Presentation states, overlays, tables of grey values and label maps of this exam are drawn on its slices as they came, and not on slices made anew.',
  noSeries: 'This study has no images yet.',
  viewEnded: 'This view has ended. Close it and open the study again.',
  studyGone: 'This study is not here any more.',
  unreachable: 'The server cannot be reached. Check the connection and try again.',
  serverFailed: 'The server could not answer. Try again in a moment.',
  notStarted: 'The viewer could not start in this browser.',
  noFullViewer: 'The full viewer is not ready on this server. The quick viewer shows the images meanwhile.',
  noFullViewerAlone:
    'The full viewer is not ready on this server. The Viewer tab of the study shows the images meanwhile.',
  badAddress: 'This address does not name a study. Close it and open the study again.',
  tryAgain: 'Try again',
  openReports: 'Read it in Reports',
  imageFailed: 'This image cannot be shown: its pixels could not be read.',
  imageTooLarge: (rows: number, columns: number) =>
    `This image cannot be shown here: it has ${columns.toLocaleString('en')} × ${rows.toLocaleString('en')} pixels, more than this browser can draw. It can be downloaded.`,
  imageRefused: (reason: string) => `This image cannot be shown. ${reason}`,
  imageSlow: 'This image has not come yet: the server or the connection is slow. It is shown as soon as it comes.',
  studySlow: 'The study has not come yet: the server or the connection is slow. It is shown as soon as it comes.',
  imageNotSent: 'This image could not be loaded.',
  noPreview: 'No preview',
  series: 'Series',
  tools: 'Tools',
  windowPreset: 'Windows',
  windowChoice: 'Window',
  play: 'Play',
  pause: 'Pause',
  reset: 'Reset',
  invert: 'Invert',
  adjust: 'Window',
  pan: 'Pan',
  zoom: 'Zoom',
  measure: 'Length',
  lengthFirstEnd:
    'Arrow keys move the cross, with Shift by single pixels. Enter sets the first end of the length, Escape leaves.',
  lengthSecondEnd: 'Arrow keys move the second end of the length. Enter sets it, Escape takes the length off.',
  storeLengths: (count: number, others: number) =>
    [
      count === 1 ? 'Keep the length' : `Keep ${count} lengths`,
      ...(others === 0 ? [] : [others === count ? 'of other series' : `${others} of other series`]),
    ].join(', '),
  takeLengthOff: (length: string) => `Take off ${length}`,
  takeLineOff: 'Take off the line',
  lengthsNotWritten: 'The lengths were not kept: the viewer could not write their report.',
  storingLengths: 'Keeping…',
  lengthsStored: (count: number) =>
    `${count === 1 ? 'The length is' : `${count} lengths are`} kept with the study, in a report of measurements.`,
  overlays: 'Overlays',
  keyImages: 'Key images only',
  presentation: 'Presentation',
  presentationOwn: 'As stored',
  presentationPartly: 'The window, the tables or the displayed area of this presentation are not used here.',
  layersUnread:
    'Overlays, segments or presentations of this image did not come from the server. They are asked for again.',
  lengthsUnread: 'A report of this exam did not come from the server: its lengths are not drawn.',
  layersNotPlaced:
    'Overlays, segments and graphics of this image are not drawn: its pixels are not square, and the picture is stretched.',
  tableNotDrawn:
    'The table of grey values of this image could not be used: its greys differ from those it was stored with.',
  keyImage: (title: string, text: string) =>
    ['Key image', ...new Set([title, text])].filter((part) => part !== '').join('  ·  '),
  keyCount: (count: number) => (count === 1 ? '1 key image' : `${count} key images`),
  marksOther: (reason: string) => `Nothing to draw here: ${reason}, and the images it is about are not in this study.`,
  position: 'Image',
  viewport:
    'Image area. Arrow keys change the image, Page keys by ten or by clip, plus and minus zoom, Space plays, T takes the texts off, K leaves the key images, Delete takes the last length off.',
  unknownPatient: 'Name not given',
  born: 'Born',
  mrn: 'MRN',
  sex: 'Sex',
  imageOf: (n: number, total: number) => `Image ${n} of ${total}`,
  clipOf: (n: number, total: number, image: string) => `Clip ${n} of ${total}  ·  ${image}`,
  clipCount: (count: number) => `${count} clips`,
  windowValues: (center: number, width: number) => `W ${presentValue(width, width)}  L ${presentValue(center, width)}`,
  imageCount: (count: number) => (count === 1 ? '1 image' : `${count} images`),
  curves: 'Curves on paper of millimetres',
  leads: (names: string) => `Leads ${names}`,
  curvesBegin: (seconds: number) => `the first ${seconds} seconds`,
  curvesTile: 'curves',
  videos: 'Videos',
  videoTile: 'video',
  videoOf: (n: number, total: number) => (total === 1 ? 'Video' : `Video ${n} of ${total}`),
  playVideo: 'Play',
  loadingVideo: 'Loading the video…',
  downloadVideo: 'Download the video',
  videoOfMpeg2:
    'This video is MPEG-2, which browsers do not play. A player on this computer plays it once it is downloaded.',
  videoNotPlayed:
    'This browser does not play this video: it does not know its kind. Another player may know it once it is downloaded.',
  videoBroken: 'The video could not be read from here on. Try again, or download it: another player may go on.',
  videoShare: (name: string) => `Loaded of ${name}`,
  videoCut: 'The video was cut off: the connection or the server failed. Check the connection and try again.',
  noCurves: 'The curves of this recording could not be read.',
  compare: 'Compare with…',
  compareShort: 'Compare…',
  linked: 'Linked',
  linkWords: 'Scroll both exams together, by millimetres from where they were linked',
  linkApart: 'These series lie in different planes or say nothing of their place: each is scrolled by itself',
  priorTitle: (label: string) => `Compared with ${label}`,
  seriesNumber: (number: number) => `Series ${number}`,
  notShown: (reason: string) => `Nothing to draw here: ${reason}.`,
} as const

/** Maps hold values far below one: as many digits as the window's width makes useful. */
function presentValue(value: number, width: number): string {
  return width >= 10 || width <= 0 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}
