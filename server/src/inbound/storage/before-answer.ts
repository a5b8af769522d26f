import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

const acts = new WeakMap<IncomingMessage, () => Promise<void>>()

/** Does something once the answer to a request is known to be given, before its first byte leaves; after what was to be done then already. */
export function beforeAnswer({ raw }: Pick<FastifyRequest, 'raw'>, act: () => Promise<void>): void {
  const earlier = acts.get(raw)
  acts.set(raw, async () => {
    await earlier?.()
    await act()
  })
}

/** For whoever begins an answer that is no refusal. */
export async function answerBegins({ raw }: Pick<FastifyRequest, 'raw'>): Promise<void> {
  const act = acts.get(raw)
  acts.delete(raw)
  await act?.()
}
