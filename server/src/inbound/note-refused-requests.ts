import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOfRequest } from '../access/door-of-request.ts'
import { sidOfRequest } from '../access/sid-of-request.ts'
import { noteRefusal } from '../areas/audit/note-refusal.command.ts'
import type { Services } from '../services.ts'

const refusedStatuses: ReadonlySet<number> = new Set([401, 403, 404])

/** Puts on record what is refused at these routes, once the answer has left. */
export function noteRefusedRequests(app: FastifyInstance, services: Services, act: string): void {
  app.addHook('onResponse', async (request, reply) => {
    const uidsAnywhere = uidsUnderAll(request)
    const isRefused = refusedStatuses.has(reply.statusCode)
    if (!isRefused && uidsAnywhere.length === 0) return
    const { sid: _sid, ...query } = (request.query ?? {}) as Record<string, unknown>
    const names = [...Object.values((request.params ?? {}) as object), ...Object.values(query)].flat()
    const who = callerOfRequest(request) ?? {
      clientAddress: request.ip,
      sid: sidOfRequest(request, { cookieToo: true }),
    }
    noteRefusal(services, who, {
      act,
      names,
      uidsAnywhere,
      isForbidden: reply.statusCode !== 404,
      isAnswered: !isRefused,
    })
  })
}

/** Names of StudyInstanceUID as a search may write it. */
const studyUidKeys: ReadonlySet<string> = new Set(['studyinstanceuid', '0020000d'])

/** Studies that a DICOMweb request asks for by UID in all namespaces at once. */
function uidsUnderAll(request: FastifyRequest): string[] {
  const { namespace, study } = (request.params ?? {}) as { namespace?: string; study?: string }
  if (namespace !== 'all') return []
  const searched = Object.entries((request.query ?? {}) as Record<string, unknown>).flatMap(([key, value]) =>
    studyUidKeys.has(key.toLowerCase()) ? [value].flat().map(String) : [],
  )
  return [study ?? '', ...searched].flatMap((text) => text.split(/[\\,]/)).filter(Boolean)
}
