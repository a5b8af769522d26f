import { capabilities, capabilitiesWithSlash } from '@hilum/contract/routes/dicomweb'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'
import { route } from '../route.ts'
import { accepts, rangesOf } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { originOf } from './origin.ts'

const wadl = 'application/vnd.sun.wadl+xml'

/** The capabilities of this service, as WADL. Source: PS3.18 §8.9. */
export function capabilitiesRoutes(app: FastifyInstance, services: Services): void {
  for (const declared of [capabilities, capabilitiesWithSlash]) {
    route(app, services, declared, ({ request, reply, params: { namespace } }) => {
      if (!accepts(rangesOf(request), wadl)) throw new DicomwebError(406, `Capabilities come as ${wadl}`)
      return reply.type(wadl).send(describe(`${originOf(request)}/dicomweb/${encodeURIComponent(namespace)}/`))
    })
  }
}

type Method = {
  name: 'GET' | 'POST'
  id: string
  gives: readonly string[]
  takes?: readonly string[]
  query?: readonly string[]
}

const json = ['application/dicom+json']
const instances = ['multipart/related; type="application/dicom"']
const frames = ['multipart/related; type="application/octet-stream"', 'multipart/related; type="image/*"']
const pictures = ['image/jpeg', 'image/png', 'image/webp']
const drawn = pictures.map((type) => `multipart/related; type="${type}"`)
const paging = ['limit', 'offset', 'includefield', 'fuzzymatching', 'emptyvaluematching']
const rendering = ['window', 'quality', 'viewport', 'overlays']
const stowed = ['multipart/related; type="application/dicom"', 'application/dicom']

const search = (id: string): Method => ({ name: 'GET', id, gives: json, query: paging })
const retrieve = (id: string, gives: readonly string[], query: readonly string[] = []): Method => ({
  name: 'GET',
  id,
  gives,
  query: ['accept', ...query],
})
const store = (id: string): Method => ({ name: 'POST', id, gives: json, takes: stowed })

const resources: readonly [path: string, ...methods: Method[]][] = [
  ['studies', search('SearchForStudies'), store('StoreInstances')],
  ['series', search('SearchForSeries')],
  ['instances', search('SearchForInstances')],
  ['studies/{study}', retrieve('RetrieveStudy', instances), store('StoreStudyInstances')],
  ['studies/{study}/metadata', retrieve('RetrieveStudyMetadata', json)],
  ['studies/{study}/rendered', retrieve('RetrieveRenderedStudy', drawn, rendering)],
  ['studies/{study}/thumbnail', retrieve('RetrieveStudyThumbnail', ['image/jpeg'])],
  ['studies/{study}/series', search('SearchForStudySeries')],
  ['studies/{study}/instances', search('SearchForStudyInstances')],
  ['studies/{study}/series/{series}', retrieve('RetrieveSeries', instances)],
  ['studies/{study}/series/{series}/metadata', retrieve('RetrieveSeriesMetadata', json)],
  ['studies/{study}/series/{series}/rendered', retrieve('RetrieveRenderedSeries', drawn, rendering)],
  ['studies/{study}/series/{series}/thumbnail', retrieve('RetrieveSeriesThumbnail', ['image/jpeg'])],
  ['studies/{study}/series/{series}/instances', search('SearchForStudySeriesInstances')],
  ...(
    [
      ['', retrieve('RetrieveInstance', [...instances, 'application/dicom'])],
      ['/metadata', retrieve('RetrieveInstanceMetadata', json)],
      ['/rendered', retrieve('RetrieveRenderedInstance', pictures, rendering)],
      ['/thumbnail', retrieve('RetrieveInstanceThumbnail', ['image/jpeg'])],
      ['/frames/{frames}', retrieve('RetrieveFrames', frames)],
      ['/frames/{frames}/rendered', retrieve('RetrieveRenderedFrames', pictures, rendering)],
      ['/frames/{frames}/thumbnail', retrieve('RetrieveFrameThumbnail', ['image/jpeg'])],
      ['/bulkdata/{path}', retrieve('RetrieveBulkdata', ['application/octet-stream', ...frames])],
    ] as const
  ).map(([path, method]): [string, Method] => [`studies/{study}/series/{series}/instances/{instance}${path}`, method]),
]

function describe(base: string): string {
  const all = resources.map(
    ([path, ...methods]) => `<resource path="${path}">${methods.map(method).join('')}</resource>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<application xmlns="http://wadl.dev.java.net/2009/02"><resources base="${base}">${all.join('')}</resources></application>
`
}

function method({ name, id, gives, takes = [], query = [] }: Method): string {
  const parameters = query.map((one) => `<param name="${one}" style="query"/>`)
  const sent = takes.map(representation).join('')
  return `<method name="${name}" id="${id}"><request>${parameters.join('')}${sent}</request><response>${gives
    .map(representation)
    .join('')}</response></method>`
}

function representation(mediaType: string): string {
  return `<representation mediaType="${mediaType.replaceAll('"', '&quot;')}"/>`
}
