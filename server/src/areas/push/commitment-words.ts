import { CommitmentFailure } from '@hilum/dicom/dimse/commitment'
import { formatStatus } from '@hilum/dicom/dimse/status'

const reasons: Record<number, string> = {
  [CommitmentFailure.Processing]: 'it failed to process them',
  [CommitmentFailure.NoSuchInstance]: 'it does not have them',
  [CommitmentFailure.OutOfResources]: 'it has no room',
  [CommitmentFailure.ClassNotSupported]: 'it does not support their class',
  [CommitmentFailure.ClassConflict]: 'it has them as another class',
  [CommitmentFailure.DuplicateTransaction]: 'it knows the question already',
}

/** A destination's answer about the storage of the images that it was asked about, in words. */
export function commitmentWords(said: { committed: number; total: number; reasons: readonly number[] }): string {
  const { committed, total } = said
  const images = total === 1 ? 'image' : 'images'
  const sentences = [`The destination confirms ${committed} of ${total} ${images} as stored.`]
  if (said.reasons.length > 0) {
    const kinds = [...Map.groupBy(said.reasons, (one) => one)].sort(([, a], [, b]) => b.length - a.length)
    const named = kinds.map(([code, all]) => `${reasons[code] ?? `code ${formatStatus(code)}`} (${all.length})`)
    sentences.push(`Not stored: ${named.join('; ')}.`)
  }
  const silent = total - committed - said.reasons.length
  if (silent > 0) sentences.push(`It has not spoken of ${silent}.`)
  return sentences.join(' ')
}

/** The destination was asked and did not take the question. */
export function notAskedWords(reason: string): string {
  return `The destination could not be asked to confirm the storage: ${reason}.`
}
