import { setTimeout as wait } from 'node:timers/promises'
import { StorageError } from '@hilum/contract/storage-errors'
import type { Services } from '../../services.ts'
import { drawFrame, type FrameOptions } from './draw-frame.command.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'

const BUSY_MS = 500
const MAX_TRIES = 60

const endings: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/tiff': 'tif' }

/**
 * Every frame of some instances as a picture, drawn when its turn comes. Frames that cannot be drawn are named with the
 * reason in a last file, ERROR.txt.
 */
export async function* drawAllFrames(
  services: Services,
  instances: readonly { instance: StoredInstance; name: string }[],
  options: FrameOptions,
): AsyncGenerator<{ name: string; bytes: Uint8Array }> {
  const failures: string[] = []
  for (const { instance, name } of instances) yield* drawFrames(services, instance, name, options, failures)
  if (failures.length > 0) yield { name: 'ERROR.txt', bytes: linesOf(failures) }
}

/** Lines of a text file, as every editor shows them. */
export function linesOf(lines: readonly string[]): Uint8Array {
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}

/** @param failures gets a line for each frame that cannot be drawn */
export async function* drawFrames(
  services: Services,
  instance: StoredInstance,
  name: string,
  options: FrameOptions,
  failures: string[],
): AsyncGenerator<{ name: string; bytes: Uint8Array }> {
  for (let frame = 0; frame < instance.frames; frame += 1) {
    const own = instance.frames === 1 ? name : `${name}_${String(frame).padStart(5, '0')}`
    try {
      const { bytes, contentType } = await drawInTurn(services, instance, frame, options)
      yield { name: `${own}.${endings[contentType] ?? 'bin'}`, bytes }
    } catch (error) {
      if (!(error instanceof StorageError) || error.data.reason === 'closed') throw error
      failures.push(`${own}: ${error.message}`)
      // Missing pixels fail each of the thousand million frames that a file may claim.
      if (error.code === 'NOT_ACCEPTABLE' || error.code === 'IMAGE_NOT_FOUND') break
    }
  }
}

/** A frame that the renderer is too busy for is asked for again: nobody wants an archive with holes. */
async function drawInTurn(services: Services, instance: StoredInstance, frame: number, options: FrameOptions) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await drawFrame(services, instance, frame, options)
    } catch (error) {
      if (!(error instanceof StorageError) || error.data.reason !== 'busy' || tries === MAX_TRIES) throw error
      await wait(BUSY_MS)
    }
  }
}
