import { StorageError } from '@hilum/contract/storage-errors'
import { beginScan, ScannerError } from '../../outbound/storage/virus-scanner.ts'
import type { Services } from '../../services.ts'

/**
 * A body as it comes, and at its end the verdict of the virus scanner, where one is set: with anything found the body
 * fails, so that its reader keeps nothing. Without a scanner's verdict nothing is taken.
 * @throws StorageError VIRUS_DETECTED, PAYLOAD_TOO_LARGE (for the scanner), STORE_OPERATION_FAILED (no answer)
 */
export function scanned(
  { config }: Pick<Services, 'config'>,
  body: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  return config.clamd ? scanning(config.clamd, body) : body
}

async function* scanning(address: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const scan = await beginScan(address).catch(explain)
  try {
    for await (const chunk of body) {
      await scan.write(chunk).catch(explain)
      yield chunk
    }
    const verdict = await scan.finish().catch(explain)
    if (verdict.kind === 'found') throw new StorageError('VIRUS_DETECTED')
  } finally {
    scan.abandon()
  }
}

function explain(error: unknown): never {
  if (!(error instanceof ScannerError)) throw error
  if (error.isTooLarge) {
    const words = 'The file is larger than the virus scanner takes (StreamMaxLength)'
    throw new StorageError('PAYLOAD_TOO_LARGE', words, {}, { cause: error })
  }
  const passing = { cause: error, httpStatus: 503, retrySeconds: 30 } as const
  throw new StorageError('STORE_OPERATION_FAILED', error.message, {}, passing)
}
