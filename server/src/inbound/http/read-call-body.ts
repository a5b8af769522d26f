import type { Readable } from 'node:stream'
import { JsonBounds, JsonBoundsError } from '@hilum/contract/bounded-json'
import { maxCallBodyBytes, maxSessionlessBodyBytes } from '@hilum/contract/limits'
import { FormBoundsError, readForm } from './read-form.ts'

/** A body of a call that is not read on; `statusCode` is what it is answered with. */
export class CallBodyError extends Error {
  override readonly name = 'CallBodyError'
  readonly statusCode: number
  constructor(statusCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.statusCode = statusCode
  }
}

interface CallBodyRules {
  /** Content-Type says JSON; otherwise a form, or JSON that begins like JSON. */
  isJson: boolean
  /** As announced; undefined when the sender does not know. */
  contentLength: number | undefined
  /**
   * Whether the sender may send more than a call without a session takes. Asked once, when that much has come.
   * @throws CallBodyError
   */
  mayGoOn: (beginning: Buffer) => Promise<boolean>
}

/**
 * Reads and parses the body of a call as it comes, and no further than it may go. The rest of a refused body stays
 * unread in the stream.
 * @throws CallBodyError 400, 401, 413
 */
export async function readCallBody(payload: Readable, rules: CallBodyRules): Promise<unknown> {
  const { body, isJson } = await takeIn(payload, rules)
  if (!isJson) return orRefuse(() => readForm(body))
  if (body.length === 0) return {}
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    // a form may begin with a bracket
    if (!rules.isJson) return orRefuse(() => readForm(body))
    throw new CallBodyError(400, 'The body is not readable as JSON', { cause })
  }
}

async function takeIn(
  payload: Readable,
  { isJson, contentLength, mayGoOn }: CallBodyRules,
): Promise<{ body: Buffer; isJson: boolean }> {
  if ((contentLength ?? 0) > maxCallBodyBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let length = 0
  let most = maxSessionlessBodyBytes
  let bounds = isJson ? new JsonBounds() : undefined
  let hasBegun = isJson
  for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    chunks.push(chunk)
    if (length > maxCallBodyBytes) throw tooLarge()
    if (length > most) {
      if (!(await mayGoOn(Buffer.concat(chunks).subarray(0, maxSessionlessBodyBytes)))) throw tooLarge()
      most = maxCallBodyBytes
    }
    if (!hasBegun) {
      const sign = firstSign(chunk)
      hasBegun = sign !== undefined
      if (sign === '[' || sign === '{') bounds = new JsonBounds()
    }
    orRefuse(() => bounds?.push(chunk))
  }
  return { body: Buffer.concat(chunks), isJson: bounds !== undefined }
}

/** The first character that is no blank. */
function firstSign(chunk: Buffer): string | undefined {
  const code = chunk.find((byte) => byte > 0x20)
  return code === undefined ? undefined : String.fromCharCode(code)
}

function orRefuse<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof JsonBoundsError || cause instanceof FormBoundsError)) throw cause
    throw new CallBodyError(400, cause.message, { cause })
  }
}

function tooLarge(): CallBodyError {
  return new CallBodyError(413, 'The body is larger than the call takes')
}
