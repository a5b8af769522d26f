/** The allowance left to the tokens of one bundle. */
export interface TokenAllowance {
  /** Characters that tokens may bring in: an item that doubles the one before it would fill all memory. */
  chars: number
  /** Replies that may be looked through. */
  lookups: number
}

/** The tokens of a bundle ask for more than it is allowed. */
export class TokenAllowanceError extends Error {
  override readonly name = 'TokenAllowanceError'
}

const maxPathChars = 200

/**
 * An item of a bundle with each `{{path}}` in its values replaced from earlier replies, the newest that has it; a token
 * that no reply has stays as it is.
 * @throws TokenAllowanceError
 */
export function fillTokens(
  raw: Readonly<Record<string, unknown>>,
  replies: readonly Record<string, unknown>[],
  left: TokenAllowance,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, fill(value, replies, left)]))
}

function fill(value: unknown, replies: readonly Record<string, unknown>[], left: TokenAllowance): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{\{([^{}]+)\}\}/g, (token, path: string) => {
      const found = path.length > maxPathChars ? undefined : findNewest(replies, path.trim(), left)
      if (found === undefined) return token
      const text = typeof found === 'string' ? found : JSON.stringify(found)
      left.chars -= text.length
      if (left.chars < 0) throw new TokenAllowanceError('The tokens bring in more than a bundle may hold')
      return text
    })
  }
  if (Array.isArray(value)) return value.map((one) => fill(one, replies, left))
  if (typeof value === 'object' && value !== null) return fillTokens(value as Record<string, unknown>, replies, left)
  return value
}

function findNewest(replies: readonly Record<string, unknown>[], path: string, left: TokenAllowance): unknown {
  const steps = path.split('.').map((step) => /^\[(\d+)\]$/.exec(step)?.[1] ?? step)
  for (const reply of replies.toReversed()) {
    left.lookups -= 1
    if (left.lookups < 0) throw new TokenAllowanceError('The tokens look through more than a bundle may')
    const found = valueAt(reply, steps)
    if (found !== undefined) return found
  }
  return undefined
}

function valueAt(reply: Record<string, unknown>, steps: readonly string[]): unknown {
  let at: unknown = reply
  for (const key of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}
