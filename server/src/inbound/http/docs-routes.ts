import type { AnyCall } from '@hilum/contract/call'
import { calls } from '@hilum/contract/calls/all-calls'
import { errors } from '@hilum/contract/errors'
import type { FastifyInstance } from 'fastify'
import { describeApi, errorsOf } from './describe-api.ts'

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"

/** The calls to read at `/api/v3/docs`, and as OpenAPI at `/api/v3/openapi.json`. Both say what the contract says. */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  // made when first asked for: it takes half a second that no start should wait for
  let description: string | undefined
  let page: string | undefined
  app.get('/api/v3/openapi.json', async (_request, reply) =>
    reply.type('application/json').send((description ??= JSON.stringify(describeApi()))),
  )
  app.get('/api/v3/docs', async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': policy, 'x-content-type-options': 'nosniff' })
      .type('text/html; charset=utf-8')
      .send((page ??= renderPage())),
  )
}

function renderPage(): string {
  const all = (Object.values(calls) as unknown as AnyCall[]).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const areas = [...new Set(all.map((call) => call.path.split('/')[0] as string))]
  const sections = areas.map((area) => {
    const rows = all.filter((call) => call.path.split('/')[0] === area).map(renderCall)
    return `<section id="${area}"><h2>${area}</h2>${rows.join('')}</section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Hilum API</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>
<header><h1>Hilum API</h1><p>Calls at <code>/api/v3/…</code>: GET with a query, POST with a form or POST with JSON, with the same parameters. The session token goes as <code>sid</code> or as a bearer token. A refusal is 412 with <code>error_type</code>. <a href="/api/v3/openapi.json">OpenAPI document</a></p>
<nav aria-label="Areas">${areas.map((area) => `<a href="#${area}">${area}</a>`).join(' ')}</nav></header>
<main>${sections.join('')}</main></body></html>`
}

function renderCall(call: AnyCall): string {
  const shape =
    'shape' in call.input ? Object.entries(call.input.shape as Record<string, { _zod: { def: { type: string } } }>) : []
  const inputs = shape.map(([name, schema]) =>
    schema._zod.def.type === 'optional' ? `<code>${name}</code>` : `<code><b>${name}</b></code>`,
  )
  const marks = [
    call.postOnly ? 'POST only' : '',
    call.on.kind === 'anyone' ? 'no session' : '',
    call.ours ? 'Hilum’s own' : '',
  ]
  const needs = 'needs' in call.on && call.on.needs.length > 0 ? call.on.needs.join(' or ') : undefined
  const list = call.list
    ? `<dt>Lists</dt><dd>filters: ${
        Object.keys(call.list.filters)
          .map((name) => `<code>${escape(name)}</code>`)
          .join(' ') || '–'
      }; sorts: ${call.list.sorts.map((name) => `<code>${name}</code>`).join(' ') || '–'}</dd>`
    : ''
  return `<details id="${call.path}"><summary><code>${call.path}</code> ${marks
    .filter(Boolean)
    .map((mark) => `<i>${mark}</i>`)
    .join(' ')}<span>${escape(call.summary)}</span></summary><dl>
<dt>Input</dt><dd>${inputs.join(' ') || 'nothing'} (bold: required)</dd>${list}
${needs ? `<dt>Needs</dt><dd><code>${needs}</code></dd>` : ''}
<dt>Errors</dt><dd>${errorsOf(call)
    .map((code) => `<code title="${escape(errors[code])}">${code}</code>`)
    .join(' ')}</dd></dl></details>`
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

const style = `:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:1000px;margin:0 auto;padding:24px}
h1{font-size:22px}h2{font-size:16px;margin:28px 0 6px}nav a{margin-right:8px}summary{cursor:pointer;padding:7px 0}
summary span{display:block;margin-left:16px;opacity:.8}details{border-top:1px solid color-mix(in srgb,currentColor 18%,transparent)}
i{font-style:normal;font-size:12px;border:1px solid;border-radius:4px;padding:0 5px}dl{display:grid;grid-template-columns:80px 1fr;margin:4px 0 14px 16px}dd{margin:0}`
