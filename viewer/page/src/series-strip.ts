import { type DicomObject, numberOf, jsonTextOf } from './dicom-json.ts'
import { element, icon } from './element.ts'
import { seriesNameOf } from './series-name.ts'
import { texts } from './texts.ts'

export type StripSeries = {
  seriesUid: string
  modality: string
  number: number | undefined
  description: string
  /** Of instances; undefined where the server does not say. */
  count: number | undefined
}

export function readStripSeries(series: DicomObject): StripSeries {
  return {
    seriesUid: jsonTextOf(series, '0020000E'),
    modality: jsonTextOf(series, '00080060'),
    number: numberOf(series, '00200011'),
    description: jsonTextOf(series, '0008103E'),
    count: numberOf(series, '00201209'),
  }
}

export type TilePlace = { canvas: HTMLCanvasElement; say: (text: string) => void }

export type SeriesStrip = {
  root: HTMLElement
  choose: (seriesUid: string) => void
  setCount: (seriesUid: string, count: string) => void
  /** Marks a series that has key images. */
  setKeyCount: (seriesUid: string, count: number) => void
}

/**
 * Series beside the image, in the order of their numbers.
 * @param handleVisible is called once per series when its tile comes into sight, to draw its picture
 */
export function createSeriesStrip(
  list: StripSeries[],
  handleChoose: (series: StripSeries) => void,
  handleVisible: (series: StripSeries, tile: TilePlace) => void,
): SeriesStrip {
  const tiles = new Map(list.map((series) => [series.seriesUid, createTile(series, handleChoose)]))
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const tile = isIntersecting ? [...tiles.values()].find(({ button }) => button === target) : undefined
      if (tile === undefined) continue
      sight.unobserve(target)
      handleVisible(tile.series, tile)
    }
  })
  for (const { button } of tiles.values()) sight.observe(button)
  return {
    root: element(
      'nav',
      { class: 'strip', 'aria-label': texts.series },
      ...[...tiles.values()].map(({ button }) => button),
    ),
    choose: (seriesUid) => {
      for (const [uid, { button }] of tiles) button.setAttribute('aria-current', String(uid === seriesUid))
      tiles.get(seriesUid)?.button.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    },
    setCount: (seriesUid, count) => {
      const tile = tiles.get(seriesUid)
      if (tile !== undefined) tile.count.textContent = count
    },
    setKeyCount: (seriesUid, count) => {
      const picture = tiles.get(seriesUid)?.button.querySelector('.picture')
      picture?.querySelector('.star')?.remove()
      if (picture && count > 0) {
        const star = element('span', { class: 'star', role: 'img', 'aria-label': texts.keyCount(count) }, icon('key'))
        star.title = texts.keyCount(count)
        picture.append(star)
      }
    },
  }
}

function createTile(series: StripSeries, handleChoose: (series: StripSeries) => void) {
  const canvas = element('canvas', { width: 192, height: 192, 'aria-hidden': 'true' })
  const said = element('span', { class: 'said', 'aria-hidden': 'true' }, series.modality)
  const count = element('span', { class: 'count' })
  const label = seriesNameOf(series)
  const button = element(
    'button',
    { type: 'button', class: 'tile', title: label },
    element('span', { class: 'picture' }, said, canvas),
    element('span', { class: 'label' }, label),
    element('span', { class: 'facts' }, element('span', { class: 'modality' }, series.modality), count),
  )
  button.addEventListener('click', () => handleChoose(series))
  const say = (text: string) => {
    said.textContent = text
    said.classList.add('words')
  }
  return { series, button, canvas, count, say }
}
