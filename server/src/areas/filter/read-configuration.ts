import { ApiError } from '@hilum/contract/errors'
import { readExpressions } from './search-alternatives.command.ts'

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const maxLength = 50_000
const maxListed = 20

/**
 * A configuration as it may be kept.
 * @throws ApiError INVALID_CONFIG naming the expression that cannot be understood
 */
export function readConfiguration(sent: unknown): Record<string, unknown> | string[] {
  if (JSON.stringify(sent ?? null).length > maxLength) throw new ApiError('INVALID_CONFIG')
  if (Array.isArray(sent)) {
    const uuids = sent.filter((one): one is string => typeof one === 'string' && uuidForm.test(one))
    if (uuids.length === 0 || uuids.length !== sent.length || uuids.length > maxListed) {
      throw new ApiError('INVALID_CONFIG')
    }
    return uuids.map((one) => one.toLowerCase())
  }
  if (typeof sent !== 'object' || sent === null) throw new ApiError('INVALID_CONFIG')
  const configuration = sent as Record<string, unknown> // an object that is no array
  try {
    readExpressions(configuration)
  } catch (cause) {
    if (cause instanceof ApiError) throw new ApiError('INVALID_CONFIG', cause.detail, { cause })
    throw cause
  }
  return configuration
}
