import type { StudySource } from './dicomweb.ts'
import type { ImageSeries, SeriesImages, ViewerImage } from './series-images.ts'
import type { StripSeries, TilePlace } from './series-strip.ts'
import { texts } from './texts.ts'

type Drawing = Pick<typeof import('./cornerstone.ts'), 'registerImage' | 'drawThumbnail'>

/** Draws the middle image of a series into its tile, or says there why it has none. */
export function createTileDrawing(
  source: StudySource,
  seriesImages: (seriesUid: string) => Promise<SeriesImages>,
  drawing: Promise<Drawing>,
  handleFound: (series: StripSeries, found: ImageSeries) => void,
): (series: StripSeries, tile: TilePlace) => Promise<void> {
  return async (series, tile) => {
    try {
      const found = await seriesImages(series.seriesUid)
      if (found.kind === 'curves') return tile.say(texts.curvesTile)
      if (found.kind === 'videos') return tile.say(texts.videoTile)
      if (found.kind === 'none') return tile.say(found.reason.replace(/^an? /, ''))
      handleFound(series, found)
      const middle = found.images[Math.trunc(found.images.length / 2)]
      if (middle === undefined) return
      if (await drawServersThumbnail(source, tile.canvas, series.seriesUid, middle, found.isPet)) return
      const { registerImage, drawThumbnail } = await drawing
      await drawThumbnail(tile.canvas, registerImage(source, series.seriesUid, middle))
      tile.canvas.classList.add('drawn')
    } catch {
      // A tile is a courtesy; the reason is told in words when the series is opened.
      tile.say(texts.noPreview)
    }
  }
}

/**
 * As the server draws it, with the window that it chooses; cheap, since only these pixels come.
 * @param isInverted bright and dark change places
 */
async function drawServersThumbnail(
  source: StudySource,
  canvas: HTMLCanvasElement,
  seriesUid: string,
  image: ViewerImage,
  isInverted: boolean,
): Promise<boolean> {
  try {
    const address = `${source.frameAddress(seriesUid, image.sopUid, image.frame)}/thumbnail`
    const picture = await createImageBitmap(await (await source.fetchBytes(address, 'image/jpeg')).blob())
    const scale = Math.min(canvas.width / picture.width, canvas.height / picture.height)
    const [width, height] = [picture.width * scale, picture.height * scale]
    const paint = canvas.getContext('2d')
    const [left, top] = [(canvas.width - width) / 2, (canvas.height - height) / 2]
    paint?.drawImage(picture, left, top, width, height)
    picture.close()
    if (paint && isInverted) {
      paint.globalCompositeOperation = 'difference'
      paint.fillStyle = 'white'
      paint.fillRect(left, top, width, height)
    }
    canvas.classList.add('drawn')
    return paint !== null
  } catch {
    return false // the tile is drawn here then
  }
}
