import { createHash, createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/** A part of an ID token or answer that a hostile provider changes. */
export interface MadeAnswer {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  /** How the token is signed: by the published key, by another one, not at all, or with the client secret as HS256. */
  signed?: 'well' | 'by another key' | 'not' | 'by the secret'
  /** The document, in place of the good one. */
  document?: Record<string, unknown>
  /** Instead of an answer at these addresses. */
  instead?: Partial<Record<'/.well-known/openid-configuration' | '/token' | '/jwks', Misbehaviour>>
  userinfo?: Record<string, unknown>
}
type Misbehaviour = 'redirect' | 'huge' | 'hang up' | 'server error' | 'html'

const client = { id: 'hilum', secret: 'secret-of-hilum' }

interface Code {
  redirect: string
  challenge: string
  nonce: string
}

/**
 * A provider of identities that says whatever a test wants, on a port of its own. Codes are given by `visit`, as if a person
 * had signed in; the good answer names `person`. Call it at the top of a test file.
 */
export async function startMadeProvider() {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const codes = new Map<string, Code>()
  const state = { answer: {} as MadeAnswer, person: {} as Record<string, unknown>, issuer: '', asked: [] as string[] }
  const server = createServer((request, reply) => void handle(request, reply))
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  state.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function handle(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', state.issuer).pathname
    state.asked.push(path)
    const wrong = state.answer.instead?.[path as '/token']
    if (wrong) return misbehave(reply, wrong)
    if (path === '/.well-known/openid-configuration') return json(reply, { ...document(), ...state.answer.document })
    if (path === '/jwks') {
      const jwk = keys.publicKey.export({ format: 'jwk' })
      return json(reply, { keys: [{ ...jwk, kid: 'one', use: 'sig', alg: 'RS256' }] })
    }
    if (path === '/userinfo') return json(reply, { sub: state.person['sub'], ...state.answer.userinfo })
    if (path === '/token') return answerToken(request, reply)
    reply.writeHead(404).end()
  }

  async function answerToken(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const sent = new URLSearchParams(await textOf(request))
    const basic = Buffer.from(String(request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
    // each part is encoded as in a form (RFC 6749 §2.3.1)
    if (decodeURIComponent(basic) !== `${client.id}:${client.secret}`)
      return json(reply, { error: 'invalid_client' }, 401)
    const code = codes.get(sent.get('code') ?? '')
    codes.delete(sent.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url')
    if (!code || challenge !== code.challenge || sent.get('redirect_uri') !== code.redirect)
      return json(reply, { error: 'invalid_grant' }, 400)
    return json(reply, {
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: 300,
      id_token: makeToken(code.nonce),
    })
  }

  function makeToken(nonce: string): string {
    const { claims, header, signed = 'well' } = state.answer
    const now = Math.floor(Date.now() / 1000)
    const { issuer: iss } = state
    const body = { iss, aud: client.id, iat: now, exp: now + 300, nonce, ...state.person, ...claims }
    const alg = signed === 'not' ? 'none' : signed === 'by the secret' ? 'HS256' : 'RS256'
    const input = [{ alg, kid: 'one', ...header }, body]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    if (signed === 'not') return `${input}.`
    if (signed === 'by the secret')
      return `${input}.${createHmac('sha256', client.secret).update(input).digest('base64url')}`
    const key = signed === 'well' ? keys.privateKey : other.privateKey
    return `${input}.${createSign('RSA-SHA256').update(input).sign(key, 'base64url')}`
  }

  function document(): Record<string, unknown> {
    const { issuer } = state
    return {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      end_session_endpoint: `${issuer}/logout`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    }
  }

  /** Signs a person in: the query that the browser comes back with. */
  function visit(address: string): { state: string; code: string } {
    const asked = new URL(address).searchParams
    const code = randomUUID()
    codes.set(code, {
      redirect: asked.get('redirect_uri') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      nonce: asked.get('nonce') ?? '',
    })
    return { state: asked.get('state') ?? '', code }
  }

  return Object.assign(state, { client, visit })
}

function misbehave(reply: ServerResponse, wrong: Misbehaviour): void {
  if (wrong === 'redirect') reply.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
  else if (wrong === 'huge') reply.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(3e6)}"`)
  else if (wrong === 'server error') reply.writeHead(500).end()
  else if (wrong === 'html') reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>')
  else reply.destroy()
}

function json(reply: ServerResponse, body: object, status = 200): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}
