import { docsPage, openApi } from '@hilum/contract/routes/others'
import type { FastifyInstance } from 'fastify'
import { openRoute } from '../route.ts'
import { describeApi } from './describe-api.ts'
import { renderPage } from './docs-page.ts'

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"

/** The API to read at `/api/v3/docs`, and as OpenAPI at `/api/v3/openapi.json`. Both say what the contract says. */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  // made when first asked for: it takes half a second that no start should wait for
  let description: string | undefined
  let page: string | undefined
  openRoute(app, openApi, (_request, reply) =>
    reply.type('application/json').send((description ??= JSON.stringify(describeApi()))),
  )
  openRoute(app, docsPage, (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send((page ??= renderPage())),
  )
}
