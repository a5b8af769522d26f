import { isDarkOnLight } from '../dark-on-light.ts'
import { seriesNameOf } from '../series-name.ts'
import { texts } from '../texts.ts'
import { pixelAttributesOf } from './natural-instance.ts'
import type { DisplaySet } from './ohif.ts'

/** Ends the address of a thumbnail that is shown dark on light, by the style of the full viewer. */
const DARK_ON_LIGHT = '#dark-on-light'

/** The name of a series in OHIF's list, as the quick viewer has it. */
export function nameOfListed(series: DisplaySet): string {
  // OHIF itself makes 0 of a number that is not there
  const stored = firstInstanceOf(series)?.['SeriesNumber']
  const number = stored === undefined || stored === null || stored === '' ? Number.NaN : Number(stored)
  return seriesNameOf({
    description: (series.SeriesDescription ?? '').trim(),
    number: Number.isFinite(number) ? number : undefined,
    modality: series.Modality ?? '',
  })
}

/** The number of a series below its name, where the name is not that number and the series has one. */
export function numberBelow(name: string, number: unknown): string {
  return number && name !== texts.seriesNumber(Number(number)) ? `S:${String(number)}` : ''
}

/** @param address of the thumbnail as the server draws it, bright on dark */
export function thumbnailOf(series: DisplaySet, address: string | undefined): string | undefined {
  const instance = firstInstanceOf(series)
  return address && instance && isDarkOnLight(pixelAttributesOf(instance)) ? `${address}${DARK_ON_LIGHT}` : address
}

function firstInstanceOf({ instances, instance }: DisplaySet) {
  return instances?.[0] ?? instance
}
