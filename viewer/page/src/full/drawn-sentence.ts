import type { Types } from '@cornerstonejs/core'
import { readPictureImage } from '../value-image.ts'
import type { NaturalInstance } from './ohif.ts'

const SMALLEST_EDGE = 256
const LARGEST_EDGE = 1024
const TEXT_SHARE = 1 / 24
const LINE = 1.5
const MARGIN = 0.08

const sentences = new WeakSet<object>()

/** Whether an image is a sentence, over which nothing lies. */
export function isSentence(image: object): boolean {
  return sentences.has(image)
}

/** A sentence in the place of a picture, as large as the image would have been in proportion. */
export async function drawSentence(
  imageId: string,
  sentence: string,
  instance: NaturalInstance | undefined,
): Promise<Types.IImage> {
  const width = edge(instance?.['Columns'])
  const height = edge(instance?.['Rows'])
  const canvas = new OffscreenCanvas(width, height)
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('The browser gives no canvas')
  const size = Math.round(Math.min(width, height) * TEXT_SHARE)
  pen.fillStyle = '#07090b'
  pen.fillRect(0, 0, width, height)
  pen.fillStyle = '#dce2e8'
  pen.font = `${size}px "Inter Variable", Inter, system-ui, sans-serif`
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  const lines = linesOf(sentence, (text) => pen.measureText(text).width <= width * (1 - 2 * MARGIN))
  lines.forEach((line, at) => pen.fillText(line, width / 2, height / 2 + (at - (lines.length - 1) / 2) * size * LINE))
  const image = await readPictureImage(imageId, await canvas.convertToBlob())
  sentences.add(image)
  return image
}

function edge(value: unknown): number {
  return Math.min(LARGEST_EDGE, Math.max(SMALLEST_EDGE, Math.trunc(Number(value)) || SMALLEST_EDGE))
}

function linesOf(sentence: string, fits: (text: string) => boolean): string[] {
  const lines: string[] = []
  for (const word of sentence.split(' ')) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ')
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
