import { securityContact as securityRoute } from '@hilum/contract/routes/others'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { openRoute } from '../route.ts'

const dayMs = 86_400_000
/** RFC 9116 §2.5.5 recommends less than a year; it moves on with each request, as the setting holds at that moment. */
const validDays = 180

/** The address for reports of a weakness. Source: RFC 9116. */
export async function securityRoutes(
  app: FastifyInstance,
  { securityContact, publicUrl }: Pick<Config, 'securityContact' | 'publicUrl'>,
): Promise<void> {
  openRoute(app, securityRoute, async (request, reply) => {
    const base = publicUrl ?? `${request.protocol}://${request.host}`
    const expires = new Date(Date.now() + validDays * dayMs).toISOString()
    const lines = [`Contact: ${securityContact ?? `${base}/help`}`, `Expires: ${expires}`, 'Preferred-Languages: en']
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
