import { setTimeout as wait } from 'node:timers/promises'
import { DicomReadError } from '@hilum/dicom/read-error'
import { type HeaderJsonOptions, makeHeaderJson } from '@hilum/dicom/render/header-json'
import { RenderError } from '@hilum/dicom/render/render-error'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import type { Services } from '../../services.ts'
import { factsOfInstance } from './corrected-instance.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { withLocation } from '../storage/location.ts'
import { storeOf } from '../storage/own-bytes.ts'

/** Bytes of a header read at once: 256 KB hold some ten thousand elements, which take some ten milliseconds. */
const MAX_BYTES_HERE = 256 * 1024
const BUSY_MS = 500
const MAX_TRIES = 60

/**
 * The JSON text of an object that says of an image what was asked. A large header is read and told in a thread of the
 * render pool, so that no other request waits for it.
 * @throws DicomReadError when it is damaged, or too large to be told
 */
export async function describeAlteredImage(
  services: Pick<Services, 'store' | 'render' | 'log'>,
  instance: StoredInstance,
  options: HeaderJsonOptions,
): Promise<Uint8Array> {
  const facts = factsOfInstance(instance)
  if (hasLargeHeader(instance))
    return withLocation(services, instance, (location) => describeInPool(services, { ...location, facts, options }))
  const { object_key, byte_offset, length } = instance
  const store = storeOf(services.store, instance)
  const read = (offset: number, bytes: number) =>
    store.read(object_key, byte_offset + offset, Math.min(bytes, length - offset))
  return makeHeaderJson({ size: length, read }, { facts, options })
}

/** Some values of an image by name, without corrections; none where its header is damaged. */
export async function readFields<Name extends string>(
  services: Pick<Services, 'store' | 'render' | 'log'>,
  instance: StoredInstance,
  fields: Readonly<Record<Name, number>>,
): Promise<Partial<Record<Name, string>>> {
  try {
    const options = { kind: 'fields' as const, edits: [], fields: Object.entries<number>(fields) }
    const described = await describeAlteredImage(services, instance, options)
    return JSON.parse(Buffer.from(described).toString()) as Partial<Record<Name, string>> // made just now
  } catch (error) {
    if (error instanceof DicomReadError) return {}
    throw error
  }
}

/** Whether more stands in front of the pixels than is read at once. Of what is deflated nobody knows before. */
export function hasLargeHeader({ pixel_offset, length, transfer_syntax }: StoredInstance): boolean {
  return transferSyntaxOf(transfer_syntax).isDeflated || (pixel_offset ?? length) > MAX_BYTES_HERE
}

type PoolRequest = Parameters<Services['render']['headerJson']>[0]

async function describeInPool(
  { render, log }: Pick<Services, 'render' | 'log'>,
  request: PoolRequest,
): Promise<Uint8Array> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await render.headerJson(request)).bytes
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      const { fault, message } = error
      if (fault === 'damaged') throw new DicomReadError('malformed', message, { cause: error })
      if (fault === 'timedOut' || fault === 'crashed') {
        log.warn({ event: 'header not described', fault })
        throw new DicomReadError('too-large', 'The attributes of the image are too large', { cause: error })
      }
      if (fault !== 'busy' || tries === MAX_TRIES) throw error
      await wait(BUSY_MS)
    }
  }
}
