import { readBulkData } from './bulk-data.ts'
import type { StudySource } from './dicomweb.ts'
import type { SeriesImages } from './series-images.ts'

type SeriesSheet = {
  root: HTMLElement
  /** Ends all that the sheet still fetches or plays. */
  leave: () => void
}

/** Left and right of a sheet of curves, with the bar that scrolls it. */
const EDGES_PX = 40

type SheetSeries = Extract<SeriesImages, { kind: 'curves' | 'videos' }>

/**
 * Curves or videos in the place of a picture; few series have them, and their code comes with the first one.
 * @returns undefined where no curve could be read
 * @throws RequestError
 */
export async function createSeriesSheet(
  { kind, instances }: SheetSeries,
  source: StudySource,
  availablePx: number,
): Promise<SeriesSheet | undefined> {
  if (kind === 'videos') {
    const { createVideoSheet } = await import('./video-sheet.ts')
    return createVideoSheet(instances, source)
  }
  const [{ createWaveformSheet }, { readWaveforms }] = await Promise.all([
    import('./waveform-sheet.ts'),
    import('./waveform.ts'),
  ])
  const groups = await Promise.all(
    instances.map((instance) => readWaveforms(instance, (data) => readBulkData(data, source))),
  )
  const read = groups.flat()
  return read.length === 0
    ? undefined
    : { root: createWaveformSheet(read, availablePx - EDGES_PX), leave: () => undefined }
}
