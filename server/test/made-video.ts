import { type MadeImage, madeImage } from './made-image.ts'

const SIZE = 16

/** An object whose pixel data are these fragments, behind an empty table of offsets. */
export function madeVideo(
  studyUid: string,
  transferSyntax: string,
  fragments: readonly Uint8Array[],
  number = 1,
  more: Partial<MadeImage> = {},
): Uint8Array {
  const native = madeImage({ studyUid, number, transferSyntax, ...more })
  const head = native.subarray(0, native.length - SIZE * SIZE - 12)
  const item = (length: number) => {
    const bytes = Buffer.from('feff00e000000000', 'hex')
    bytes.writeUInt32LE(length, 4)
    return bytes
  }
  const items = fragments.flatMap((fragment) => [item(fragment.length), fragment])
  const start = Buffer.from('e07f10004f420000ffffffff', 'hex')
  return Buffer.concat([head, start, item(0), ...items, Buffer.from('feffdde000000000', 'hex')])
}
