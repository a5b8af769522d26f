import { texts } from './texts.ts'

type NamedSeries = { description: string; number: number | undefined; modality: string }

/** The name of a series in the lists of both viewers: its description, else its number, else its modality. */
export function seriesNameOf({ description, number, modality }: NamedSeries): string {
  return description || (number === undefined ? modality : texts.seriesNumber(number))
}
