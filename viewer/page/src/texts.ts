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
  imageRefused: (reason: string) => `This image cannot be shown. ${reason}`,
  imageSlow: 'This image has not come yet: the server or the connection is slow. It is shown as soon as it comes.',
  studySlow: 'The study has not come yet: the server or the connection is slow. It is shown as soon as it comes.',
  imageNotSent: 'This image could not be loaded.',
  noPreview: 'No preview',
  series: 'Series',
  tools: 'Tools',
  windowPreset: 'Window',
  play: 'Play',
  pause: 'Pause',
  reset: 'Reset',
  invert: 'Invert',
  adjust: 'Window',
  pan: 'Pan',
  zoom: 'Zoom',
  measure: 'Length',
  overlays: 'Overlays',
  position: 'Image',
  viewport:
    'Image area. Arrow keys change the image, Page keys by ten or by clip, plus and minus zoom, Space plays, T takes the texts off.',
  unknownPatient: 'Name not given',
  born: 'Born',
  mrn: 'MRN',
  sex: 'Sex',
  imageOf: (n: number, total: number) => `Image ${n} of ${total}`,
  clipOf: (n: number, total: number, image: string) => `Clip ${n} of ${total}  ·  ${image}`,
  clipCount: (count: number) => `${count} clips`,
  windowValues: (center: number, width: number) => `W ${presentValue(width, width)}  L ${presentValue(center, width)}`,
  imageCount: (count: number) => (count === 1 ? '1 image' : `${count} images`),
  seriesNumber: (number: number) => `Series ${number}`,
  notShown: (reason: string) => `Nothing to draw here: ${reason}.`,
} as const

/** Maps hold values far below one: as many digits as the window's width makes useful. */
function presentValue(value: number, width: number): string {
  return width >= 10 || width <= 0 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}
