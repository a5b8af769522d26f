import { maxJsonDepth, maxJsonValues } from './limits.ts'

/** JSON that is nested too deeply or holds too many values. The message is for the sender. */
export class JsonBoundsError extends Error {
  override readonly name = 'JsonBoundsError'
}

const backslash = 0x5c
const quote = 0x22
const opens = 1
const closes = 2
const separates = 3
const kinds = new Uint8Array(256)
for (const sign of '[{') kinds[sign.charCodeAt(0)] = opens
for (const sign of ']}') kinds[sign.charCodeAt(0)] = closes
kinds[','.charCodeAt(0)] = separates
kinds[quote] = 4

/**
 * Counts depth and values of JSON in UTF-8 as the bytes come, before a parser is given any of them: a parser takes
 * seconds for megabytes of brackets.
 */
export class JsonBounds {
  #depth = 0
  #values = 0
  #isInText = false
  #isEscaped = false

  /** @throws JsonBoundsError as soon as the limits are passed */
  push(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) at = this.#isInText ? this.#skipText(bytes, at) : this.#count(bytes, at)
  }

  #skipText(bytes: Uint8Array, from: number): number {
    let at = from
    if (this.#isEscaped) {
      this.#isEscaped = false
      at += 1
    }
    for (; at < bytes.length; at += 1) {
      if (bytes[at] === backslash) {
        at += 1
        this.#isEscaped = at === bytes.length
      } else if (bytes[at] === quote) {
        this.#isInText = false
        return at + 1
      }
    }
    return at
  }

  #count(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      const kind = kinds[bytes[at] as number]
      if (!kind) continue
      if (kind === closes) this.#depth -= 1
      else if (kind === opens || kind === separates) {
        this.#values += 1
        if (kind === opens) this.#depth += 1
        if (this.#depth > maxJsonDepth) throw new JsonBoundsError('The JSON is nested too deeply')
        if (this.#values > maxJsonValues) throw new JsonBoundsError(`The JSON holds more than ${maxJsonValues} values`)
      } else {
        this.#isInText = true
        return at + 1
      }
    }
    return bytes.length
  }
}

/**
 * Parses JSON that a caller sent inside a value.
 * @throws JsonBoundsError or SyntaxError
 */
export function parseBoundedJson(text: string): unknown {
  new JsonBounds().push(new TextEncoder().encode(text))
  return JSON.parse(text)
}
