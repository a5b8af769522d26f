import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { isLiveSid } from '../../access/find-caller.ts'
import { isKeyOf } from '../../areas/session/keys.command.ts'
import { signInProgram } from '../../areas/sign-in/sign-in.command.ts'
import type { Services } from '../../services.ts'

/** A program that asks on has one session for so long; then its password is looked at again. */
const LIFE_MINUTES = 60
const MAX_REMEMBERED = 1_000

/**
 * Lets programs send a login and password, or a login and a key, with each request (HTTP basic, `api-facts` §1). The
 * password is looked at once, as at signing in, with the same locks; the session that it opens stands for it then, and
 * ends with a change of the password. No reply asks for it (`WWW-Authenticate`), so that no browser keeps one.
 */
export function takeBasic(app: FastifyInstance, services: Services): void {
  const secret = randomBytes(32)
  const sids = new Map<string, Promise<string | undefined>>()

  async function sidOf(sent: Sent, clientAddress: string, userAgent: string): Promise<string | undefined> {
    if (await isKeyOf(services.db, sent.login, sent.password)) return sent.password
    // the digest remembered of a password opens nothing by itself
    const name = createHmac('sha256', secret)
      .update(JSON.stringify([sent, clientAddress]))
      .digest('base64')
    const before = sids.get(name)
    const known = await before
    if (known && (await isLiveSid(services.db, known))) return known
    // of several at once the first one asks, and the others wait for its answer
    if (sids.get(name) === before) {
      if (sids.size >= MAX_REMEMBERED) sids.clear()
      sids.set(name, open(sent, clientAddress, userAgent))
    }
    const asked = sids.get(name)
    const forget = () => sids.get(name) === asked && sids.delete(name)
    try {
      const sid = await asked
      if (!sid) forget()
      return sid
    } catch (error) {
      forget()
      throw error
    }
  }

  async function open(sent: Sent, clientAddress: string, userAgent: string): Promise<string | undefined> {
    const how = { method: 'basic', lifeMinutes: LIFE_MINUTES } as const
    const result = await signInProgram(services, { ...sent, clientAddress, userAgent }, how)
    return result.kind === 'in' ? result.sid : undefined
  }

  app.addHook('onRequest', async (request) => {
    const sent = readBasic(request.headers.authorization)
    if (!sent) return
    const sid = await sidOf(sent, request.ip, request.headers['user-agent'] ?? '')
    // every door knows a bearer's token
    if (sid) request.headers.authorization = `Bearer ${sid}`
    else delete request.headers.authorization
  })
}

interface Sent {
  login: string
  password: string
}

/** Source: RFC 7617; in UTF-8, the first colon ends the login. */
function readBasic(header: string | undefined): Sent | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? '')?.[1]
  if (!encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const at = text.indexOf(':')
  return at > 0 && at < text.length - 1 ? { login: text.slice(0, at), password: text.slice(at + 1) } : undefined
}
