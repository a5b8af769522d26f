import { releaseVersion } from './release.ts'

/** Headers of every request of our pages: the client and its release (API-01), and the session that it speaks for. */
export function clientHeaders(sid?: string): Record<string, string> {
  return {
    'sdk-client-name': 'USER',
    'sdk-version': releaseVersion,
    ...(sid ? { authorization: `Bearer ${sid}` } : {}),
  }
}
