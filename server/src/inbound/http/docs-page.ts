import { acts, wordsOfRight } from '@hilum/contract/acts'
import type { AnyCall } from '@hilum/contract/call'
import { calls } from '@hilum/contract/calls/all-calls'
import { channelIdleMs, channelPingMs } from '@hilum/contract/channel'
import { type ErrorCode, errors } from '@hilum/contract/errors'
import { idempotencyKeyLength, maxBundleItems, rememberedActHours } from '@hilum/contract/limits'
import { maxRows } from '@hilum/contract/list'
import { listRefused } from '@hilum/contract/public-calls'
import { storageErrors } from '@hilum/contract/storage-errors'
import { channelFrames, curlExamples, exampleSettings, listening } from './curl-examples.ts'
import { actOf, attributesOfSearch, errorsOfRoute, needsNoSession } from './describe-api.ts'
import { errorsOf, inputOf, outputOf } from './describe-call.ts'
import { type DescribedRoute, describedRoutes } from './described-routes.ts'

/** The API to read: how to begin, the rules, every call and every other route. The page runs no script. */
export function renderPage(): string {
  const all = (Object.values(calls) as unknown as AnyCall[]).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const areas = [...new Set(all.map((call) => call.path.split('/')[0] as string))]
  const sections = areas.map((area) => {
    const rows = all.filter((call) => call.path.split('/')[0] === area).map(renderCall)
    return `<section id="${area}"><h2>${area}</h2>${rows.join('')}</section>`
  })
  const others = [...new Set(describedRoutes.map((one) => one.area))].map((area) => {
    const rows = describedRoutes.filter((one) => one.area === area).map(({ route }) => renderRoute(route))
    return `<section id="${idOf(area)}"><h2>${area}</h2>${introductions[area] ?? ''}${rows.join('')}</section>`
  })
  const answered = [...all, ...describedRoutes.map(({ route }) => route)].map((one) => one.path.replace('/api/v3/', ''))
  const refused = listRefused(new Set(answered)).map(({ path, why }) => `<dt>${path}</dt><dd>${escape(why)}</dd>`)
  const links = [
    ...['Begin', 'Rules', 'Errors', 'Channel'].map((name) => `<a href="#${idOf(name)}">${name}</a>`),
    ...areas.map((area) => `<a href="#${area}">${area}</a>`),
    ...[...new Set(describedRoutes.map((one) => one.area))].map((area) => `<a href="#${idOf(area)}">${area}</a>`),
    `<a href="#${idOf(notAnswered)}">${notAnswered}</a>`,
  ]
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Hilum API</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>
<header><h1>Hilum API</h1><p>Calls at <code>/api/v3/…</code>: GET with a query, POST with a form or POST with JSON, with the same parameters. The session token goes as <code>sid</code> or as a bearer token. A refusal is 412 with <code>error_type</code>. <a href="/api/v3/openapi.json">OpenAPI document</a></p>
<nav aria-label="Parts">${links.join(' ')}</nav></header>
<main>${begin}${rules}${errorList}${channel}${sections.join('')}${others.join('')}<section id="${idOf(notAnswered)}"><h2>${notAnswered}</h2><p>Calls of the public API that this server refuses with NOT_SUPPORTED and the subtype <code>call</code>; <code>error_data</code> is the reason.</p><dl>${refused.join('')}</dl></section></main></body></html>`
}

const notAnswered = 'Not answered'

const begin = `<section id="begin"><h2>Begin</h2><p>From signing in to signing out with curl; each step uses what the steps before have set.</p><pre>${escape(exampleSettings)}</pre>${curlExamples
  .map(({ title, says, shell }) => `<h3>${title}</h3><p>${escape(says)}</p><pre>${escape(shell)}</pre>`)
  .join('')}</section>`

const rules = `<section id="rules"><h2>Rules</h2><dl>
<dt>Values</dt><dd>Ids are uuids. Flags are 1 or 0. Stamps are UTC, <code>YYYY-MM-DD hh:mm:ss.ffffff+00</code>; DICOM dates <code>YYYYMMDD</code>. Lists and hashes are JSON, also inside a form. An empty text clears a field.</dd>
<dt>Unknown</dt><dd>Calls that write refuse a parameter that they do not know (INVALID_FIELD with its name). Calls that only read pass it over, but for filters and sorts that they cannot do.</dd>
<dt>Once</dt><dd>Calls that make, mail or send something take <code>idempotency_key</code>, a random text of ${idempotencyKeyLength.least} to ${idempotencyKeyLength.most} characters: whoever got no answer sends the same request again under the same key, and it is done once. Answers are remembered for ${rememberedActHours} hours, for each person. A refused request is forgotten.</dd>
<dt>Filters</dt><dd><code>filter.FIELD.CONDITION=value</code>, several are ANDed. equals, not_equals, in (a JSON list), like (with <code>%</code>), gt, ge, lt, le; <code>…_or_null</code> finds what has none, too. text ignores case; exact does not; date and stamp take <code>YYYY-MM-DD</code>, stamp also a time, in the zone of <code>filter.tz</code> (<code>Europe/Berlin</code>) unless the user has one; uuid, integer and flag compare as such; tags finds any of the given ones; virtual fields are questions, mostly 1 or 0. <code>customfield-UUID</code> is a custom field, in lists that say so, also to sort by; <code>filter_id</code> is a saved search.</dd>
<dt>Sorts</dt><dd><code>sort_by=study_date-desc,patient_name-asc</code></dd>
<dt>Pages</dt><dd><code>page.rows</code> 1 to ${maxRows}, <code>page.number</code> from 1; anything else is INVALID_INTEGER. The reply holds <code>page: {more, rows, number, total}</code>. Of studies, total is counted on the last page and where <code>page.total=1</code> asks for it. A page behind the end has no rows and no total.</dd>
<dt>Fields</dt><dd><code>fields.study=["uuid","patient_name"]</code> limits the rows of a list or what a get reads, by the name of the object; <code>fields._top=["page"]</code> the top level.</dd>
<dt>Bundles</dt><dd><code>POST /api/v3/bundle</code> with a JSON list of at most ${maxBundleItems} calls.</dd>
</dl></section>`

const errorList = `<section id="errors"><h2>Errors</h2><p>200 with <code>status: "OK"</code> is success. 401: no live session. 404: no such call. 405: not by this method. 412: refused, <code>{"status":"ERROR","error_type":"MISSING_FIELDS","error_subtype":["uuid"]}</code>. 413: too large. 503 with Retry-After: try again.</p><dl>${(
  Object.keys(errors) as ErrorCode[]
)
  .map((code) => `<dt>${code}</dt><dd>${escape(errors[code])}</dd>`)
  .join('')}</dl></section>`

const channel = `<section id="channel"><h2>Channel</h2><p>Text frames of JSON at <code>/api/v3/channel/websocket</code>. A client subscribes with its sid, and pings every ${channelPingMs / 1000} seconds; who is silent for ${channelIdleMs / 1000} is let go.</p><pre>${Object.values(
  channelFrames,
)
  .map(escape)
  .join(
    '\n',
  )}</pre><p>Then it hears <code>{"event", "channel", "sid_md5", "uuid", "namespace_id"}</code>: STUDY, a record changed; READY, a study is complete; on <code>job.NAMESPACE</code> PROGRESS, BROKEN and DONE with job_id, state, sent and total. A ping is answered <code>{"status":"OK"}</code>, a refusal <code>{"status":"ERROR","error_type":"NOT_PERMITTED","channel":…}</code>.</p><p>To listen from a shell, with Node 22 or later and what the first steps have set:</p><pre>${escape(listening)}</pre></section>`

const introductions: Partial<Record<DescribedRoute['area'], string>> = {
  Storage: `<p>Images and files, by storage namespace and study UID. A failure is JSON: <code>{"kind":{"code":18,"readable_status":"STUDY_NOT_FOUND"},"message":…}</code>. ${Object.entries(
    storageErrors,
  )
    .map(([name, [code, status]]) => `<code>${code} ${name}</code> (${status})`)
    .join(', ')}.</p>`,
  DICOMweb: `<p>Below <code>/dicomweb/NAMESPACE</code>, the uuid of a namespace; <code>all</code> stands for all of the caller’s. What is wanted goes as <code>Accept</code> or as the parameter <code>accept</code>: <code>application/dicom</code> with <code>transfer-syntax=1.2.840.10008.1.2.1</code> (decoded, the default), <code>*</code> (as stored) or a lossless one, alone for one instance, inside of <code>multipart/related; type="application/dicom"</code> for several. A failure is JSON, <code>{"error":"the reason in words"}</code>: 400 what was asked cannot be understood or matched, 401 no live session, 403 not permitted, 404 nothing there, 406 not in that form, 409 nothing can leave or be stored as it is, 413 too large, 415 not in this form, 503 with Retry-After: try again.</p>`,
}

function renderCall(call: AnyCall): string {
  const { properties, required } = inputOf(call) as { properties: Record<string, Shape>; required: string[] }
  const inputs = Object.entries(properties)
    .filter(([name]) => !/^(filter|page|fields)\.|^sort_by$/.test(name))
    .map(([name, shape]) => {
      const shown = required.includes(name) ? `<b>${name}</b>` : name
      return `<code>${shown}: ${escape(textOf(shape))}</code>`
    })
  const marks = [
    call.postOnly ? 'POST only' : '',
    call.on.kind === 'anyone' ? 'no session' : '',
    call.ours ? 'Hilum’s own' : '',
  ]
  const needs = 'may' in call.on ? wordsOfRight(acts[call.on.may]) : ''
  const inPlace =
    'mayInPlace' in call.on && call.on.mayInPlace
      ? `${call.on.kind === 'link' ? ' of a study, of a place' : ' in the account, or in a place of it'} <code>${wordsOfRight(acts[call.on.mayInPlace])}</code>`
      : ''
  const parts = Object.entries({ ...call.decides, ...call.asks }).map(
    ([part, act]) =>
      `, for ${part in properties ? `<code>${part}</code>` : part} <code>${wordsOfRight(acts[act])}</code>`,
  )
  const list = call.list
    ? `<dt>Lists</dt><dd>filters: ${
        Object.entries(call.list.filters)
          .map(([name, kind]) => `<code>${escape(name)}</code> ${kind}`)
          .join(', ') || '–'
      }${call.list.customFields ? ', <code>customfield-UUID</code>' : ''}; sorts: ${call.list.isCount ? '–' : sortsOf(call.list).join(' ') || '–'}${rowsOf(call.list)}</dd>`
    : ''
  return `<details id="${call.path}"><summary><code>${call.path}</code> ${marks
    .filter(Boolean)
    .map((mark) => `<i>${mark}</i>`)
    .join(' ')}<span>${escape(call.summary)}</span></summary><dl>
<dt>Input</dt><dd>${inputs.join(', ') || 'nothing'}${call.takesCustomFields ? ', <code>customfield-UUID: text</code>' : ''}${call.takesPermissions ? ', <code>permission_NAME: 0 or 1</code>' : ''}${call.takesSettings ? ', <code>setting_NAME: text</code>' : ''} (bold: required)</dd>${list}
${needs || parts.length > 0 ? `<dt>Needs</dt><dd><code>${needs || 'a session'}</code>${inPlace}${parts.join('')}</dd>` : ''}
<dt>Reply</dt><dd><code>${escape(textOf(outputOf(call) as Shape))}</code></dd>
<dt>Errors</dt><dd>${errorsOf(call)
    .map((code) => `<code title="${escape(errors[code])}">${code}</code>`)
    .join(' ')}</dd></dl></details>`
}

function renderRoute(route: DescribedRoute['route']): string {
  const { methods, path, summary, query, headers = {}, isSearch, body, answer, reply } = route
  const act = actOf(route)
  const errors = errorsOfRoute(route)
  const needs = act ? wordsOfRight(acts[act]) : needsNoSession(route) ? '' : 'a session'
  const inputs = Object.entries(query).map(([name, { json, says, example }]) => {
    const shown = example ? `, as <code>${escape(example)}</code>` : ''
    return `<code>${escape(name)}</code> ${escape(textOf(json))}: ${escape(says)}${shown}`
  })
  const sent = Object.entries(headers).map(([name, says]) => `<code>${escape(name)}</code> ${escape(says)}`)
  if (isSearch) inputs.push(escape(attributesOfSearch))
  return `<details id="${path}"><summary><code>${methods.join(', ')} ${escape(path.replace(/:(\w+)/g, '{$1}'))}</code><span>${escape(summary)}</span></summary><dl>
${inputs.length > 0 ? `<dt>Query</dt><dd>${inputs.join('<br>')}</dd>` : ''}${sent.length > 0 ? `<dt>Headers</dt><dd>${sent.join('<br>')}</dd>` : ''}${body ? `<dt>Body</dt><dd>${escape(body)}</dd>` : ''}
${needs ? `<dt>Needs</dt><dd><code>${needs}</code></dd>` : ''}
<dt>Answer</dt><dd>${escape(answer)}${reply === undefined ? '' : `<br><code>${escape(JSON.stringify(reply))}</code>`}</dd>${
    errors.length > 0 ? `<dt>Errors</dt><dd>${errors.map((code) => `<code>${code}</code>`).join(' ')}</dd>` : ''
  }</dl></details>`
}

interface Shape {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  items?: Shape
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  additionalProperties?: Shape | boolean
}

/** A JSON Schema in a few words: `{uuid: string, tags: [string]}`. */
function textOf(shape: Shape): string {
  if (shape.enum) return shape.enum.map((one) => JSON.stringify(one)).join(' | ')
  if (shape.const !== undefined) return JSON.stringify(shape.const)
  if (shape.anyOf) return shape.anyOf.map(textOf).join(' | ')
  if (shape.properties) {
    return `{${Object.entries(shape.properties)
      .map(([name, one]) => `${name}: ${textOf(one)}`)
      .join(', ')}}`
  }
  if (shape.items) return `[${textOf(shape.items)}]`
  if (typeof shape.additionalProperties === 'object') return `{…: ${textOf(shape.additionalProperties)}}`
  if (shape.format) return shape.format
  return shape.type === undefined ? 'JSON' : String(shape.type)
}

function idOf(name: string): string {
  return name.toLowerCase().replace(/\W+/g, '-')
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

const style = `:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:1000px;margin:0 auto;padding:24px}
h1{font-size:22px}h2{font-size:16px;margin:28px 0 6px}h3{font-size:14px;margin:16px 0 4px}nav a{margin-right:8px}summary{cursor:pointer;padding:7px 0}
summary span{display:block;margin-left:16px;opacity:.8}details{border-top:1px solid color-mix(in srgb,currentColor 18%,transparent)}
pre{overflow-x:auto;padding:10px 12px;border-radius:6px;background:color-mix(in srgb,currentColor 7%,transparent)}p{margin:4px 0 8px}
i{font-style:normal;font-size:12px;border:1px solid;border-radius:4px;padding:0 5px}dl{display:grid;grid-template-columns:minmax(80px,max-content) 1fr;gap:2px 12px;margin:4px 0 14px 16px}dd{margin:0;overflow-wrap:anywhere}`

function sortsOf({ sorts, customFields }: NonNullable<AnyCall['list']>): string[] {
  return [...sorts, ...(customFields ? ['customfield-UUID'] : [])].map((name) => `<code>${name}</code>`)
}

function rowsOf({ isCount, isReport, object, defaultRows }: NonNullable<AnyCall['list']>): string {
  return isCount || isReport ? '' : `; fields.${object}; ${defaultRows} rows unless said otherwise`
}
