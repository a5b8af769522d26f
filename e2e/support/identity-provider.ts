import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface IdentityProvider {
  issuer: string
  client: { id: string; secret: string }
  /** Groups that the provider names for everybody who signs in. */
  groups: string[]
  /** Whether it says that addresses are verified. */
  isVerified: boolean
  close: () => Promise<void>
}

/**
 * A certified OpenID provider on a free port, with a form that takes any login as an e-mail address and any password.
 * @param origin of the server whose people sign in
 */
export async function startIdentityProvider(origin: string): Promise<IdentityProvider> {
  const server: Server = createServer()
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { id: 'hilum', secret: 'a-secret-of-the-tests' }
  const made: IdentityProvider = {
    issuer,
    client,
    groups: [],
    isVerified: true,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => void server.close(done))
    },
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${origin}/sign-in/return`],
        post_logout_redirect_uris: [`${origin}/`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'groups'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({
        sub: id,
        email: id,
        email_verified: made.isVerified,
        given_name: 'Nora',
        family_name: 'Neu',
        groups: made.groups,
      }),
    }),
  })
  server.on('request', provider.callback())
  return made
}
